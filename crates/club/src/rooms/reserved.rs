//! Names that no person may take, because they would be mistaken for the program, an engine's
//! level or the people who run the club, in any language of the page.

use super::name::{letters, looks};
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
    "anyplayer",
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
];

/// The looks of some names.
fn looks_of(names: &[&[&str]]) -> HashSet<String> {
    names.concat().iter().flat_map(|name| looks(name)).collect()
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
    let is_whole = looks(&bare).iter().any(|it| whole.contains(it));
    let has_part = || {
        looks(name)
            .iter()
            .any(|it| parts[at].iter().any(|part| it.contains(part)))
    };
    let is_word = |word: &String| looks(word).iter().any(|it| words[at].contains(it));
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
    // Digits that stand for letters, such as `Adm1n`, do not divide a word.
    let replaced: String = name
        .chars()
        .map(|c| if c == '1' { 'i' } else { c })
        .collect();
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
