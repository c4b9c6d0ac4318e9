//! The walls around the language.

use std::sync::LazyLock;

use rhai::packages::{BasicArrayPackage, CorePackage, Package};
use rhai::{Engine, Token};

use super::functions;

/// Operations that one evaluation may take. Without loops its length bounds them far below this; closures of
/// measures are called some thousand times by the functions that search and average.
const MOST_OPERATIONS: u64 = 20_000_000;

/// How deep an expression may nest; a sum nests once for each of its terms.
pub(super) const DEEPEST: usize = 256;

/// Words of the language that a scene has no use for, or that would let an expression run on or reach out.
const DISABLED: [&str; 18] = [
    "while", "loop", "do", "for", "until", "fn", "private", "import", "export", "eval", "print",
    "debug", "try", "throw", "switch", "Fn", "call", "curry",
];

/// The engine of expressions that speak of parameters only.
pub(crate) fn shared_engine() -> &'static Engine {
    static ENGINE: LazyLock<Engine> = LazyLock::new(base_engine);
    &ENGINE
}

/// An engine with the functions of every expression and nothing else.
pub(crate) fn base_engine() -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    for word in DISABLED {
        engine.disable_symbol(word);
    }
    engine.set_max_operations(MOST_OPERATIONS);
    engine.set_max_expr_depths(DEEPEST, DEEPEST);
    engine.set_max_call_levels(16);
    engine.set_max_string_size(10_000);
    engine.set_max_array_size(1_000);
    engine.set_max_variables(200);
    // Otherwise powers would come from the standard library, and vectors could not be added.
    engine.set_fast_operators(false);
    // People write 1/2 for a half.
    #[expect(
        deprecated,
        reason = "rhai marks what it may change one day; its version is pinned by the lock file"
    )]
    engine.on_parse_token(|token, _, _| match token {
        Token::IntegerConstant(number) => {
            Token::FloatConstant(Box::new(((number as f64).into(), number.to_string().into())))
        }
        token => token,
    });
    functions::register(&mut engine);
    engine
}
