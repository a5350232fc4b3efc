//! The game in words.

use quincunx_board::{
    Analysis, Choice, Color, LineView, Phase, Player, ProofView, State, ThreatView, Welcome,
};
use quincunx_engine::game::Termination;
use quincunx_engine::rules::Point;
use quincunx_engine::score::Plies;

/// The name of a colour at the beginning of a sentence.
pub(super) fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// Joins words to a list, such as `a, b and c`.
pub(super) fn list(things: &[String]) -> String {
    match things {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => things.concat(),
    }
}

/// The status line of the game.
pub(super) fn status(state: &State) -> String {
    let turn = color(state.turn);
    match &state.phase {
        Phase::Over(result) => {
            let reason = reason_text(result.termination);
            match result.winner {
                Some(winner) => format!("{} wins: {reason}", color(winner)),
                None => format!("Draw: {reason}"),
            }
        }
        _ if state.thinking => "The engine is thinking".to_owned(),
        _ if state.waiting => format!("{turn} to move: the engine waits, p resumes it"),
        Phase::Place { stones, .. } => {
            format!(
                "Opening: put a {} stone ({stones} to go)",
                turn.to_lowercase()
            )
        }
        Phase::Choose { .. } => "Opening: choose".to_owned(),
        Phase::Offer { stones, .. } => {
            let offered = state.offers.join(" ");
            format!("Opening: offer a fifth stone ({stones} to go) {offered}")
        }
        Phase::Pick { .. } => format!("Opening: put one of {}", state.offers.join(" ")),
        Phase::Move => format!("{turn} to move"),
    }
}

fn reason_text(reason: Termination) -> &'static str {
    match reason {
        Termination::Five => "five in a row",
        Termination::BoardFull => "no move is left",
        Termination::MoveLimit => "the move limit is reached",
        Termination::Forbidden(_) => "a forbidden move",
        Termination::IllegalMove => "an illegal move",
        Termination::Resignation => "by resignation",
        Termination::Agreement => "by agreement",
        Termination::Time => "time is up",
        Termination::Forfeit => "by forfeit",
        Termination::NoShow | Termination::Aborted => reason.name(),
    }
}

/// The request of an opening's step to the player, if there is one.
pub(super) fn opening_step(state: &State) -> Option<&'static str> {
    if state.actor != Some(Player::Person) {
        return None;
    }
    match state.setup.opening.as_str() {
        "free" | "swap1" | "swap2" => {}
        rule => return renju_step(state, rule),
    }
    match &state.phase {
        Phase::Place { first: true, .. } => Some(
            "Put the first stones so that neither colour is better: the other player then chooses.",
        ),
        Phase::Place { first: false, .. } => {
            Some("Put one white and one black stone. The other player then chooses the colour.")
        }
        Phase::Choose { options, .. } if options.len() > 2 => Some(
            "Three stones are on the board. Take the colour that stands better, or put two more \
             stones and let the other player choose.",
        ),
        Phase::Choose { .. } => Some("Take the colour that stands better."),
        Phase::Offer { .. } | Phase::Pick { .. } | Phase::Move | Phase::Over { .. } => None,
    }
}

/// The request of a step of an opening rule with regions or offers to the player.
fn renju_step(state: &State, rule: &str) -> Option<&'static str> {
    match &state.phase {
        Phase::Place { .. } if matches!(rule, "tarannikov" | "taraguchi") => Some(
            "Put a stone near the centre: the first in it, each later one at most one point \
             farther away. The other player may then swap colours.",
        ),
        Phase::Place { .. } if rule == "pro" => Some(
            "Put a stone. Black begins in the centre, and black's second stone must be outside \
             the central 5x5 points.",
        ),
        Phase::Place { .. } if rule == "long-pro" => Some(
            "Put a stone. Black begins in the centre, and black's second stone must be outside \
             the central 7x7 points.",
        ),
        Phase::Place { .. } if state.stones.len() < 3 => Some(
            "Put the first three stones: black in the centre, white next to it, black at most \
             two points from the centre. The other player then chooses a colour.",
        ),
        Phase::Place { .. } if rule == "soosorv" => Some(
            "Put the fourth stone, a white one, anywhere. Then you say how many fifth stones \
             you want to choose from.",
        ),
        Phase::Place { .. } => Some(
            "Put the fourth stone, a white one, anywhere. Black then offers stones for the \
             fifth move, and you choose one of them.",
        ),
        Phase::Choose { options, .. } if matches!(options[..], [Choice::Offers(_), _]) => Some(
            "Place one fifth stone near the centre, after which the other player may swap, or \
             offer ten anywhere, of which white chooses one.",
        ),
        Phase::Choose { options, .. } if options.len() > 2 => {
            Some("How many different stones shall black offer for the fifth move?")
        }
        Phase::Choose { .. } => Some("Take the colour that stands better."),
        Phase::Offer { .. } => Some(
            "Offer black stones for the fifth move, no two alike when the board is turned or \
             mirrored. White will choose one of them.",
        ),
        Phase::Pick { .. } => Some("Put the offered stone that is worst for black."),
        Phase::Move | Phase::Over { .. } => None,
    }
}

/// The numbers of fifth stones that white may ask for.
const OFFERS: [&str; 10] = [
    "one fifth stone",
    "two fifth stones",
    "three fifth stones",
    "four fifth stones",
    "five fifth stones",
    "six fifth stones",
    "seven fifth stones",
    "eight fifth stones",
    "nine fifth stones",
    "ten fifth stones",
];

/// A choice of an opening.
pub(super) fn choice(choice: Choice) -> &'static str {
    match choice {
        Choice::Black => "take black",
        Choice::White => "take white",
        Choice::TwoStones => "put two more stones",
        Choice::Offers(count) => {
            let offers = OFFERS.get(usize::from(count).saturating_sub(1));
            offers.copied().unwrap_or_default()
        }
    }
}

/// A player, and how strong it is.
pub(super) fn player(welcome: &Welcome, player: Player, strength: u8) -> String {
    match player {
        Player::Person => "person".to_owned(),
        Player::Engine => format!("engine, {}", level(welcome, strength)),
    }
}

/// The name and the number of a level.
pub(super) fn level(welcome: &Welcome, level: u8) -> String {
    let name = (welcome.levels.iter()).rfind(|(from, _)| *from <= level);
    name.map_or_else(String::new, |(_, name)| format!("{name} ({level})"))
}

/// The words of a name such as `double_three`.
fn kind(name: &str) -> String {
    name.replace('_', " ")
}

/// The content of a point.
pub(super) fn point(state: &State, point: Point) -> String {
    if let Some(stone) = state.stones.iter().find(|stone| stone.point == point) {
        let color = color(stone.color).to_lowercase();
        return match stone.number {
            Some(number) => format!("{point}: {color}, move {number}"),
            None => format!("{point}: {color}"),
        };
    }
    match state.forbidden.iter().find(|view| view.point == point) {
        Some(view) => format!("{point}: forbidden, {}", view.kind),
        None => format!("{point}: empty"),
    }
}

/// Black's chance to win, in percent and as a bar.
pub(super) fn evaluation(chance: u16) -> String {
    let full = usize::from(chance.min(1000) + 50) / 100;
    format!("Black {} [{:-<10}]", percent(chance), "#".repeat(full))
}

fn percent(chance: u16) -> String {
    format!("{}%", (chance + 5) / 10)
}

/// The progress of a search.
pub(super) fn search(analysis: &Analysis) -> String {
    format!(
        "depth {}-{}, {} nodes, {:.1} s",
        analysis.depth,
        analysis.seldepth,
        count(analysis.nodes),
        analysis.elapsed_ms as f64 / 1_000.0
    )
}

/// A number in three digits or so.
fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// A line of an analysis after its rank: who wins, or black's chance, then the moves.
pub(super) fn line(line: &LineView) -> String {
    let value = match line.mate {
        Some(plies) if plies > 0 => format!("win {plies}"),
        Some(plies) => format!("loss {}", -plies),
        None => percent(line.chance),
    };
    format!("{value} {}", line.points.join(" "))
}

/// A threat.
pub(super) fn threat(threat: &ThreatView) -> String {
    format!(
        "{}: {} at {}",
        color(threat.color),
        kind(threat.kind),
        threat.point
    )
}

/// The result of the search for a forced win.
pub(super) fn proof(proof: &ProofView) -> String {
    match &proof.win {
        Some(win) => format!(
            "{} wins by force in {}: {}",
            color(proof.winner),
            Plies(proof.plies),
            win.point
        ),
        None => "No forced win was found".to_owned(),
    }
}

/// Milliseconds as a clock shows them.
pub(super) fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds.div_ceil(1_000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_board::{ProofNode, ProofStatus};

    #[test]
    fn numbers_are_short() {
        assert_eq!(evaluation(634), "Black 63% [######----]");
        assert_eq!(evaluation(1000), "Black 100% [##########]");
        assert_eq!(evaluation(0), "Black 0% [----------]");
        assert_eq!(
            [9_999, 12_345, 12_345_678].map(count),
            ["9999", "12k", "12M"]
        );
        assert_eq!([0, 1, 61_000].map(clock), ["0:00", "0:01", "1:01"]);
    }

    #[test]
    fn a_five_is_one_ply() {
        let win = ProofNode {
            point: "h8".to_owned(),
            replies: Vec::new(),
            otherwise: Vec::new(),
        };
        let view = ProofView {
            node: 0,
            winner: Color::Black,
            threat: false,
            found: ProofStatus::Proof,
            win: Some(win),
            plies: 1,
            nodes: 1,
        };
        assert_eq!(proof(&view), "Black wins by force in 1 ply: h8");
    }
}
