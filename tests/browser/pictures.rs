//! Every state of the page on a phone, a tablet, laptops and a projector: nothing is wider than the
//! window, also where the page is enlarged fourfold. With `PICTURES=folder cargo test --test browser
//! pictures` there are pictures to be looked at.

use crate::driver::Browser;
use crate::states;

/// The sizes of windows. A page of 1280 points is 320 wide at 400 %.
const SIZES: [(u32, u32); 6] = [
    (320, 640),
    (390, 844),
    (1024, 768),
    (1280, 720),
    (1366, 768),
    (1920, 1080),
];

/// Looks at the page in every size.
fn look(browser: &Browser, state: &str) {
    for (width, height) in SIZES {
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
