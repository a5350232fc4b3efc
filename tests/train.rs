//! Self-play and fitting from end to end, on games small enough for a test.

#![allow(clippy::unwrap_used)]

use quincunx::eval::{Classical, EvalTables};
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Rule};
use quincunx::threats::{Outlook, outlook};
use quincunx::train::layout::Layout;
use quincunx::train::record::{Game, HEADER, Reader};
use quincunx::train::samples::{Sampler, Samples};
use quincunx::train::selfplay::{Player, Settings};
use quincunx::train::tune::{self, Event, Given, Options};
use quincunx::train::values::Model;
use quincunx::train::{run, text};
use std::path::PathBuf;

fn settings(rule: Rule, seed: u64) -> Settings {
    Settings {
        rule,
        sizes: vec![
            BoardSize::square(9).unwrap(),
            BoardSize::square(12).unwrap(),
        ],
        nodes: 60,
        seed,
    }
}

/// A path of its own for a test, with nothing there.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("quincunx-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn read(bytes: &[u8]) -> Vec<Game> {
    let mut reader = Reader::new(bytes).unwrap();
    std::iter::from_fn(|| reader.next_game().unwrap()).collect()
}

#[test]
fn a_run_gives_the_same_bytes_however_it_went() {
    let settings = settings(Rule::Renju, 7);
    let (whole, cut) = (path("whole"), path("cut"));
    run::run(&settings, 12, 1, &whole, |_| {}).unwrap();
    let expected = std::fs::read(&whole).unwrap();
    assert_eq!(read(&expected).len(), 12);
    for length in [
        0,
        5,
        HEADER,
        HEADER + 3,
        expected.len() / 2,
        expected.len() - 1,
    ] {
        std::fs::write(&cut, &expected[..length]).unwrap();
        let progress = run::run(&settings, 12, 3, &cut, |_| {}).unwrap();
        assert_eq!(progress.games, 12);
        assert!(std::fs::read(&cut).unwrap() == expected, "cut at {length}");
    }
    let other = Settings {
        seed: 8,
        ..settings
    };
    let error = run::run(&other, 12, 1, &cut, |_| {}).unwrap_err();
    assert!(format!("{error:#}").contains("another run"), "{error:#}");
    std::fs::remove_file(whole).unwrap();
    std::fs::remove_file(cut).unwrap();
}

#[test]
fn games_are_legal_and_end_where_they_should() {
    for rule in Rule::ALL {
        let mut player = Player::new(settings(rule, 3));
        for number in 0..6 {
            let game = player.play(number);
            let mut position = Position::new(rule, game.size);
            for &point in &game.opening {
                assert!(position.is_legal(point));
                position.play(point);
            }
            for ply in &game.plies {
                assert!(position.is_legal(ply.played) && position.is_legal(ply.best));
                assert!(ply.sampled || ply.played == ply.best);
                position.play(ply.played);
                assert!(!position.won() || Some(ply) == game.plies.last());
            }
            let decided = game
                .plies
                .last()
                .is_some_and(|ply| ply.score.abs() > 20_000);
            assert_eq!(decided, game.winner.is_some());
        }
    }
}

/// What the fit comes to is what the search will see, but for rounding.
#[test]
fn samples_add_up_to_the_evaluation() {
    for rule in Rule::ALL {
        // Tables are the same numbers whatever a logit is taken to be worth.
        let value_units = [200.0, 300.0, 150.0][rule as usize % 3];
        let settings_of = Options {
            rule,
            value_units,
            ..options(1)
        };
        let slots = tune::value_slots(&settings_of, &EvalTables::of(rule));
        let model = Model::new(Layout::of(rule), &slots);
        let mut player = Player::new(settings(rule, 5));
        for number in 0..4 {
            let game = player.play(number);
            let mut samples = Samples::default();
            Sampler::new(rule).add(&game, &mut samples).unwrap();
            let mut position = Position::new(rule, game.size);
            let mut evaluator = Classical::new(&position);
            for &point in &game.opening {
                position.play(point);
            }
            let mut index = 0;
            for ply in &game.plies {
                let open = outlook(&mut position) == Outlook::Open;
                if open && ply.score.abs() <= 2_000 {
                    let said = value_units * model.run(&samples.values, index).logit;
                    let expected = evaluator.evaluate(&position).units() as f32;
                    assert!((said - expected).abs() < 3.0, "{said} {expected}");
                    index += 1;
                }
                position.play(ply.played);
            }
            assert_eq!(index, samples.values.len());
        }
    }
}

/// A score that no search can come to tells that the game was ended by a fault.
#[test]
fn games_that_are_not_credible_are_left_out() {
    let data = path("credible");
    run::run(&settings(Rule::Freestyle, 3), 40, 1, &data, |_| {}).unwrap();
    let bytes = std::fs::read(&data).unwrap();
    let mut games = read(&bytes);
    assert!(games.iter().all(Game::is_credible));
    for game in &mut games[..5] {
        game.plies.last_mut().unwrap().score = -31_000;
    }
    let blocks = games.iter().flat_map(Game::to_bytes);
    let spoilt: Vec<u8> = bytes[..HEADER].iter().copied().chain(blocks).collect();
    std::fs::write(&data, spoilt).unwrap();
    let mut told = None;
    let options = options(1);
    tune::tune(&options, Given::default(), &[data], None, |event| {
        if let Event::Read {
            games, left_out, ..
        } = event
        {
            told = Some((games, left_out));
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(told, Some((35, 5)));
}

fn options(epochs: usize) -> Options {
    Options {
        rule: Rule::Freestyle,
        seed: 4,
        result_share: 0.7,
        value_units: 300.0,
        move_units: 60.0,
        epochs,
        spread: 4.0,
    }
}

#[test]
fn the_same_data_and_seed_give_the_same_tables() {
    let data = [path("data-1"), path("data-2")];
    for (path, seed) in data.iter().zip([1, 2]) {
        run::run(&settings(Rule::Freestyle, seed), 60, 2, path, |_| {}).unwrap();
    }
    let options = options(3);
    let fit = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| tune::tune(&options, Given::default(), &data, None, |_| Ok(())).unwrap())
    };
    let (one, two) = (fit(1), fit(3));
    assert!(one.tables == two.tables);
    assert_ne!(one.tables, EvalTables::hand_set(Rule::Freestyle));
    let (name, epochs) = &one.curves[1];
    assert_eq!((*name, epochs.len()), ("moves", 3));
    assert!(epochs[2].validation < epochs[0].validation, "{epochs:?}");

    // Move scores that are given are kept, and nothing else changes.
    let moves = EvalTables::hand_set(Rule::Renju);
    let given = Given {
        moves: Some(&moves),
        ..Given::default()
    };
    let kept = tune::tune(&options, given, &data, None, |_| Ok(())).unwrap();
    assert_eq!(kept.curves, one.curves[..1]);
    let mut expected = one.tables.clone();
    for (table, black) in [
        (&mut expected.attack, &moves.attack[0]),
        (&mut expected.defence, &moves.defence[0]),
    ] {
        table.fill(black.clone());
    }
    expected.both.fill(moves.both[0].clone());
    expected.near.fill(moves.near[0].clone());
    assert!(kept.tables == expected);

    // So is all else, where that is given.
    let given = Given {
        values: Some(&moves),
        ..Given::default()
    };
    let kept = tune::tune(&options, given, &data, None, |_| Ok(())).unwrap();
    assert_eq!(kept.curves, one.curves[1..]);
    let mut expected = moves.for_rule(Rule::Freestyle);
    expected.take_moves(one.tables.clone());
    assert!(kept.tables == expected);

    // A table that went through a file is the same table.
    let bytes = one.tables.to_bytes();
    assert_eq!(EvalTables::from_bytes(&bytes).unwrap(), one.tables);
    let mut text = Vec::new();
    text::dump(&bytes, &mut text).unwrap();
    assert!(text.starts_with(b"# rule freestyle"));

    // Merged, the games are those of the files, and no game may come twice.
    let merged = path("merged");
    assert_eq!(run::merge(&data, &merged).unwrap(), 120);
    assert_eq!(read(&std::fs::read(&merged).unwrap()).len(), 120);
    let again = path("again");
    let twice = run::merge(&[data[0].clone(), data[0].clone()], &again);
    assert!(format!("{:#}", twice.unwrap_err()).contains("came before"));

    // Games of another rule and damaged ones are refused, with their names.
    let other = Options {
        rule: Rule::Renju,
        ..options
    };
    let error = tune::tune(&other, Given::default(), &data, None, |_| Ok(()))
        .map(|_| ())
        .unwrap_err();
    assert!(
        format!("{error:#}").contains("of freestyle, not renju"),
        "{error:#}"
    );
    let mut bytes = std::fs::read(&data[0]).unwrap();
    bytes[HEADER + 40] ^= 4;
    std::fs::write(&data[0], bytes).unwrap();
    let error = tune::tune(&options, Given::default(), &data, None, |_| Ok(()))
        .map(|_| ())
        .unwrap_err();
    let text = format!("{error:#}");
    assert!(
        text.contains("data-1") && text.contains("game 1, at byte 16"),
        "{text}"
    );
    for path in data.into_iter().chain([merged, again]) {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_fit_that_was_cut_off_ends_as_if_it_had_not_been() {
    let (data, journal) = ([path("cut-data")], path("cut.journal"));
    run::run(&settings(Rule::Freestyle, 5), 60, 2, &data[0], |_| {}).unwrap();
    let whole = tune::tune(&options(4), Given::default(), &data, None, |_| Ok(())).unwrap();
    // Passes of a run that is cut off after `passes`, and what it ends with.
    let fit = |options: &Options, passes| {
        let mut events = Vec::new();
        let given = Given::default();
        let fitted = tune::tune(options, given, &data, Some(&journal), |event| {
            match event {
                Event::Passed(name, epoch) => events.push(format!("{name} {}", epoch.number)),
                Event::Note(text) if text.contains("journal") => events.push(text),
                _ => {}
            }
            anyhow::ensure!(events.len() < passes, "cut off");
            Ok(())
        });
        (events, fitted.ok())
    };
    assert_eq!(fit(&options(4), 2).0, ["values 1", "values 2"]);
    let (events, _) = fit(&options(4), 5);
    assert!(events[0].ends_with("going on after pass 2 of values"));
    assert_eq!(events[1..], ["values 3", "values 4", "moves 1", "moves 2"]);
    let (events, fitted) = fit(&options(4), 9);
    assert!(events[0].ends_with("going on after pass 2 of moves"));
    assert_eq!(events[1..], ["moves 3", "moves 4"]);
    let fitted = fitted.unwrap();
    assert!(fitted.tables == whole.tables);
    assert_eq!(fitted.curves, whole.curves);
    // Other options are another fit, and so is what nobody can read.
    let (events, _) = fit(&options(5), 2);
    assert!(events[0].contains("another fit"), "{events:?}");
    assert_eq!(events[1], "values 1");
    std::fs::write(&journal, "{").unwrap();
    assert!(fit(&options(5), 2).0[0].contains("another fit"));
    for path in data.into_iter().chain([journal]) {
        std::fs::remove_file(path).unwrap();
    }
}
