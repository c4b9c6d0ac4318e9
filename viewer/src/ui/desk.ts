// What the panels may know and do: the run they show, what is selected, and the time.

import type { Choice } from "../data/link";
import type { Player } from "../data/player";
import type { Run } from "../data/run";
import type { Signal } from "../data/signal";
import type { Body, Contact } from "../net/types";
import type { Options } from "../stage/stage";

export interface Desk {
  readonly player: Player;
  /** The run whose numbers the panels show. */
  readonly run: Run;
  readonly selected: Body | null;
  /** The contact that was clicked. */
  readonly contact: Contact | null;
  readonly contactChanged: Signal;
  readonly options: Options;
  readonly selectionChanged: Signal;
  /** Another run is shown, or its bodies changed. */
  readonly runChanged: Signal;
  readonly optionsChanged: Signal;
  /** The state of another time has been drawn. */
  readonly timeDrawn: Signal;
  select(number: number | null): void;
  seek(time: number): void;
  setOption(name: keyof Options, isOn: boolean): void;
  choice(): Choice;
  setChoice(choice: Choice): void;
}

export interface Panel {
  readonly root: HTMLElement;
  /** Called when the panel comes to the front, and while it is there whenever something changed. */
  refresh(): void;
}
