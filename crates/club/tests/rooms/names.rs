//! Names that are refused, and names that are easily confused.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{create, make_bot, rename, unrated};
use quincunx_club::rooms::{ClubRequest, Limits, VisitorId};
use tempfile::TempDir;

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
        club.say(ANNA, &rename(name));
        assert_eq!(club.error(ANNA), "name_taken", "{name}");
    }
    // An engine is marked: its name may say that it is one, but it has no level.
    club.say(ANNA, &rename("Anna"));
    club.say(ANNA, &make_bot("Engine 100"));
    assert_eq!(club.error(ANNA), "name_taken");
    club.say(ANNA, &make_bot("Engine of Anna"));
    assert_eq!(club.token(ANNA).0, "Engine of Anna");
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
        club.say(visitor, &rename(name));
    }
    let create = create(unrated());
    let alike = |club: &mut Tester, visitor: VisitorId| {
        club.say(visitor, &create);
        let alike = club.player(visitor, 0).alike.clone();
        club.say(visitor, &ClubRequest::Close);
        alike
    };
    // Two at most, those with the most games first, and none where there is none.
    assert_eq!(alike(&mut club, BELA), ["An na-2", "Anna"]);
    assert!(alike(&mut club, VisitorId(5)).is_empty());
    club.say(VisitorId(4), &rename("Carl"));
    club.say(ANNA, &rename("Dora"));
    assert_eq!(alike(&mut club, BELA), ["Anna1"]);
    assert!(alike(&mut club, ANNA).is_empty());
}
