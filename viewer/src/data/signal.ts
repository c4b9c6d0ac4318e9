// A thing that tells its listeners. Listeners are called in the order they came.

export class Signal<T = void> {
  private listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
}
