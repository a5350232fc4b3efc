//! The rooms on a phone, a laptop and a projector: nothing is wider than the window. With
//! `PICTURES=folder cargo test --test browser pictures` there are pictures to be looked at.

use crate::driver::Browser;
use crate::rooms::{club_of_two, create, join, tournament_form, visitor};
use crate::stones;

const SIZES: [(u32, u32); 3] = [(360, 740), (1280, 800), (1920, 1080)];

/// Looks at the page in every size.
fn look(browser: &Browser, what: &str) {
    for (width, height) in SIZES {
        browser.resize(width, height);
        let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, false, "{what} at {width}");
        browser.picture(&format!("{what}-{width}"));
    }
}

#[test]
fn rooms_fit_their_windows() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    tournament_form(&carl);
    carl.fill("Name of the tournament", "Club evening");
    carl.press("Start");
    carl.press("Take part");
    carl.wait("document.querySelectorAll('#tournament tbody tr').length === 1");
    let tournament = carl.run("return location.hash");
    let free = [("Seat", "first"), ("Opening", "free")];
    create(&anna, &free);
    join(&bela);
    for (ply, point) in ["h8", "i9", "h7", "i8", "h6", "i7", "a1", "o15", "a2"]
        .iter()
        .enumerate()
    {
        [&anna, &bela][ply % 2].click(point);
        stones(&anna, ply + 1);
        stones(&bela, ply + 1);
    }
    look(&anna, "room");
    anna.press("Resign");
    anna.run("document.querySelector('dialog .main').click()");
    anna.press("Back to the lobby");
    bela.press("Back to the lobby");
    create(&anna, &free);
    create(&bela, &[]);
    look(&bela, "waiting");
    bela.press("Back to the lobby");
    bela.wait("document.querySelector('#lobby tbody tr')");
    look(&bela, "lobby");
    bela.run("document.querySelector('[data-person=Anna]').click()");
    bela.wait("document.querySelector('.standings')");
    look(&bela, "profile");
    bela.run("location.hash = '#game/1'");
    stones(&bela, 9);
    look(&bela, "game");
    bela.run("location.hash = '#games'");
    bela.wait("document.querySelector('#lobby-games li')");
    look(&bela, "games");
    let open = format!("location.hash = '{}'", tournament.as_str().unwrap());
    bela.run(&open);
    bela.press("Take part");
    carl.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    carl.press("Begin the first round");
    carl.wait("!document.querySelector('#room').hidden");
    carl.press("Back to the tournament");
    carl.wait("document.querySelector('#tournament td a')");
    look(&carl, "tournament");
}
