//! The search in the games of rooms.

use crate::rooms::{club, club_of_two, create, join, resign, visitor};
use crate::{status, stones};
use serde_json::json;

#[test]
fn games_are_found_and_shown_one_after_another() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    for game in 1..=2 {
        create(
            &anna,
            &[("Seat", "first"), ("Opening", "free"), ("Clock", "")],
        );
        join(&bela);
        status(&anna, "Your move");
        anna.wait("document.querySelector('#detail').innerText.includes('20 min + 10 s')");
        anna.click("h8");
        stones(&bela, 1);
        bela.click("i9");
        stones(&anna, 2);
        if game == 1 {
            resign(&bela);
            status(&anna, "Anna wins");
            anna.press("Back to the lobby");
            bela.press("Back to the lobby");
        }
    }
    let carl = visitor(&server, "Carl");
    carl.go(&format!("{}#games/B%C3%A9la", server.url()));
    carl.wait("document.querySelectorAll('#lobby-games li').length === 1");
    // The answer to one search once came after that to the next, and was shown.
    carl.run(
        "window.ask = fetch;
         window.fetch = async (...asked) => {
             const answer = await window.ask(...asked);
             if (!window.release) await new Promise((resolve) => (window.release = resolve));
             return answer;
         };",
    );
    carl.press("Find");
    carl.wait("window.release");
    carl.fill("Player", "Carl");
    carl.press("Find");
    carl.wait("document.querySelector('#lobby-games p.none')");
    carl.run("window.release(); setTimeout(() => (window.isLate = true), 200)");
    carl.wait("window.isLate");
    carl.wait("document.querySelectorAll('#lobby-games li').length === 0");
    // What is filled in and found stays in another language.
    carl.press("Settings");
    carl.fill("Language", "ja");
    carl.wait("document.querySelector('#lobby-games h2').innerText === 'すべての対局'");
    carl.wait("document.querySelector('#lobby-games p.none').innerText === '今はありません'");
    carl.wait("document.querySelector('#lobby-games input').value === 'Carl'");
    carl.run("location.hash = 'games/%'");
    carl.wait("document.querySelector('#lobby-games input').value === '%'");
    // A server with too much to do once seemed to be gone, or the game.
    let says = |text: &str| {
        let text = json!(text);
        carl.wait(&format!(
            "document.querySelector('#alert').innerText === {text}"
        ));
    };
    carl.run(
        "window.fetch = async () => new Response('', { status: 503 }); location.hash = 'game/7'",
    );
    says("検索が混み合っています：1 分後にもう一度試してください");
    carl.run(
        "window.fetch = async () => new Response('', { status: 502 }); location.hash = 'game/8'",
    );
    says("サーバーが応答しません。対局は失われません。再試行しています。");
    carl.run("window.fetch = window.ask; location.hash = 'game/7'");
    says("その対局はありません");
    // The screen for the club room shows the game that is played.
    carl.go(&format!("{}#screen", server.url()));
    stones(&carl, 2);
    carl.wait("!document.querySelector('#actions').checkVisibility()");
    anna.click("h7");
    stones(&carl, 3);
    // It shows no player a game of their own: they would come to it.
    anna.run("location.hash = 'screen'");
    anna.wait("document.querySelector('.screen') && !document.querySelector('#lobby').hidden");
    let complaints = carl.complaints();
    let is_expected = |text: &String| text.contains("/games/7");
    assert!(complaints.iter().all(is_expected), "{complaints:?}");
}

/// A day on which the clocks are set back once lacked its last hour.
#[test]
fn a_day_of_a_search_has_all_its_hours() {
    let Some(server) = club() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    carl.live_in("Europe/Berlin");
    carl.run("location.hash = 'games'");
    for field in ["From", "To"] {
        carl.fill(field, "2026-10-25");
    }
    carl.run(
        "const { fetch } = window;
         window.fetch = (address) => {
             window.asked = new URL(address, location.href).searchParams;
             return fetch(address);
         };",
    );
    carl.press("Find");
    carl.wait("window.asked");
    let seconds = carl.run("return window.asked.get('to') - window.asked.get('from')");
    assert_eq!(seconds, json!(25 * 3600));
}
