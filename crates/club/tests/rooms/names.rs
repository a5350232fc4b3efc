//! Names that are refused, and names that are easily confused.

use crate::club::{ANNA, BELA, START, Tester};
use crate::{MINUTE, setup};
use quincunx_club::rooms::{Limits, VisitorId};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use tempfile::TempDir;

fn rename(club: &mut Tester, visitor: VisitorId, name: &str) {
    club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
}

/// "Engine 100" and "Admin" were once free, in any language of the page.
#[test]
fn no_visitor_is_called_like_the_program_or_its_people() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    for name in [
        "Engine 100",
        "Admin",
        "Server",
        "Organiser",
        "エンジン 100",
        "管理员",
        "Máy 100",
    ] {
        rename(&mut club, ANNA, name);
        assert_eq!(club.last(ANNA, "error")["code"], "name_taken", "{name}");
    }
    // An engine is marked: its name may say that it is one, but it has no level.
    rename(&mut club, ANNA, "Anna");
    club.receive(
        START,
        ANNA,
        &json!({ "type": "make_bot", "name": "Engine 100" }),
    );
    assert_eq!(club.last(ANNA, "error")["code"], "name_taken");
    club.receive(
        START,
        ANNA,
        &json!({ "type": "make_bot", "name": "Engine of Anna" }),
    );
    assert_eq!(club.last(ANNA, "token")["name"], "Engine of Anna");
}

/// A visitor who sat down beside Ánna could once not know that she is not Anna.
#[test]
fn names_that_are_easily_confused_are_named() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    for (number, name) in ["Anna", "Ánna", "Anna1", "An na-2", "Bela"]
        .into_iter()
        .enumerate()
    {
        let visitor = VisitorId(number as u64 + 1);
        club.arrive(START, visitor);
        rename(&mut club, visitor, name);
    }
    let create =
        json!({ "type": "create", "seat": "first", "setup": setup(OpeningRule::Free, MINUTE) });
    let alike = |club: &mut Tester, visitor: VisitorId| {
        club.receive(START, visitor, &create);
        let alike = club.last(visitor, "room")["seats"][0]["alike"].clone();
        club.receive(START, visitor, &json!({ "type": "close" }));
        alike
    };
    // Two at most, those with the most games first, and none where there is none.
    assert_eq!(alike(&mut club, BELA), json!(["An na-2", "Anna"]));
    assert_eq!(alike(&mut club, VisitorId(5)), Value::Null);
    rename(&mut club, VisitorId(4), "Carl");
    rename(&mut club, ANNA, "Dora");
    assert_eq!(alike(&mut club, BELA), json!(["Anna1"]));
    assert_eq!(alike(&mut club, ANNA), Value::Null);
}
