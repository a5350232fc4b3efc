//! Self-play and fitting from end to end, on games small enough for a test.

#![allow(clippy::unwrap_used)]

use quincunx_engine::eval::{Classical, EvalTables, WeightSet};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_engine::threats::{ThreatStatus, threat_status};
use quincunx_train::dataset::Dataset;
use quincunx_train::dump::dump;
use quincunx_train::fit::{FitError, FitEvent, FitOptions, FittedTables, Pretrained, fit};
use quincunx_train::layout::ParameterLayout;
use quincunx_train::merge::merge;
use quincunx_train::quantize::value_parameters;
use quincunx_train::record::{GameReader, HEADER, SelfplayGame};
use quincunx_train::run;
use quincunx_train::sampler::Sampler;
use quincunx_train::selfplay::{GameGenerator, SelfplayOptions};
use quincunx_train::value::ValueModel;
use std::error::Error;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn selfplay(rule: Rule, seed: u64) -> SelfplayOptions {
    let sizes = [9, 12].map(|side| BoardSize::square(side).unwrap());
    SelfplayOptions::new(rule, sizes.to_vec(), 60, seed)
}

/// Returns a path for a test, where nothing is.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("quincunx-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Formats an error and its causes.
fn chain(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

/// Fits tables without a checkpoint.
fn fit_to(
    options: &FitOptions,
    pretrained: Pretrained<'_>,
    data: &[PathBuf],
) -> Result<FittedTables, FitError> {
    fit(options, pretrained, data, None, |_| Ok(()))
}

fn read(bytes: &[u8]) -> Vec<SelfplayGame> {
    let mut reader = GameReader::new(bytes).unwrap();
    std::iter::from_fn(|| reader.next_game().unwrap()).collect()
}

#[test]
fn an_interrupted_run_gives_the_same_bytes() {
    let options = SelfplayOptions {
        tree_positions: 2,
        tree_nodes: 40,
        ..selfplay(Rule::Renju, 7)
    };
    let (whole, cut) = (path("whole"), path("cut"));
    run::run(&options, &Arc::default(), 12, 1, &whole, &mut |_| {}).unwrap();
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
        let progress = run::run(&options, &Arc::default(), 12, 3, &cut, &mut |_| {}).unwrap();
        assert_eq!(progress.games, 12);
        assert!(std::fs::read(&cut).unwrap() == expected, "cut at {length}");
    }
    // Games of other options, or of other weights, are not added to.
    let refusal = |options: &SelfplayOptions, weights: WeightSet| {
        let error = run::run(options, &Arc::new(weights), 20, 1, &cut, &mut |_| {}).unwrap_err();
        assert!(std::fs::read(&cut).unwrap() == expected, "{error}");
        error.to_string()
    };
    let other_seed = SelfplayOptions {
        seed: 8,
        ..options.clone()
    };
    let other_sampling = SelfplayOptions {
        sampled_one_in: NonZeroU8::MIN,
        ..options.clone()
    };
    let other_boards = SelfplayOptions {
        sizes: vec![options.sizes[0], BoardSize::square(11).unwrap()],
        ..options.clone()
    };
    let mut classical = WeightSet::default();
    classical.clear_lines();
    for (options, weights, expected) in [
        (&other_seed, WeightSet::default(), "another run (seed 7"),
        (&other_boards, WeightSet::default(), "nodes, board 12"),
        (
            &other_sampling,
            WeightSet::default(),
            "its last game, number 11",
        ),
        (&options, classical, "its last game, number 11"),
    ] {
        let error = refusal(options, weights);
        assert!(error.contains(expected), "{error}");
    }
    // A game that was changed is named, and neither it nor those after it are cut off.
    let mut damaged = expected.clone();
    damaged[HEADER + 20] ^= 1;
    std::fs::write(&cut, &damaged).unwrap();
    let error = run::run(&options, &Arc::default(), 12, 1, &cut, &mut |_| {}).unwrap_err();
    let error = chain(&error);
    let reason = format!("game 1, at byte {HEADER}: its checksum is wrong");
    assert!(error.ends_with(&reason), "{error}");
    assert!(std::fs::read(&cut).unwrap() == damaged);
    std::fs::remove_file(whole).unwrap();
    std::fs::remove_file(cut).unwrap();
}

/// A game that is drawn after its opening has no position to learn from.
#[test]
fn every_game_has_searched_positions() {
    let play = |width, height, name| {
        let options = SelfplayOptions {
            sizes: vec![BoardSize::new(width, height).unwrap()],
            ..selfplay(Rule::Freestyle, 1)
        };
        let out = path(name);
        let played = run::run(&options, &Arc::default(), 30, 1, &out, &mut |_| {});
        (played, out)
    };
    for (width, height) in [(5, 5), (6, 5)] {
        let (refused, out) = play(width, height, "small");
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("board is too small"), "{error}");
        assert!(!out.exists());
    }
    let (played, out) = play(7, 5, "smallest");
    played.unwrap();
    let games = read(&std::fs::read(&out).unwrap());
    assert!(games.iter().all(|game| !game.plies.is_empty()));
    std::fs::remove_file(out).unwrap();
}

#[test]
fn a_file_has_one_run_at_a_time() {
    let out = path("locked");
    let file = std::fs::File::create(&out).unwrap();
    file.try_lock().unwrap();
    let play = || {
        run::run(
            &selfplay(Rule::Caro, 5),
            &Arc::default(),
            1,
            1,
            &out,
            &mut |_| {},
        )
    };
    let error = play().unwrap_err().to_string();
    assert!(error.ends_with("is in use by another run"), "{error}");
    assert_eq!(std::fs::metadata(&out).unwrap().len(), 0);
    // Closing it would not do while a program that another test starts has a copy of it.
    file.unlock().unwrap();
    assert_eq!(play().unwrap().games, 1);
    std::fs::remove_file(out).unwrap();
}

#[test]
fn games_are_legal_and_end_when_decided() {
    for rule in Rule::ALL {
        let mut generator = GameGenerator::new(selfplay(rule, 3), Arc::default());
        for number in 0..6 {
            let game = generator.play(number).unwrap();
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

/// Move scores learn from positions of search trees where the side to move does not stand
/// worse. The games themselves need not be the same with them.
#[test]
fn positions_of_search_trees_are_legal_and_teach_moves() {
    for rule in Rule::ALL {
        let options = SelfplayOptions {
            tree_positions: 4,
            tree_nodes: 50,
            ..selfplay(rule, 3)
        };
        let mut generator = GameGenerator::new(options, Arc::default());
        let mut taught = 0;
        for number in 0..4 {
            let game = generator.play(number).unwrap();
            let mut lessons = 0;
            for found in &game.tree {
                let mut position = Position::new(rule, game.size);
                let plies = game.plies[..found.ply].iter().map(|ply| ply.played);
                let moves = game.opening.iter().copied().chain(plies);
                for point in moves.chain(found.line.iter().copied()) {
                    assert!(position.is_legal(point));
                    position.play(point);
                }
                assert!(position.is_legal(found.best));
                assert_eq!(threat_status(&mut position), ThreatStatus::Quiet);
                lessons += usize::from(found.score >= 0);
            }
            let moves = |game: &SelfplayGame| {
                let mut dataset = Dataset::default();
                Sampler::new(rule).add(game, &mut dataset).unwrap();
                (dataset.policy.len(), dataset.values.len())
            };
            let (with, values) = moves(&game);
            let without = moves(&SelfplayGame {
                tree: Vec::new(),
                ..game
            });
            assert_eq!((with - lessons, values), without);
            taught += lessons;
        }
        assert!(taught > 20, "{rule}: {taught}");
    }
}

/// The model of the fit and the evaluation of the search differ by rounding alone.
#[test]
fn the_model_of_the_fit_is_the_evaluation() {
    for rule in Rule::ALL {
        // The evaluation does not depend on the units of a logit.
        let value_units = [200.0, 300.0, 150.0][rule as usize % 3];
        let parameters = value_parameters(&EvalTables::built_in(rule), value_units);
        let model = ValueModel::new(ParameterLayout::of(rule), &parameters);
        let mut generator = GameGenerator::new(selfplay(rule, 5), Arc::default());
        for number in 0..4 {
            let game = generator.play(number).unwrap();
            let mut dataset = Dataset::default();
            Sampler::new(rule).add(&game, &mut dataset).unwrap();
            let mut position = Position::new(rule, game.size);
            let mut evaluator =
                Classical::new(&<WeightSet>::default().of(rule).classical, &position);
            for &point in &game.opening {
                position.play(point);
            }
            let mut index = 0;
            for ply in &game.plies {
                let is_quiet = threat_status(&mut position) == ThreatStatus::Quiet;
                if is_quiet && ply.score.abs() <= 2_000 {
                    let value = value_units * model.forward(&dataset.values, index).logit;
                    let expected = evaluator.evaluate(&position).units() as f32;
                    assert!((value - expected).abs() < 3.0, "{value} {expected}");
                    index += 1;
                }
                position.play(ply.played);
            }
            assert_eq!(index, dataset.values.len());
        }
    }
}

/// An impossible score shows that a fault ended the game.
#[test]
fn games_that_are_not_credible_are_left_out() {
    let data = path("credible");
    run::run(
        &selfplay(Rule::Freestyle, 3),
        &Arc::default(),
        40,
        1,
        &data,
        &mut |_| {},
    )
    .unwrap();
    let bytes = std::fs::read(&data).unwrap();
    let mut games = read(&bytes);
    assert!(games.iter().all(SelfplayGame::is_credible));
    for game in &mut games[..5] {
        game.plies.last_mut().unwrap().score = -31_000;
    }
    let blocks = games.iter().flat_map(SelfplayGame::to_bytes);
    let damaged: Vec<u8> = bytes[..HEADER].iter().copied().chain(blocks).collect();
    std::fs::write(&data, damaged).unwrap();
    let mut counts = None;
    let on_event = |event| {
        if let FitEvent::Read {
            games, left_out, ..
        } = event
        {
            counts = Some((games, left_out));
        }
        Ok::<(), FitError>(())
    };
    fit(&options(1), Pretrained::default(), &[data], None, on_event).unwrap();
    assert_eq!(counts, Some((35, 5)));
}

fn options(epochs: usize) -> FitOptions {
    FitOptions {
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
        run::run(
            &selfplay(Rule::Freestyle, seed),
            &Arc::default(),
            60,
            2,
            path,
            &mut |_| {},
        )
        .unwrap();
    }
    let options = options(3);
    let fit_on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let fit = || fit_to(&options, Pretrained::default(), &data).unwrap();
        pool.unwrap().install(fit)
    };
    let (one, two) = (fit_on(1), fit_on(3));
    assert!(one.tables == two.tables);
    assert_ne!(one.tables, EvalTables::hand_set(Rule::Freestyle));
    let (name, epochs) = &one.curves[1];
    assert_eq!((*name, epochs.len()), ("moves", 3));
    assert!(epochs[2].validation < epochs[0].validation, "{epochs:?}");

    // Frozen move scores are kept, and nothing else changes.
    let moves = EvalTables::hand_set(Rule::Renju);
    let frozen = Pretrained {
        moves: Some(&moves),
        ..Pretrained::default()
    };
    let kept = fit_to(&options, frozen, &data).unwrap();
    assert_eq!(kept.curves, one.curves[..1]);
    let mut expected = one.tables.clone();
    for (table, black) in [
        (&mut expected.attack, &moves.attack[0]),
        (&mut expected.defence, &moves.defence[0]),
    ] {
        table.fill(black.clone());
    }
    expected
        .attack_defence
        .fill(moves.attack_defence[0].clone());
    expected.distance.fill(moves.distance[0].clone());
    assert!(kept.tables == expected);

    // So is a frozen value.
    let frozen = Pretrained {
        values: Some(&moves),
        ..Pretrained::default()
    };
    let kept = fit_to(&options, frozen, &data).unwrap();
    assert_eq!(kept.curves, one.curves[1..]);
    let mut expected = moves.for_rule(Rule::Freestyle);
    expected.replace_move_scores(one.tables.clone());
    assert!(kept.tables == expected);

    // Tables round trip through a file.
    let bytes = one.tables.to_bytes();
    assert_eq!(EvalTables::from_bytes(&bytes).unwrap(), one.tables);
    let mut text = Vec::new();
    dump(&bytes, &mut text).unwrap();
    assert!(text.starts_with(b"# rule freestyle"));

    // A merged file has the games of its parts, and no game may be there twice.
    let merged = path("merged");
    assert_eq!(merge(&data, &merged).unwrap(), 120);
    assert_eq!(read(&std::fs::read(&merged).unwrap()).len(), 120);
    let again = path("again");
    let twice = merge(&[data[0].clone(), data[0].clone()], &again);
    assert!(twice.unwrap_err().to_string().contains("came before"));
    assert!(!again.exists(), "a part of a file");
    let over = merge(&data, &merged).unwrap_err();
    assert!(chain(&over).contains("exists"), "{}", chain(&over));
    assert_eq!(read(&std::fs::read(&merged).unwrap()).len(), 120);

    // Seeds and numbers may be the same where the games are not.
    let on = |side, name| {
        let options = SelfplayOptions {
            sizes: vec![BoardSize::square(side).unwrap()],
            ..selfplay(Rule::Freestyle, 1)
        };
        let path = path(name);
        run::run(&options, &Arc::default(), 2, 1, &path, &mut |_| {}).unwrap();
        path
    };
    let sizes = [on(7, "seven"), on(8, "eight")];
    let both = path("both");
    assert_eq!(merge(&sizes, &both).unwrap(), 4);

    // Games of another rule and damaged ones are refused, with their names.
    let error = |options: &FitOptions| {
        let fitted = fit_to(options, Pretrained::default(), &data);
        chain(&fitted.err().unwrap())
    };
    let renju = FitOptions {
        rule: Rule::Renju,
        ..options
    };
    let text = error(&renju);
    assert!(text.contains("of freestyle, not renju"), "{text}");
    let mut bytes = std::fs::read(&data[0]).unwrap();
    bytes[HEADER + 40] ^= 4;
    std::fs::write(&data[0], bytes).unwrap();
    let text = error(&options);
    assert!(
        text.contains("data-1") && text.contains("game 1, at byte 16"),
        "{text}"
    );
    for path in data.into_iter().chain([merged]) {
        std::fs::remove_file(path).unwrap();
    }
}

/// Runs a fit that is interrupted after `epochs` epochs. Returns what it reports of
/// epochs and of the checkpoint, and the tables if it came to its end.
fn interrupted_fit(
    options: &FitOptions,
    data: &[PathBuf],
    checkpoint: &Path,
    epochs: usize,
) -> (Vec<String>, Option<FittedTables>) {
    let mut events = Vec::new();
    let on_event = |event| {
        match event {
            FitEvent::Epoch(name, epoch) => events.push(format!("{name} {}", epoch.number)),
            FitEvent::Note(text) if text.contains("checkpoint") => events.push(text),
            _ => {}
        }
        if events.len() < epochs {
            Ok(())
        } else {
            Err(FitError::TooFewGames)
        }
    };
    let pretrained = Pretrained::default();
    let fitted = fit(options, pretrained, data, Some(checkpoint), on_event);
    (events, fitted.ok())
}

#[test]
fn an_interrupted_fit_gives_the_same_tables() {
    let (data, checkpoint) = ([path("cut-data")], path("cut.checkpoint"));
    run::run(
        &selfplay(Rule::Freestyle, 5),
        &Arc::default(),
        60,
        2,
        &data[0],
        &mut |_| {},
    )
    .unwrap();
    let whole = fit_to(&options(4), Pretrained::default(), &data).unwrap();
    let fit = |options: &FitOptions, epochs| interrupted_fit(options, &data, &checkpoint, epochs);
    assert_eq!(fit(&options(4), 2).0, ["values 1", "values 2"]);
    let (events, _) = fit(&options(4), 5);
    assert!(events[0].ends_with("resuming after epoch 2 of values"));
    assert_eq!(events[1..], ["values 3", "values 4", "moves 1", "moves 2"]);
    let (events, fitted) = fit(&options(4), 9);
    assert!(events[0].ends_with("resuming after epoch 2 of moves"));
    assert_eq!(events[1..], ["moves 3", "moves 4"]);
    let fitted = fitted.unwrap();
    assert!(fitted.tables == whole.tables);
    assert_eq!(fitted.curves, whole.curves);
    // A checkpoint of other options or of another version is not used, and a file of
    // another kind stays.
    let (events, _) = fit(&options(5), 2);
    assert!(events[0].contains("another fit"), "{events:?}");
    assert_eq!(events[1], "values 1");
    std::fs::write(&checkpoint, "quincunx checkpoint 1 00000000\n{}").unwrap();
    let (events, _) = fit(&options(5), 2);
    assert!(events[0].contains("another version"), "{events:?}");
    assert_eq!(events[1], "values 1");
    std::fs::write(&checkpoint, "{").unwrap();
    let (events, fitted) = fit(&options(5), 2);
    assert!(events.is_empty() && fitted.is_none(), "{events:?}");
    assert_eq!(std::fs::read_to_string(&checkpoint).unwrap(), "{");
    for path in data.into_iter().chain([checkpoint]) {
        std::fs::remove_file(path).unwrap();
    }
}
