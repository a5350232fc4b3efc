//! The engine for Python.
//!
//! `game` is a game and its referee, `engine` searches and evaluates, `solver` proves forced
//! wins, `samples` makes arrays of numpy from self-play games. `watch` runs what takes long on
//! a thread of its own, so that Python's other threads run on and Ctrl-C is heard. `quincunx.pyi`
//! describes all of it to people and type checkers.

mod engine;
mod game;
mod samples;
mod solver;
mod watch;

use pyo3::prelude::*;

#[pymodule]
fn quincunx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("IllegalMove", module.py().get_type::<game::IllegalMove>())?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Result>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Answer>()?;
    module.add_class::<engine::Line>()?;
    module.add_class::<engine::Value>()?;
    module.add_class::<solver::Solution>()?;
    module.add_class::<samples::Batches>()?;
    module.add_function(wrap_pyfunction!(solver::solve, module)?)?;
    module.add_function(wrap_pyfunction!(samples::load, module)?)?;
    module.add_function(wrap_pyfunction!(samples::batches, module)?)
}
