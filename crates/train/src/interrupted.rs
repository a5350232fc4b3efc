//! How a fit tells its caller of events, and ends where the caller wants no more.
//!
//! A fit that was generic over its caller would be compiled with the caller's settings, most
//! of which are not for speed. So it is generic over nothing, and the caller's error waits
//! here.

/// Why a fit has ended early.
pub(crate) enum Interrupted<F> {
    /// The fit itself failed.
    Fit(F),
    /// The caller did not take an event.
    Event,
}

impl<F> From<F> for Interrupted<F> {
    fn from(error: F) -> Interrupted<F> {
        Interrupted::Fit(error)
    }
}

/// A caller's ear for events, without its error.
pub(crate) type OnEvent<'a, Event, F> = &'a mut dyn FnMut(Event) -> Result<(), Interrupted<F>>;

/// Runs `fit`, which tells its events. An error of `on_event` ends it and comes back.
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
