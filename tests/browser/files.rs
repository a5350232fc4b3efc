//! Files that the page opens and exports.

use crate::driver::{Browser, Window};
use crate::{PERSONS, READY, alert, begin, open, place, press_said, status, stones, visit};
use serde_json::json;

/// Only the first game of a file could be opened on the page.
#[test]
fn a_game_of_several_is_chosen() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Open");
    let file = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii];B[gg])";
    browser.fill("SGF, PSQ or a list of moves", file);
    browser.fill("Number of the game in the file", "2");
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("!document.querySelector('dialog')");
    stones(&browser, 3);
}

/// The page once said that something can't be read, behind the dialogue.
#[test]
fn a_format_that_can_t_hold_the_game_says_so() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Handicap stones", "2")]);
    stones(&browser, 2);
    browser.press("Export");
    browser.fill("Format", "psq");
    browser.wait(
        "document.querySelector('dialog [role=alert]').textContent === 'PSQ holds games from the empty board, without passes'",
    );
    browser.fill("Format", "sgf");
    browser.wait("document.querySelector('dialog textarea').value.startsWith('(;FF[4]')");
    browser.wait("document.querySelector('dialog [role=alert]').hidden");
}

/// A format that was chosen while the answer for another was on its way once had the content
/// of that, or its refusal.
#[test]
fn formats_do_not_get_mixed_up() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Handicap stones", "2")]);
    stones(&browser, 2);
    browser.press("Export");
    let content = "document.querySelector('dialog textarea').value";
    for (formats, start) in [
        (["sgf", "text"], "15 freestyle"),
        (["text", "sgf"], "(;FF[4]"),
        (["psq", "text"], "15 freestyle"),
    ] {
        browser.run(&format!(
            "const format = document.querySelector('dialog select');
             for (const value of {}) {{
                 format.value = value;
                 format.dispatchEvent(new Event('change'));
             }}",
            json!(formats)
        ));
        browser.wait(&format!("{content}.startsWith({})", json!(start)));
        browser.wait("document.querySelector('dialog [role=alert]').hidden");
    }
}

/// The names of a file once gave way to a person and the engine.
#[test]
fn an_opened_game_shows_who_played_it() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[jj])");
    stones(&browser, 3);
    let players = "document.querySelector('#players').innerText";
    browser.wait(&format!(
        "{players}.includes('Black: Ann') && {players}.includes('White: Bob')"
    ));
    browser.click("a1");
    stones(&browser, 4);
    status(&browser, "Black to move");
    begin(&browser, &[]);
    browser.wait(&format!("{players}.includes('Black: Person')"));
}

/// What is wrong with a file was once said in English in every language, and a reload gave
/// back what had been used of the turn.
#[test]
fn files_are_refused_in_the_language_of_the_page_and_clocks_outlive_a_reload() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run("location.hash = '15/freestyle/h8h8'");
    alert(
        &browser,
        "Line 1, column 16: There is a stone on this point already",
    );
    begin(
        &browser,
        &[
            PERSONS,
            ("Time", r#"{"game_ms":180000,"increment_ms":2000}"#),
        ],
    );
    let clock = "document.querySelector('time').textContent";
    browser.wait(&format!("{clock} < '2:58'"));
    browser.go(&format!("{}?lang=ja#15/freestyle/h8p1", server.url()));
    alert(&browser, "1 行 16 列：この点は盤の外です");
    let left = browser.run(&format!("return {clock}"));
    assert!(left.as_str().unwrap() < "2:58", "{left}");
}

/// Remarks on a file were once in English whatever the page's language.
#[test]
fn remarks_on_files_are_in_the_language_of_the_page() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let paste = |text: &str| {
        browser.run(&format!(
            "const clipboardData = new DataTransfer();
             clipboardData.setData('text', '{text}');
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true }}));"
        ));
    };
    let two = "(;GM[4]RU[weird];B[hh];B[ii])(;GM[4];B[aa])";
    browser.go(&format!("{}?lang=ru", server.url()));
    browser.wait(READY);
    paste(two);
    alert(
        &browser,
        "партия 1 из 2; размер доски в файле не указан: взят 15; \
         правила в файле не указаны или неизвестны: взяты «Гомоку»; \
         строка 1, столбец 24: два хода одного цвета подряд: соперник пасует",
    );
    paste("(;GM[4]SZ[15]AB[hh][gf]AW[ig])");
    alert(&browser, "в файле не указано, чей ход: взято «Белые»");
    // The English is the program's own.
    browser.go(&format!("{}?lang=en", server.url()));
    browser.wait(READY);
    paste(two);
    alert(
        &browser,
        "game 1 of 2; the file names no board: 15 is taken; \
         the rule \\'weird\\' is not known: freestyle is taken; \
         line 1, column 24: a colour moves out of turn: the other passes",
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A file that names no players is of no one who opens it.
#[test]
fn the_end_of_a_file_is_not_your_win() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[("Level", "0")]);
    open(&browser, "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii];B[jj];W[kk])");
    status(&browser, "Black wins");
    assert!(
        browser.run("return !document.getElementById('players').innerText.includes('You')")
            == json!(true)
    );
    for name in ["Resign", "Offer draw"] {
        let there = browser.run(&format!(
            "return [...document.querySelectorAll('#actions button')].some((it) => it.textContent === '{name}')"
        ));
        assert_eq!(there, json!(false), "{name}");
    }
    // The buttons step, and the result stays.
    browser.press("Undo");
    stones(&browser, 3);
    browser.press("Redo");
    status(&browser, "Black wins");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Hands the page a file, as if it were dropped there.
fn drop_file(browser: &Browser, name: &str, content: &str) {
    browser.run(&format!(
        "const transfer = new DataTransfer();
         transfer.items.add(new File([{content}], {}));
         document.body.dispatchEvent(new DragEvent('drop', {{ bubbles: true, cancelable: true, dataTransfer: transfer }}))",
        json!(name)
    ));
}

/// The program hung up on a long file, the page connected again, and there was no word. What
/// was said of a file went under the offer of the game before.
#[test]
fn the_error_of_a_dropped_file_is_shown() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let says = |text: &str| {
        let alert = "document.getElementById('alert').textContent";
        browser.wait(&format!("{alert}.includes({})", json!(text)));
    };
    drop_file(
        &browser,
        "long.sgf",
        "`(;GM[4]SZ[15]C[${'x'.repeat(1500000)}];B[hh])`",
    );
    says("files of up to 750 kB");
    drop_file(&browser, "game.sgf", "'(;GM[4]SZ[15];B[hh];W[ii])'");
    stones(&browser, 2);
    drop_file(&browser, "rule.sgf", "'(;GM[4]SZ[15]RU[Klingon];B[hh])'");
    stones(&browser, 1);
    says("Klingon");
    press_said(&browser, "Bring back the last game");
    stones(&browser, 2);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The first game was opened, and the others were out of reach but by the menu.
#[test]
fn a_dropped_file_of_several_games_offers_the_others() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let games = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[hh];W[ii];B[jj])";
    drop_file(&browser, "games.sgf", &format!("'{games}'"));
    stones(&browser, 1);
    let alert = "document.getElementById('alert').textContent";
    browser.wait(&format!("{alert}.startsWith('game 1 of 3')"));
    for (count, at) in [(2, "2"), (3, "3")] {
        press_said(&browser, "Another game");
        browser.wait(&format!(
            "document.querySelector('dialog input').value === '{at}'"
        ));
        browser.run("document.querySelector('dialog .main').click()");
        stones(&browser, count);
        browser.wait(&format!("{alert}.includes('game {at} of 3')"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A folder that was dropped once brought no word, and the dialogue waited for ever for a file
/// that was gone.
#[test]
fn the_error_of_an_unreadable_file_is_shown() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    // A browser reads neither.
    browser.run(
        "FileReader.prototype.readAsDataURL = function () {
             setTimeout(() => this.dispatchEvent(new ProgressEvent('error')));
         };",
    );
    drop_file(&browser, "folder", "''");
    browser.wait("document.getElementById('alert').textContent === \"This can't be read\"");
    browser.press("Open");
    browser.run(
        "const transfer = new DataTransfer();
         transfer.items.add(new File(['a1'], 'gone.txt'));
         document.querySelector('dialog [type=file]').files = transfer.files;
         document.querySelector('dialog .main').click();",
    );
    browser
        .wait("document.querySelector('dialog .refusal').textContent === \"This can't be read\"");
    browser.wait("document.querySelector('dialog .main').ariaDisabled === null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A position, a link and a picture took a dialogue and a format each.
#[test]
fn one_key_or_button_copies_and_shares() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run(
        "navigator.share = async (shared) => { window.shared = shared; };
         navigator.canShare = () => true;
         const write = async ([item]) => {
             const [type] = item.types;
             const blob = await item.getType(type);
             window.copied = type === 'image/png' ? `picture ${blob.size > 1000}` : await blob.text();
         };
         Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { write } });",
    );
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9"]);
    let copied = |text: &str| {
        browser.wait(&format!("window.copied?.endsWith({})", json!(text)));
        browser.run("window.copied = ''");
    };
    browser.keys(&['c']);
    copied("15 freestyle h8i9");
    alert(&browser, "Copied");
    browser.keys(&['l']);
    copied("#15/freestyle/h8i9");
    alert(&browser, "works only here, while it runs");
    browser.keys(&['p']);
    copied("picture true");
    browser.press("Export");
    browser.press("Copy the position");
    copied("15 freestyle h8i9");
    browser.press("Copy a link");
    copied("#15/freestyle/h8i9");
    browser.press("Copy the picture");
    copied("picture true");
    browser.press("Share");
    browser.wait("window.shared?.files[0].size > 1000");
    assert_eq!(
        browser.run("return [window.shared.text, window.shared.url ?? '']"),
        // A link to this machine is of no use elsewhere.
        json!(["15 freestyle h8i9", ""])
    );
    browser.press("Close");
    // Without TLS there is the old way for texts, and the picture to copy by its menu.
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    browser.run("document.getElementById('alert').textContent = ''");
    browser.keys(&['c']);
    alert(&browser, "Copied");
    browser.keys(&['p']);
    browser.wait("document.querySelector('dialog img').naturalWidth > 1000");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn names_event_date_and_result_are_edited() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9"]);
    browser.keys(&['i']);
    for (field, value) in [
        ("Black", "Ann"),
        ("White", "Bob"),
        ("Event", "Cup"),
        ("Date", "2026-11-30"),
        ("Result", "W+"),
    ] {
        browser.fill(field, value);
    }
    browser.press("Save");
    browser.wait("!document.querySelector('dialog')");
    status(&browser, "White wins");
    let players = "document.querySelector('#players').innerText";
    browser.wait(&format!(
        "{players}.includes('Black: Ann') && {players}.includes('White: Bob')"
    ));
    browser.reload();
    browser.wait(READY);
    browser.press("Export");
    let content = "document.querySelector('dialog textarea').value";
    for part in ["PB[Ann]", "PW[Bob]", "EV[Cup]", "DT[2026-11-30]", "RE[W+]"] {
        browser.wait(&format!("{content}.includes({})", json!(part)));
    }
    browser.press("Close");
    // The button opens it too; a result is taken back, and what the stones decide is not.
    browser.press("Game");
    browser.wait("document.querySelector('dialog input[type=date]').value === '2026-11-30'");
    browser.fill("Result", "");
    browser.press("Save");
    status(&browser, "Black to move");
    open(&browser, "15 freestyle a1a2b1b2c1c2d1d2e1");
    status(&browser, "Black wins");
    browser.press("Game");
    browser.fill("Result", "W+");
    browser.press("Save");
    browser.wait("document.querySelector('dialog .refusal').textContent === 'The game is over'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn an_opening_of_renju_has_its_name() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    let detail = "document.getElementById('detail').textContent";
    let top = "return document.getElementById('actions').getBoundingClientRect().top";
    place(&browser, &["h8", "h9"]);
    let before = browser.run(top);
    browser.click("i10");
    browser.wait(&format!("{detail} === 'D2 Keigetsu'"));
    assert_eq!(browser.run(top), before);
    browser.press("One move back");
    browser.wait(&format!("{detail} === ''"));
    browser.press("One move forward");
    browser.wait(&format!("{detail} === 'D2 Keigetsu'"));
    browser.go(&format!("{}?lang=ja", server.url()));
    browser.wait(&format!("{detail} === 'D2 溪月'"));
    browser.run("location.hash = '15/freestyle/h8i9i7'");
    browser.wait(&format!("{detail} === 'I7 浦月'"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_time_of_ones_own_is_chosen() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let conditions = "document.getElementById('conditions').textContent";
    begin(
        &browser,
        &[
            PERSONS,
            ("Time", ""),
            ("Minutes", "7"),
            ("Seconds a move", "3"),
        ],
    );
    browser.wait(&format!("{conditions}.endsWith('7 min + 3 s a move')"));
    // Black's clock runs already.
    browser.wait("document.querySelector('time[data-color=white]').textContent === '7:00'");
    // It is offered again. Without minutes it is the engine's time.
    begin(&browser, &[("Minutes", "0"), ("Seconds a move", "0.3")]);
    browser.wait(&format!("{conditions}.endsWith('0.3 s a move')"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
