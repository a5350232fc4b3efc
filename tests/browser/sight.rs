//! What a person sees is true, said once, and never out of sight.

use crate::board_server::BoardServer;
use crate::driver::{Browser, Window};
use crate::{PERSONS, READY, begin, open, status, stones, visit};

const ALERT: &str = "document.getElementById('alert')";

/// Waits until the alert has these words.
fn alert(browser: &Browser, text: &str) {
    browser.wait(&format!("{ALERT}.textContent.includes('{text}')"));
}

/// The player, then the one who acts, as the panel has them.
fn players(browser: &Browser) -> String {
    let names = "return [...document.querySelectorAll('.player .name')].map(({ textContent }) => textContent).join('|')";
    browser.run(names).as_str().unwrap().to_owned()
}

/// The engine once took a colour without a word, and the panel said the opposite until the
/// fifth stone.
#[test]
fn what_the_engine_chose_is_shown_and_said() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[("Rule", "renju"), ("Opening", "soosorv"), ("Level", "0")],
    );
    assert!(players(&browser).starts_with("Begins: You|Answers: Engine"));
    // The engine's own move may follow its choice at once.
    browser.run(
        "window.heard = '';
         const spoken = document.getElementById('spoken');
         new MutationObserver(() => { window.heard += spoken.textContent; })
             .observe(spoken, { childList: true });",
    );
    for (at, point) in ["h8", "h9", "i10"].into_iter().enumerate() {
        stones(&browser, at);
        browser.click(point);
    }
    browser.wait("document.getElementById('chosen').textContent !== ''");
    let chosen = browser.run("return document.getElementById('chosen').textContent");
    let owners = match chosen.as_str().unwrap() {
        "Engine chose black" => ["Black: Engine", "White: You"],
        "Engine chose white" => ["Black: You", "White: Engine"],
        other => panic!("{other}"),
    };
    browser.wait("document.querySelectorAll('.player .dot:is(.black, .white)').length === 2");
    let shown = players(&browser);
    for (row, owner) in shown.split('|').zip(owners) {
        assert!(row.starts_with(owner), "{shown}");
    }
    browser.wait("window.heard.includes('Engine chose')");
}

/// After the program had ended once and was there again, its next end was silent.
#[test]
fn a_program_that_is_gone_is_never_silent() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let (_, port) = server.address.split_once(':').unwrap();
    let port = port.to_owned();
    browser.press("Settings");
    browser.press("Stop the program");
    alert(&browser, "The program has ended");
    drop(server);
    let server = BoardServer::start_with_port(&port);
    browser.wait(&format!("{ALERT}.hidden"));
    drop(server);
    alert(&browser, "does not answer");
    browser.press("New game");
    browser.press("Start");
    browser.wait("document.querySelector('.refusal').textContent.includes('does not answer')");
    assert_eq!(
        browser.run("return document.querySelector('dialog .main').disabled"),
        false
    );
    browser.press("Cancel");
    browser.press("Export");
    browser
        .wait("document.querySelector('dialog .refusal').textContent.includes('does not answer')");
    browser.press("Close");
    let _server = BoardServer::start_with_port(&port);
    browser.wait(&format!("{ALERT}.hidden"));
    begin(&browser, &[PERSONS]);
}

/// At 200 % of 1280 by 800 the board once had 208 points of the page, and 707 without zoom.
#[test]
fn zooming_enlarges_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let width = |zoom: f64| {
        browser.resize((1280.0 / zoom) as u32, (800.0 / zoom) as u32);
        let width =
            browser.run("return document.querySelector('svg.board').getBoundingClientRect().width");
        width.as_f64().unwrap() * zoom
    };
    let widths = [1.0, 1.25, 1.5, 1.75, 2.0].map(width);
    assert!(widths[0] > 650.0, "{widths:?}");
    for wider in &widths[1..] {
        assert!(*wider >= widths[0] * 0.95, "{widths:?}");
    }
    assert!(widths[4] > 1.5 * widths[0], "{widths:?}");
}

#[test]
fn a_finished_game_is_analysed_and_a_line_is_played() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii])");
    status(&browser, "Black wins");
    browser.press("Analyse");
    // The first iterations have lines of one move, and a line may change before a click that
    // comes later: its length is looked at where it is clicked.
    browser.wait(
        "(() => {
            const line = document.querySelector('.best-line');
            const isLong = line?.textContent.trim().split(/\\s+/).length > 4;
            if (isLong) line.click();
            return isLong;
        })()",
    );
    stones(&browser, 3);
    browser.wait("document.querySelectorAll('.move').length > 4");
    browser.press("First position");
    stones(&browser, 0);
    browser.press("Last position");
    browser.press("One move back");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A step that was faster than the answer to the one before was once lost.
#[test]
fn steps_go_as_far_as_they_were_asked_for() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9h9h7g8i8");
    stones(&browser, 6);
    // All of it within the page, before anything is answered.
    let press = |keys: &str| {
        browser.run(&format!(
            "for (const key of [{keys}]) {{
                 document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));
             }}"
        ));
    };
    press("'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight'");
    stones(&browser, 2);
    press("'Home', 'ArrowRight'");
    stones(&browser, 1);
    let click = |step: &str| {
        browser.run(&format!(
            "for (let i = 0; i < 3; i += 1) document.querySelector('[data-name={step}]').click()"
        ));
    };
    click("next");
    stones(&browser, 4);
    click("previous");
    stones(&browser, 1);
    // After anything else, steps go on from the position that is shown. Undo steps one move in an
    // opened game.
    press("'End', 'u'");
    stones(&browser, 5);
    press("'ArrowLeft'");
    stones(&browser, 4);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn taking_a_resignation_back_is_said() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Resign");
    browser.run("document.querySelector('dialog .main').click()");
    status(&browser, "Black wins");
    browser.press("Undo");
    status(&browser, "White to move");
    alert(&browser, "taken back");
}

/// The focus once fell from a button that was disabled, and the board was two stops of the
/// tab key.
#[test]
fn the_focus_stays_and_the_board_is_one_stop() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.run("document.querySelector('#actions [data-name=undo]').focus()");
    browser.keys(&['\u{e007}']);
    stones(&browser, 0);
    browser.wait("document.querySelector('#actions [data-name=undo]').getAttribute('aria-disabled') === 'true'");
    browser.wait("document.activeElement.dataset.name === 'undo'");
    browser.run("document.querySelector('[data-name=help]').focus()");
    browser.keys(&['\u{e004}', '\u{e004}']);
    browser.wait("document.activeElement.dataset.name === 'undo'");
}

/// A remark that is being typed outlives a reload.
#[test]
fn a_remark_is_kept_while_it_is_typed() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.run(
        "const field = document.querySelector('#game textarea'); field.focus(); field.value = 'half a remark'; \
         field.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    browser.wait("localStorage.getItem('quincunx.game').includes('half a remark')");
    browser.reload();
    browser.wait("document.querySelector('#game textarea').value === 'half a remark'");
}

/// A click while the engine thinks once did nothing. It is a move in advance.
#[test]
fn a_click_while_the_engine_thinks_is_played_after_its_move() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let shown = "document.querySelectorAll('.premove .disc').length";
    let long = r#"{"game_ms":1800000,"increment_ms":0}"#;
    begin(&browser, &[("Time", long), ("Level", "100")]);
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    browser.click("a1");
    alert(&browser, "a1 is played after the engine");
    browser.wait(&format!("{shown} === 1"));
    browser.press("Settings");
    browser.wait(&format!(
        "document.querySelector('dialog').contains({ALERT})"
    ));
    browser.press("Close");
    browser.click("a1");
    alert(&browser, "cancelled");
    browser.wait(&format!("{shown} === 0"));
    // It is given up with the move that it was to follow.
    browser.click("a1");
    browser.wait(&format!("{shown} === 1"));
    browser.press("Undo");
    stones(&browser, 0);
    browser.wait(&format!("{shown} === 0"));
    begin(
        &browser,
        &[("Time", r#"{"turn_ms":2000}"#), ("Level", "100")],
    );
    // In the page: the engine must not move first. It is played also where clicks put labels.
    browser.run(
        "const click = (point) => document.querySelector(`[data-point=${point}]`)
             .dispatchEvent(new MouseEvent('click', { bubbles: true }));
         const observer = new MutationObserver(() => {
             if (!document.querySelector('.spinner')) return;
             observer.disconnect();
             click('a1');
             document.querySelector('button[data-name=label]').click();
         });
         observer.observe(document.querySelector('#players'), { childList: true, subtree: true });
         click('h8');",
    );
    browser.wait("document.querySelectorAll('.stone').length >= 3");
    assert_eq!(browser.label("a1").1, "a1, black, move 3");
    assert_eq!(browser.complaints(), Vec::<String>::new());
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

/// A tab once kept its clock beside the game of another.
#[test]
fn a_tab_keeps_all_parts_of_its_game() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[
            PERSONS,
            ("Time", r#"{"game_ms":180000,"increment_ms":2000}"#),
        ],
    );
    let clock = browser.run("return sessionStorage.getItem('quincunx.left')");
    browser.run("localStorage.setItem('quincunx.game', 'that of another tab')");
    // A clock that runs is no reason to replace it.
    browser.wait(&format!(
        "sessionStorage.getItem('quincunx.left') !== {clock}"
    ));
    let kept = browser.run("return localStorage.getItem('quincunx.game')");
    assert_eq!(kept, "that of another tab");
    browser.click("h8");
    browser.wait(
        "['game', 'node', 'left'].map((part) => `quincunx.${part}`)
             .every((part) => localStorage.getItem(part) === sessionStorage.getItem(part))",
    );
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

/// What is looked at together is in sight together, in windows of all sizes.
#[test]
fn the_panel_has_room_for_all_of_it() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7i10i11h9");
    stones(&browser, 6);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    for (width, height) in [(1280, 800), (900, 700), (3840, 2160)] {
        browser.resize(width, height);
        for part in [
            ".best-line",
            "#game .moves",
            "#game textarea",
            "[data-name=last]",
        ] {
            let seen = browser.run(&format!(
                "const part = document.querySelector('{part}').getBoundingClientRect();
                 const panel = document.querySelector('#panel').getBoundingClientRect();
                 const isLine = '{part}' === '.best-line';
                 return [part.bottom - (isLine ? panel.bottom : innerHeight), part.top, part.height > 20];"
            ));
            assert!(
                seen[0].as_f64() <= Some(0.0) && seen[1].as_f64() > Some(0.0) && seen[2] == true,
                "{part} of {width}x{height}: {seen}"
            );
        }
    }
    browser.resize(360, 740);
    let seen = browser.run(
        "const of = (name) => document.querySelector(name).getBoundingClientRect();
         return [of('header').height, of('.best-line').bottom, of('svg.board').width,
             document.documentElement.scrollWidth];",
    );
    assert!(seen[0].as_f64() < Some(60.0), "one row: {seen}");
    assert!(seen[1].as_f64() <= Some(740.0), "the first line: {seen}");
    assert!(seen[2].as_f64() >= Some(340.0), "the board: {seen}");
    assert_eq!(seen[3], 360);
    // The bar stands beside boards that are high or wide.
    for size in ["13x19", "5x22", "22x5"] {
        browser.resize(1280, 800);
        begin(&browser, &[PERSONS, ("Size", size)]);
        let seen = browser.run(
            "const bar = document.querySelector('#bar').getBoundingClientRect();
             const plate = document.querySelector('.plate').getBoundingClientRect();
             return [plate.left - bar.right, Math.abs(plate.height - bar.height), plate.bottom];",
        );
        assert!(seen[0].as_f64() < Some(20.0), "{size}: {seen}");
        assert!(seen[1].as_f64() < Some(20.0), "{size}: {seen}");
        assert!(seen[2].as_f64() <= Some(800.0), "{size}: {seen}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
