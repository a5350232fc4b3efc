//! Names that no person may take, because they would be mistaken for the program, an engine's
//! level or the people who run the club, in any language of the page.

use super::name::{is_marked, letters, looks, outline};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words for the people and the programs that run a club, which no name has among its words.
const OFFICES: &[&str] = &[
    "server",
    "system",
    "admin",
    "administrator",
    "moderator",
    "organiser",
    "organizer",
    "arbiter",
    "referee",
    "сервер",
    "система",
    "админ",
    "администратор",
    "модератор",
    "устроитель",
    "организатор",
    "судья",
    "судьи",
    "арбитр",
];

/// Words for engines, which only names of engines have among their words.
const ENGINES: &[&str] = &[
    "engine",
    "quincunx",
    "computer",
    "программа",
    "движок",
    "компьютер",
];

/// The same in languages without blanks between words, and in several words: no name has them
/// anywhere.
const PARTS_OF_OFFICES: &[&str] = &[
    "服务器",
    "伺服器",
    "系统",
    "系統",
    "管理员",
    "管理員",
    "管理者",
    "版主",
    "组织者",
    "組織者",
    "主办者",
    "主辦者",
    "裁判",
    "サーバ",
    "システム",
    "モデレータ",
    "主催者",
    "審判",
    "서버",
    "시스템",
    "관리자",
    "운영자",
    "주최자",
    "심판",
    "máychủ",
    "hệthống",
    "quảntrị",
    "điềuhành",
    "ngườitổchức",
    "bantổchức",
    "trọngtài",
    "formerplayer",
    "бывшийигрок",
    "以前的棋手",
    "以前の対局者",
    "이전대국자",
    "ngườichơicũ",
    "anyplayer",
    "ктопридёт",
    "任何人",
    "誰でも",
    "누구나",
    "bấtkỳai",
];

/// The same for engines.
const PARTS_OF_ENGINES: &[&str] = &[
    "引擎",
    "电脑",
    "電腦",
    "エンジン",
    "コンピュータ",
    "엔진",
    "컴퓨터",
    "máytính",
];

/// Names that are reserved as a whole, with or without a number: as words among others they are
/// part of common names.
const WHOLE: &[&str] = &[
    "máy",
    "host",
    "bot",
    "player",
    "игрок",
    "人",
    "사람",
    "người",
    "bye",
    "свободен",
    "轮空",
    "輪空",
    "不戦勝",
    "부전승",
    "miễnđấu",
];

/// The endings of regular plurals.
const PLURALS: [char; 3] = ['s', 'ы', 'и'];

/// The looks and outlines of reserved names. One that has accents has no outline: without them it may
/// be a common name.
fn looks_of(names: &[&[&str]]) -> HashSet<String> {
    let look = |name: &&str| {
        let outline = (!is_marked(name)).then(|| outline(name));
        looks(name).into_iter().chain(outline)
    };
    names.concat().iter().flat_map(look).collect()
}

/// The letter that a digit stands for in names such as `Adm1n`.
const fn letter_of(digit: char) -> char {
    match digit {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        _ => digit,
    }
}

/// The looks and the outline of a name and of its singular, by which it is compared with reserved
/// names.
fn compared(name: &str) -> impl Iterator<Item = String> {
    let singular = letters(name).strip_suffix(PLURALS).map(str::to_owned);
    let forms = [Some(name.to_owned()), singular].into_iter().flatten();
    forms.flat_map(|form| looks(&form).into_iter().chain([outline(&form)]))
}

/// The looks of reserved names: whole ones, words and parts, for people and for engines.
struct Looks {
    whole: HashSet<String>,
    words: [HashSet<String>; 2],
    parts: [HashSet<String>; 2],
}

static LOOKS: LazyLock<Looks> = LazyLock::new(|| Looks {
    whole: looks_of(&[OFFICES, ENGINES, PARTS_OF_ENGINES, WHOLE]),
    words: [looks_of(&[OFFICES, ENGINES]), looks_of(&[OFFICES])],
    parts: [
        looks_of(&[PARTS_OF_OFFICES, PARTS_OF_ENGINES]),
        looks_of(&[PARTS_OF_OFFICES]),
    ],
});

/// Returns true if a name would be mistaken for the program or for the people who run the club. Accounts
/// of engines, which are marked, may have words for engines among others.
pub(super) fn is_reserved(name: &str, is_engine: bool) -> bool {
    let Looks {
        whole,
        words,
        parts,
    } = &*LOOKS;
    let at = usize::from(is_engine);
    let bare: String = name.chars().filter(|c| !c.is_numeric()).collect();
    let is_whole = compared(&bare).any(|it| whole.contains(&it));
    let has_part = || compared(name).any(|it| parts[at].iter().any(|part| it.contains(part)));
    let is_word = |word: &String| compared(word).any(|it| words[at].contains(&it));
    is_whole || has_part() || split(name).iter().any(is_word)
}

/// The words of a name: parts between blanks and signs, and where digits or capitals begin.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let is_capital = before.is_lowercase() && c.is_uppercase();
        if !c.is_alphanumeric() || c.is_numeric() != before.is_numeric() || is_capital {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.push(c);
        }
        before = c;
    }
    // Digits that stand for letters do not divide a word.
    let replaced: String = name.chars().map(letter_of).collect();
    words.extend(
        replaced
            .split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned),
    );
    words.retain(|word| !letters(word).is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_person_is_called_like_the_program() {
        for name in [
            "Engine",
            "engine 100",
            "Engine100",
            "E n g i n e",
            "My-Engine",
            "ENGINE.7",
            "Еngine",
            "Admin",
            "Adm1n",
            "club admin",
            "Admin Anna",
            "AdminAnna",
            "Admin_2",
            "Administrator",
            "Server",
            "The Server",
            "Organiser",
            "organizer 1",
            "Quincunx 100",
            "Программа 100",
            "Админ",
            "Сервер",
            "Организатор",
            "引擎 100",
            "系统管理员",
            "服务器",
            "主辦者",
            "エンジン 100",
            "管理者A",
            "サーバー",
            "엔진 100",
            "관리자",
            "서버",
            "Máy 100",
            "Máy",
            "Máy chủ",
            "Quản trị viên",
            "Người tổ chức",
            "Former player",
            "Former player 3",
            "Engíne 100",
            "Éngine",
            "Engin3",
            "3ngine",
            "Âdmin",
            "4dmin",
            "Addmin",
            "Sêrver",
            "S3rver 2",
            "Admins",
            "Organisers",
            "Árbiters",
            "Players",
            "Серверы",
            "Судьи",
            "Бывший игрок",
            "以前的棋手",
            "以前の対局者",
            "이전 대국자",
            "Người chơi cũ",
            "Bye",
            "Свободен",
            "轮空",
            "輪空",
            "不戦勝",
            "부전승",
            "Miễn đấu",
            "Кто придёт",
            "誰でも",
        ] {
            assert!(is_reserved(name, false), "{name}");
        }
    }

    #[test]
    fn engines_may_be_called_engines() {
        for (name, is_free) in [
            ("Engine of Anna 2", true),
            ("Engine 100", false),
            ("Engine Admin", false),
            ("引擎 100", false),
            ("我的引擎", true),
        ] {
            assert_eq!(is_reserved(name, true), !is_free, "{name}");
        }
    }

    #[test]
    fn ordinary_names_are_free() {
        for name in [
            "Anna",
            "Engineer",
            "Adminova",
            "Serverin",
            "Béla 2",
            "Systema",
            "Mayer",
            "Mây",
            "Botond",
            "May Chu",
            "Byela",
            "Anna 5",
            "Ann4",
            "Jens",
            "Hostess",
            "Anna Hostova",
            "Nguyễn Máy May",
            "Иван",
            "ベラー",
            "벨라",
            "五子棋 3",
        ] {
            assert!(!is_reserved(name, false), "{name}");
        }
    }
}
