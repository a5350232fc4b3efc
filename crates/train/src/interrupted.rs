//! How a fit reports events to its caller, and ends when the caller returns an error.
//!
//! A generic fit would be compiled in the crate of its caller, which is not optimised for
//! speed. So the fit takes a `dyn` handler without the caller's error type, and the error is
//! kept here until the fit has ended.

/// Why a fit has ended early.
pub(crate) enum Interrupted<F> {
    /// The fit itself failed.
    Fit(F),
    /// The caller returned an error from an event.
    Event,
}

impl<F> From<F> for Interrupted<F> {
    fn from(error: F) -> Interrupted<F> {
        Interrupted::Fit(error)
    }
}

/// The caller's handler of events, without its error.
pub(crate) type OnEvent<'a, Event, F> = &'a mut dyn FnMut(Event) -> Result<(), Interrupted<F>>;

/// Runs `fit`, which reports its events. An error of `on_event` ends it and is returned.
pub(crate) fn with_events<Event, T, F, E: From<F>>(
    mut on_event: impl FnMut(Event) -> Result<(), E>,
    fit: impl FnOnce(OnEvent<'_, Event, F>) -> Result<T, Interrupted<F>>,
) -> Result<T, E> {
    let mut refusal = Ok(());
    let fitted = fit(&mut |event| {
        on_event(event).map_err(|error| {
            refusal = Err(error);
            Interrupted::Event
        })
    });
    refusal?;
    fitted.map_err(|interrupted| match interrupted {
        Interrupted::Fit(error) => error.into(),
        Interrupted::Event => unreachable!("a refused event has an error"),
    })
}
