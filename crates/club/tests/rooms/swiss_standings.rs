//! A Swiss evening of seven: one never comes, one leaves after the second round, one enters
//! late, and a result is corrected. The standings are compared with those worked out by hand,
//! and with a second calculation from the table of pairings alone.

use crate::messages::{correct_result, rename};
use crate::tournament::{Evening, NAMES, visitor};
use quincunx_club::rooms::{TournamentMessage, TournamentTable};
use quincunx_pairing::{PairingResult, Score, System};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// Who does what.
const ABSENT: usize = 4;
const LEAVER: usize = 3;
const LATE: usize = 6;

/// A line of the standings: place, name, points, Buchholz, Sonneborn-Berger, direct games.
type Line = (usize, String, [f64; 4]);

/// Plays the last round: the player with the larger number resigns, and the absent one's
/// opponent waits.
fn play_round(evening: &mut Evening) {
    for table in evening.tables() {
        let (first, second, room) = &table;
        match room {
            Some(room) if [*first, *second].contains(&ABSENT) => {
                let here = if *first == ABSENT { *second } else { *first };
                evening.enter(here, *room);
            }
            _ => evening.play(&table),
        }
    }
}

fn csv(evening: &Evening, table: TournamentTable) -> Vec<Vec<String>> {
    let text = evening.club.club.tournament_table(evening.id, table);
    let text = text.unwrap();
    // Decimals are guarded against spreadsheets that read dates.
    let bare = |cell: &str| cell.trim_start_matches('\u{200b}').to_owned();
    let fields = |line: &str| line.split(',').map(bare).collect();
    text.lines().skip(1).map(fields).collect()
}

fn standings(evening: &Evening) -> Vec<Line> {
    let number = |text: &String| text.parse::<f64>().unwrap();
    let line = |row: &Vec<String>| {
        let values = [2, 3, 4, 5].map(|column| number(&row[column]));
        (row[0].parse().unwrap(), row[1].clone(), values)
    };
    let rows = csv(evening, TournamentTable::Standings);
    rows.iter().map(line).collect()
}

/// The same from the pairings.
fn reckoned(evening: &Evening) -> Vec<Line> {
    // What each has of every round: the opponent, the points, and whether a game was played.
    let mut rounds: BTreeMap<String, Vec<(Option<String>, f64, bool)>> = BTreeMap::new();
    let mut last = 0;
    for row in csv(evening, TournamentTable::Pairings) {
        let [first, second] = [row[2].clone(), row[3].clone()];
        let was_played = row[6] == "played";
        last = row[0].parse().unwrap();
        let against = |other: &String| (!other.is_empty()).then(|| other.clone());
        let points = |column: usize| row[column].parse().unwrap_or(0.0);
        rounds
            .entry(first.clone())
            .or_default()
            .push((against(&second), points(4), was_played));
        if !second.is_empty() {
            rounds
                .entry(second)
                .or_default()
                .push((against(&first), points(5), was_played));
        }
    }
    for rounds in rounds.values_mut() {
        rounds.resize(last, (None, 0.0, false));
    }
    let points = |name: &str| -> f64 { rounds[name].iter().map(|(_, points, _)| points).sum() };
    let opposing = |name: &str, opponent: &Option<String>| match opponent {
        Some(opponent) => points(opponent),
        None => points(name),
    };
    let ranks = |name: &str| {
        let own = &rounds[name];
        let buchholz: f64 = own.iter().map(|(other, ..)| opposing(name, other)).sum();
        let berger = own
            .iter()
            .map(|(other, won, _)| won * opposing(name, other));
        [points(name), buchholz, berger.sum()]
    };
    let lines = rounds.keys().map(|name| {
        let own = ranks(name);
        let is_tied = |other: &Option<String>| other.as_ref().is_some_and(|it| ranks(it) == own);
        let direct: f64 = rounds[name]
            .iter()
            .filter(|(other, _, was_played)| *was_played && is_tied(other))
            .map(|(_, points, _)| points)
            .sum();
        (name.clone(), [own[0], own[1], own[2], direct])
    });
    let lines: Vec<(String, [f64; 4])> = lines.collect();
    let place = |values: &[f64; 4]| 1 + lines.iter().filter(|(_, other)| other > values).count();
    let mut placed: Vec<Line> = lines
        .iter()
        .map(|(name, values)| (place(values), name.clone(), *values))
        .collect();
    placed.sort_by(|one, other| one.partial_cmp(other).unwrap());
    placed
}

#[test]
fn standings_of_seven_are_right_by_hand() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 6, System::Swiss { rounds: 4 });
    evening.club.club.leave(evening.now, visitor(ABSENT));
    evening.say(0, TournamentMessage::BeginTournament);
    play_round(&mut evening);
    evening.wait(300);
    evening.arrive(LATE);
    evening.say(LATE, rename(NAMES[LATE]));
    evening.look(LATE);
    evening.say(LATE, TournamentMessage::JoinTournament);
    evening.wait(60);
    play_round(&mut evening);
    evening.look(LEAVER);
    evening.say(LEAVER, TournamentMessage::Withdraw);
    for _ in 3..=4 {
        evening.wait(60);
        play_round(&mut evening);
    }
    evening.look(0);
    evening.say(0, correct_result(1, 1, PairingResult::Played(Score::Draw)));
    evening.wait(60);
    // Anna drew with Dora, and beat Béla, Carl and Gyula: 3½ points. Her opponents have ½, 3, 2
    // and 1: Buchholz 6½; half of Dora's ½ and all of the others': Sonneborn-Berger 6¼. Béla
    // has three points, one of them for Emil, who did not come and has none: 0 + 3½ + 2 + 2. Rounds
    // that Dora, Emil and Gyula missed count as games against equals. Carl and Fritz have two each, and part by Buchholz.
    let by_hand: [(&str, [f64; 3]); 7] = [
        ("Anna", [3.5, 6.5, 6.25]),
        ("Béla", [3.0, 7.5, 4.0]),
        ("Carl", [2.0, 9.0, 2.5]),
        ("Fritz", [2.0, 8.0, 3.0]),
        ("Gyula", [1.0, 7.5, 1.0]),
        ("Dora", [0.5, 6.5, 1.75]),
        ("Emil", [0.0, 3.0, 0.0]),
    ];
    let by_hand = (1..)
        .zip(by_hand)
        .map(|(place, (name, [points, buchholz, berger]))| {
            (place, name.to_owned(), [points, buchholz, berger, 0.0])
        });
    assert_eq!(standings(&evening), by_hand.collect::<Vec<Line>>());
    let mut shown = standings(&evening);
    shown.sort_by(|one, other| one.partial_cmp(other).unwrap());
    assert_eq!(shown, reckoned(&evening));
}
