//! Every state of the page on a phone, a tablet and a laptop: nothing is wider than the window, also
//! where the page is enlarged fourfold. With `PICTURES=folder cargo test --test browser fit_their`
//! there are pictures to be looked at, in more sizes.

use crate::driver::Browser;
use crate::states;

/// The sizes of windows, and more for pictures. A page of 1280 points is 320 wide at 400 %.
const SIZES: [(u32, u32); 3] = [(320, 640), (1024, 768), (1366, 768)];
const MORE: [(u32, u32); 3] = [(390, 844), (1280, 720), (1920, 1080)];

/// Looks at the page in every size.
fn look(browser: &Browser, state: &str) {
    let has_pictures = std::env::var_os("PICTURES").is_some();
    let more = MORE.into_iter().filter(|_| has_pictures);
    for (width, height) in SIZES.into_iter().chain(more) {
        browser.resize(width, height);
        let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, false, "{state} at {width}");
        browser.picture(&format!("{state}-{width}"));
    }
    // As it was opened.
    browser.resize(1280, 800);
}

#[test]
fn boards_fit_their_windows() {
    states::of_boards(&mut look);
}

#[test]
fn rooms_fit_their_windows() {
    states::of_rooms(&mut look);
}
