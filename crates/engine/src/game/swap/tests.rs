//! Tests of the opening rules: each dialogue by hand, and all at random.

use super::rules::{COLORS, COLORS_OR_STONES, OFFERS, ONE_OR_TEN};
use super::*;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet, Rule};

fn choose(seat: Seat, options: &'static [Choice]) -> Result<OpeningStep, ChoiceError> {
    Ok(OpeningStep::Choose { seat, options })
}

fn place(seat: Seat, until: usize, region: Region) -> Result<OpeningStep, ChoiceError> {
    Ok(OpeningStep::Place {
        seat,
        until,
        region,
        swap_follows: true,
    })
}

/// A step that no swap follows.
fn unswapped(seat: Seat, until: usize, region: Region) -> Result<OpeningStep, ChoiceError> {
    Ok(OpeningStep::Place {
        seat,
        until,
        region,
        swap_follows: false,
    })
}

fn play(black: Seat) -> Result<OpeningStep, ChoiceError> {
    Ok(OpeningStep::Play { black })
}

#[test]
fn free_games_start_at_once() {
    assert_eq!(OpeningRule::Free.step(0, &[]), play(Seat::First));
    assert_eq!(OpeningRule::Free.step(9, &[]), play(Seat::First));
    assert!(OpeningRule::Free.step(0, &[Choice::Black]).is_err());
}

#[test]
fn swap1_has_one_stone_and_one_choice() {
    let rule = OpeningRule::Swap1;
    assert_eq!(rule.step(0, &[]), place(Seat::First, 1, Region::Board));
    assert_eq!(rule.step(1, &[]), choose(Seat::Second, COLORS));
    assert_eq!(rule.step(1, &[Choice::Black]), play(Seat::Second));
    assert_eq!(rule.step(1, &[Choice::White]), play(Seat::First));
    assert!(rule.step(1, &[Choice::TwoStones]).is_err());
    assert!(rule.step(1, &[Choice::TwoStones, Choice::Black]).is_err());
}

#[test]
fn swap2_leaves_the_last_choice_to_the_player_who_did_not_put_the_last_stones() {
    let rule = OpeningRule::Swap2;
    for stones in 0..3 {
        assert_eq!(rule.step(stones, &[]), place(Seat::First, 3, Region::Board));
    }
    assert_eq!(rule.step(3, &[]), choose(Seat::Second, COLORS_OR_STONES));
    assert_eq!(rule.step(3, &[Choice::Black]), play(Seat::Second));
    assert_eq!(rule.step(3, &[Choice::White]), play(Seat::First));
    let two = Choice::TwoStones;
    assert_eq!(rule.step(3, &[two]), place(Seat::Second, 5, Region::Board));
    assert_eq!(rule.step(4, &[two]), place(Seat::Second, 5, Region::Board));
    assert_eq!(rule.step(5, &[two]), choose(Seat::First, COLORS));
    assert_eq!(rule.step(5, &[two, Choice::Black]), play(Seat::First));
    assert_eq!(rule.step(5, &[two, Choice::White]), play(Seat::Second));
    assert!(rule.step(5, &[two, two]).is_err());
    assert!(rule.step(5, &[Choice::Black, Choice::Black]).is_err());
}

#[test]
fn soosorv_lets_both_players_swap() {
    let rule = OpeningRule::Soosorv;
    let (black, white) = (Choice::Black, Choice::White);
    for stones in 0..3 {
        assert_eq!(
            rule.step(stones, &[]),
            place(Seat::First, 3, Region::Nested)
        );
    }
    assert_eq!(rule.step(3, &[]), choose(Seat::Second, COLORS));
    assert_eq!(rule.step(3, &[black]), place(Seat::First, 4, Region::Board));
    assert_eq!(
        rule.step(3, &[white]),
        place(Seat::Second, 4, Region::Board)
    );
    assert_eq!(rule.step(4, &[white]), choose(Seat::Second, OFFERS));
    let three = Choice::Offers(3);
    assert_eq!(rule.step(4, &[white, three]), choose(Seat::First, COLORS));
    let fifth = |black| Ok(OpeningStep::Fifth { black, count: 3 });
    assert_eq!(rule.step(4, &[white, three, black]), fifth(Seat::First));
    assert_eq!(rule.step(4, &[white, three, white]), fifth(Seat::Second));
    assert_eq!(rule.step(5, &[white, three, white]), play(Seat::Second));
    assert_eq!(rule.step(9, &[black, three, white]), play(Seat::First));
    let step = rule.step(4, &[white, three, white]).unwrap();
    assert_eq!(step.seat(2, Color::Black), Seat::Second, "black offers");
    assert_eq!(step.seat(3, Color::Black), Seat::First, "white takes one");
    let wrong: [&[Choice]; 6] = [
        &[three],
        &[Choice::TwoStones],
        &[black, black],
        &[black, Choice::Offers(0)],
        &[black, Choice::Offers(9)],
        &[black, three, white, black],
    ];
    for choices in wrong {
        assert!(rule.step(4, choices).is_err(), "{choices:?}");
    }
}

#[test]
fn pro_restricts_the_third_stone() {
    for (rule, square) in [(OpeningRule::Pro, 2), (OpeningRule::LongPro, 3)] {
        assert_eq!(rule.step(0, &[]), unswapped(Seat::First, 1, Region::Nested));
        assert_eq!(rule.step(1, &[]), unswapped(Seat::Second, 2, Region::Board));
        let third = unswapped(Seat::First, 3, Region::Outside(square));
        assert_eq!(rule.step(2, &[]), third);
        assert_eq!(rule.step(3, &[]), play(Seat::First));
        assert!(rule.step(1, &[Choice::White]).is_err());
    }
}

#[test]
fn rif_offers_two_fifth_stones() {
    let rule = OpeningRule::Rif;
    assert_eq!(rule.step(2, &[]), place(Seat::First, 3, Region::Nested));
    assert_eq!(rule.step(3, &[]), choose(Seat::Second, COLORS));
    for (choice, black) in [(Choice::Black, Seat::Second), (Choice::White, Seat::First)] {
        let fourth = unswapped(black.other(), 4, Region::Board);
        assert_eq!(rule.step(3, &[choice]), fourth);
        let fifth = Ok(OpeningStep::Fifth { black, count: 2 });
        assert_eq!(rule.step(4, &[choice]), fifth);
        assert_eq!(rule.step(5, &[choice]), play(black));
    }
    assert!(rule.step(4, &[Choice::Black, Choice::Offers(2)]).is_err());
}

#[test]
fn yamaguchi_announces_before_the_swap() {
    let rule = OpeningRule::Yamaguchi;
    assert_eq!(rule.step(0, &[]), place(Seat::First, 3, Region::Nested));
    assert_eq!(rule.step(3, &[]), choose(Seat::First, OFFERS));
    let four = Choice::Offers(4);
    assert_eq!(rule.step(3, &[four]), choose(Seat::Second, COLORS));
    let fourth = unswapped(Seat::First, 4, Region::Board);
    assert_eq!(rule.step(3, &[four, Choice::Black]), fourth);
    let fifth = OpeningStep::Fifth {
        black: Seat::Second,
        count: 4,
    };
    assert_eq!(rule.step(4, &[four, Choice::Black]), Ok(fifth));
    assert!(rule.step(3, &[Choice::Black]).is_err());
}

#[test]
fn tarannikov_lets_swap_after_each_of_five_stones() {
    let rule = OpeningRule::Tarannikov;
    let mut choices = Vec::new();
    let mut black = Seat::First;
    for stones in 0..5 {
        let mover = if stones % 2 == 0 {
            black
        } else {
            black.other()
        };
        assert_eq!(
            rule.step(stones, &choices),
            place(mover, stones + 1, Region::Nested)
        );
        // The choice is the opponent's.
        assert_eq!(
            rule.step(stones + 1, &choices),
            choose(mover.other(), COLORS)
        );
        // Every other choice is a swap.
        let choice = [Choice::White, Choice::White, Choice::White, Choice::Black][stones % 4];
        black = match choice {
            Choice::Black => mover.other(),
            _ => mover,
        };
        choices.push(choice);
    }
    assert_eq!(rule.step(5, &choices), play(black));
    choices.push(Choice::Black);
    assert!(rule.step(5, &choices).is_err());
}

#[test]
fn taraguchi_has_a_fifth_stone_in_turn_or_ten_offers() {
    let rule = OpeningRule::Taraguchi;
    let (black, white) = (Choice::Black, Choice::White);
    // Without a swap: the second player keeps white, the first black.
    let kept = [white, black, white];
    assert_eq!(rule.step(3, &kept), place(Seat::Second, 4, Region::Nested));
    assert_eq!(rule.step(4, &kept), choose(Seat::First, COLORS));
    let inside = |seat| place(seat, 5, Region::Nested);
    // A swap leads to the fifth stone near the centre.
    let swapped = [white, black, white, white];
    assert_eq!(rule.step(4, &swapped), inside(Seat::Second));
    assert_eq!(rule.step(5, &swapped), choose(Seat::First, COLORS));
    // Without one black decides.
    let still = [white, black, white, black];
    assert_eq!(rule.step(4, &still), choose(Seat::First, ONE_OR_TEN));
    let with = |choice| [&still[..], &[choice]].concat();
    assert_eq!(rule.step(4, &with(Choice::Offers(1))), inside(Seat::First));
    let ten = OpeningStep::Fifth {
        black: Seat::First,
        count: 10,
    };
    assert_eq!(rule.step(4, &with(Choice::Offers(10))), Ok(ten));
    assert_eq!(rule.step(5, &with(Choice::Offers(10))), play(Seat::First));
    assert!(rule.step(4, &with(Choice::Offers(2))).is_err());
}

/// The points of a region, by their coordinates.
fn is_inside(rule: OpeningRule, size: BoardSize, stones: usize, point: Point) -> bool {
    let from = |at: usize, side: usize| at.abs_diff(side / 2);
    let distance = from(point.x(), size.width()).max(from(point.y(), size.height()));
    match (rule, stones) {
        (OpeningRule::Free | OpeningRule::Swap1 | OpeningRule::Swap2, _) => true,
        (OpeningRule::Pro | OpeningRule::LongPro, 0) => distance == 0,
        (OpeningRule::Pro, 2) => distance >= 3,
        (OpeningRule::LongPro, 2) => distance >= 4,
        (OpeningRule::Pro | OpeningRule::LongPro, _) => true,
        (OpeningRule::Tarannikov | OpeningRule::Taraguchi, _) => distance <= stones,
        (_, 0..3) => distance <= stones,
        _ => true,
    }
}

/// Every dialogue ends, asks players in their turn, and allows the points of the rule alone.
#[test]
fn random_dialogues_keep_the_rules() {
    let mut random = fastrand::Rng::with_seed(2);
    for round in 0..4000 {
        let rule = OpeningRule::ALL[round % OpeningRule::ALL.len()];
        let size = BoardSize::new(random.usize(9..=20), random.usize(9..=20)).unwrap();
        let mut position = Position::new(Rule::Freestyle, size);
        let (mut choices, mut offered) = (Vec::new(), Vec::new());
        let mut black = Seat::First;
        for steps in 0.. {
            assert!(steps < 25, "{rule} ends");
            let step = rule.step(position.ply(), &choices).unwrap();
            let pick = match step {
                OpeningStep::Play { black: settled } => {
                    assert_eq!(settled, black, "{rule} {choices:?}");
                    assert!([0, 1, 3, 5].contains(&position.ply()));
                    break;
                }
                OpeningStep::Choose { seat, options } => {
                    let choice = options[random.usize(..options.len())];
                    match choice {
                        Choice::Black => black = seat,
                        Choice::White => black = seat.other(),
                        _ => {}
                    }
                    choices.push(choice);
                    continue;
                }
                OpeningStep::Place { seat, until, .. } => {
                    // The owner of the colour places a stone, or one player places them all.
                    let mover = match position.ply() % 2 {
                        0 => black,
                        _ => black.other(),
                    };
                    let places_all = match rule {
                        OpeningRule::Swap1 | OpeningRule::Swap2 => true,
                        OpeningRule::Rif | OpeningRule::Yamaguchi | OpeningRule::Soosorv => {
                            until == 3
                        }
                        _ => false,
                    };
                    assert!(seat == mover || places_all, "{rule} {choices:?}");
                    step.allowed(&position, &[])
                }
                OpeningStep::Fifth { count, .. } => {
                    assert_eq!(
                        step.seat(offered.len(), position.side()) == black,
                        offered.len() < count
                    );
                    step.allowed(&position, &offered)
                }
            };
            let is_fifth = matches!(step, OpeningStep::Fifth { .. });
            let empty: PointSet = size
                .iter()
                .filter(|&point| position.is_empty(point))
                .collect();
            if !is_fifth {
                let inside = |point: &Point| is_inside(rule, size, position.ply(), *point);
                let expected: PointSet = empty.iter().filter(inside).collect();
                assert_eq!(pick.unwrap_or(empty), expected, "{rule} {}", position.ply());
            }
            let points: Vec<Point> = pick.unwrap_or(empty).iter().collect();
            let point = points[random.usize(..points.len())];
            match step {
                OpeningStep::Fifth { count, .. } if offered.len() < count => offered.push(point),
                _ => position.play(point),
            }
        }
    }
}

/// A board that is too small for a region is allowed everywhere.
#[test]
fn small_boards_have_a_third_stone() {
    let size = BoardSize::new(5, 5).unwrap();
    let mut position = Position::new(Rule::Freestyle, size);
    for point in [Point::new(2, 2), Point::new(0, 0)] {
        position.play(point);
    }
    for rule in [OpeningRule::Pro, OpeningRule::LongPro] {
        let step = rule.step(2, &[]).unwrap();
        assert_eq!(step.allowed(&position, &[]), None);
    }
}

/// The stones of a position as text, the least of all its images.
fn canonical(size: BoardSize, stones: &[(Color, Point)]) -> String {
    let image = |symmetry: crate::rules::Symmetry| {
        let turned =
            |&(color, point): &(Color, Point)| format!("{color}{:?} ", symmetry.apply(size, point));
        let mut stones: Vec<String> = stones.iter().map(turned).collect();
        stones.sort();
        stones.concat()
    };
    size.symmetries().map(image).min().unwrap()
}

/// The three first stones make the 26 openings of renju, no more and no less.
#[test]
fn soosorv_begins_with_the_26_openings() {
    let (rule, size) = (OpeningRule::Soosorv, BoardSize::default());
    let step = rule.step(0, &[]).unwrap();
    let mut level = vec![Position::new(Rule::Renju, size)];
    for _ in 0..3 {
        let mut next = Vec::new();
        for position in level {
            for point in step.allowed(&position, &[]).unwrap().iter() {
                let mut position = position.clone();
                position.play(point);
                next.push(position);
            }
        }
        level = next;
    }
    let openings: std::collections::BTreeSet<String> = (level.iter())
        .map(|position| canonical(size, &position.moves().collect::<Vec<_>>()))
        .collect();
    assert_eq!(openings.len(), 26);
}

/// No two offers make the same position, turned or mirrored: compared with all
/// positions written out.
#[test]
fn offers_are_not_alike() {
    let rule = OpeningRule::Soosorv;
    let choices = [Choice::Black, Choice::Offers(8), Choice::Black];
    let step = rule.step(4, &choices).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    let mut symmetric = 0;
    for round in 0..60 {
        let size = BoardSize::new(7, [7, 7, 6][round % 3]).unwrap();
        let points: Vec<Point> = size.iter().collect();
        let mut position = Position::new(Rule::Renju, size);
        while position.ply() < 4 {
            // Symmetric positions among them.
            let point = match position.ply() {
                2 | 3 if round % 2 == 0 => {
                    let symmetries: Vec<_> = size.symmetries().collect();
                    let before = position.recent(2).unwrap();
                    symmetries[random.usize(..symmetries.len())].apply(size, before)
                }
                _ => points[random.usize(..points.len())],
            };
            let point = if position.is_empty(point) {
                point
            } else {
                points[random.usize(..points.len())]
            };
            if position.is_empty(point) {
                position.play(point);
            }
        }
        let after = |point: Point| {
            let stones = position.moves().chain([(Color::Black, point)]);
            canonical(size, &stones.collect::<Vec<_>>())
        };
        let mut offered: Vec<Point> = Vec::new();
        while offered.len() < 8 {
            let allowed = step.allowed(&position, &offered).unwrap();
            let known: Vec<String> = offered.iter().map(|&point| after(point)).collect();
            let free = |point: &&Point| position.is_empty(**point);
            let expected: PointSet = (points.iter().filter(free).copied())
                .filter(|&point| !known.contains(&after(point)))
                .collect();
            assert_eq!(allowed, expected, "{} {offered:?}", position.move_text());
            symmetric += usize::from(position.empty_points() - allowed.len() > offered.len());
            let choice: Vec<Point> = allowed.iter().collect();
            offered.push(choice[random.usize(..choice.len())]);
        }
        let chosen = step.allowed(&position, &offered).unwrap();
        assert_eq!(chosen, offered.iter().copied().collect());
    }
    assert!(symmetric > 20, "{symmetric}");
}

#[test]
fn names_round_trip() {
    for rule in OpeningRule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
    }
    let error = "swap3".parse::<OpeningRule>().unwrap_err().to_string();
    assert!(error.ends_with("tarannikov or taraguchi"), "{error}");
}
