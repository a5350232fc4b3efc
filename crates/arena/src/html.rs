//! The report for people: one HTML file that needs no other, with curves of
//! the score and every game to step through.

use super::rating_list::standings_of_groups;
use super::record::{MatchGame, Reason, SwapMove};
use super::report::Report;
use super::settings::MatchSettings;
use super::standings::Standings;
use super::stats::EloEstimate;
use super::table::Table;
use quincunx_drawing::{Chart, page as fill};
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_records::Date;
use serde::Serialize;
use serde_json::json;

/// Remarks of engines are left out of reports with more games than this: the
/// page would be too large for a browser.
const TALKATIVE: usize = 1000;
/// Points of a curve.
const SAMPLES: usize = 300;

const TEMPLATE: &str = include_str!("report.html");

/// The whole page.
pub(super) fn page(settings: &MatchSettings, games: &[MatchGame], report: &Report) -> String {
    let title = settings.names().join(" - ");
    let size = settings.size.parse::<quincunx_engine::rules::BoardSize>();
    let size = size.unwrap_or_default();
    let data = json!({
        "names": settings.names(),
        "width": size.width(),
        "height": size.height(),
        "rule": settings.rule,
        "games": sorted(games).map(|game| compact(settings, game, games.len())).collect::<Vec<_>>(),
    });
    // No text of an engine may end the script it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let values = Page {
        title,
        rule: &settings.rule,
        size: &settings.size,
        tables: report.tables().iter().map(PageTable::of).collect(),
        charts: charts(settings, games).iter().map(Chart::svg).collect(),
        data,
    };
    fill(TEMPLATE, values)
}

/// The values of the template.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    rule: &'a str,
    size: &'a str,
    tables: Vec<PageTable<'a>>,
    charts: Vec<String>,
    data: String,
}

/// A table, and which of its columns hold numbers.
#[derive(Serialize)]
struct PageTable<'a> {
    title: &'a str,
    head: &'a [String],
    rows: &'a [Vec<String>],
    numbers: Vec<bool>,
}

impl PageTable<'_> {
    fn of(table: &Table) -> PageTable<'_> {
        let (head, rows) = table.cells();
        PageTable {
            title: table.title(),
            head,
            rows,
            numbers: table.numbers(),
        }
    }
}

fn sorted(games: &[MatchGame]) -> impl Iterator<Item = &MatchGame> {
    let mut sorted: Vec<&MatchGame> = games.iter().collect();
    sorted.sort_by_key(|game| game.number);
    sorted.into_iter()
}

/// A game as the page's script wants it.
fn compact(settings: &MatchSettings, game: &MatchGame, games: usize) -> serde_json::Value {
    let moves = || game.moves.iter();
    let remarks = (games <= TALKATIVE).then(|| moves().map(|m| &m.message).collect::<Vec<_>>());
    json!({
        "n": game.number,
        "b": game.black,
        "w": game.white,
        "r": game.winner_name(),
        "why": game.reason.name(),
        "detail": game.detail,
        "o": game.opening,
        "m": moves().map(|m| m.point.as_str()).collect::<String>(),
        "t": moves().map(|m| (m.ms * 10.0).round() / 10.0).collect::<Vec<_>>(),
        "e": moves().map(|m| &m.eval).collect::<Vec<_>>(),
        "s": remarks,
        "five": five(settings, game),
        "swap": game.swap.iter().map(SwapMove::describe).collect::<Vec<_>>().join(", "),
        "date": Date::from_unix(game.started).to_string(),
    })
}

/// The stones of the line that won.
fn five(settings: &MatchSettings, game: &MatchGame) -> String {
    let Some(variant) = settings
        .variant()
        .ok()
        .filter(|_| game.reason == Reason::Five)
    else {
        return String::new();
    };
    let position = Position::from_moves(variant.rule, variant.size, &game.move_text());
    let played = position.map(Game::from_position);
    let stones = played.map(|played| played.winning_stones());
    let points = stones.iter().flat_map(|stones| stones.iter());
    points.map(|point| point.to_string()).collect()
}

/// The charts of the score, game by game as they ended.
fn charts(settings: &MatchSettings, games: &[MatchGame]) -> Vec<Chart> {
    if settings.engines.len() != 2 {
        let groups = standings_of_groups(settings.names(), games);
        return groups.iter().map(rating_chart).collect();
    }
    let mut standings = Standings::new(settings.names());
    let step = games.len().div_ceil(SAMPLES).max(1);
    let (mut elo, mut low, mut high, mut llr) = (vec![], vec![], vec![], vec![]);
    for (i, game) in games.iter().enumerate() {
        standings.add(game);
        let Some(head_to_head) = standings.first() else {
            continue;
        };
        let shown = (i + 1) % step == 0 || i + 1 == games.len();
        let x = (i + 1) as f64;
        if let Some(estimate) = EloEstimate::from_pairs(&head_to_head.pairs).filter(|_| shown) {
            elo.push((x, estimate.elo));
            low.push((x, estimate.elo - estimate.elo_error));
            high.push((x, estimate.elo + estimate.elo_error));
        }
        if let Some(sprt) = settings.sprt.filter(|_| shown) {
            llr.push((x, sprt.llr(&head_to_head.pairs)));
        }
    }
    let last = elo.last().map_or(0.0, |&(_, elo)| elo);
    // The wild swings of the first games would flatten all the rest.
    let around = low.last().zip(high.last()).map(|(l, h)| (h.1 - l.1) * 2.0);
    let reach = around.unwrap_or(100.0).max(20.0);
    let all = [0.0, games.len() as f64];
    let mut chart = Chart::new("Elo, 95 %", all, [last - reach, last + reach]);
    chart.band(&low, &high);
    chart.level(0.0);
    chart.line("line", elo);
    let mut charts = vec![chart];
    if let Some(sprt) = settings.sprt {
        let bounds = [sprt.lower(), sprt.upper()];
        let mut chart = Chart::new(
            "Log-likelihood ratio",
            all,
            bounds.map(|bound| bound * 1.15),
        );
        bounds.into_iter().for_each(|bound| chart.level(bound));
        chart.line("line", llr);
        charts.push(chart);
    }
    charts
}

/// The ratings of engines that games connect, with their error bars.
fn rating_chart(standings: &Standings) -> Chart {
    let ratings = standings.ratings();
    let order = ratings.order();
    let reach = (order.iter())
        .map(|&player| ratings.of(player))
        .map(|rating| rating.elo.abs() + rating.error)
        .fold(20.0, f64::max);
    let mut chart = Chart::new(
        "Ratings, 95 %",
        [0.0, order.len() as f64 + 1.0],
        [-reach, reach],
    );
    chart.level(0.0);
    for (place, player) in order.into_iter().enumerate() {
        let rating = ratings.of(player);
        let name = &standings.names()[player];
        chart.bar(place as f64 + 1.0, rating.elo, rating.error, name);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_html() {
        let mut table = Table::new("T".into(), &["Name", "Elo"]);
        table.add(vec!["a<b".into(), "+1.5".into()]);
        let values = Page {
            title: "{{data}}".into(),
            rule: "renju",
            size: "15",
            tables: vec![PageTable::of(&table)],
            charts: Vec::new(),
            data: "{}".into(),
        };
        let html = fill(TEMPLATE, values);
        assert!(
            html.contains("<td>a&lt;b</td><td class=\"number\">+1.5</td>"),
            "{html}"
        );
        assert!(html.contains("<th>Name</th>"), "{html}");
        assert!(html.contains("<h1>{{data}}</h1>"), "{html}");
    }
}
