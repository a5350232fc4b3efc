//! A perfect matching of minimum cost in a general graph.
//!
//! The primal-dual method of Edmonds: every vertex has a price, and an edge may be used while its
//! cost equals the prices of its ends. Alternating trees grow from all unmatched vertices along such
//! edges. An odd cycle of them (a blossom) is contracted into one node. When no tree can grow, prices
//! change until another edge can be used. The search scans all edges for each step: tournaments
//! have at most a few hundred players.

/// Costs are scaled by this, so that prices stay integers when a change of prices is halved.
const SCALE: i128 = 4;

/// The nodes of a path, and the edges between them.
type Path = (Vec<usize>, Vec<(usize, usize)>);

/// The state of a node in a search for one more pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    /// At an even distance from the root of its tree.
    Outer,
    /// At an odd distance, entered by this edge from an outer vertex.
    Inner(usize, usize),
}

/// A vertex, or a contracted odd cycle of nodes.
struct Node {
    /// The vertices in it.
    vertices: Vec<usize>,
    /// The nodes of the cycle; none in a vertex.
    cycle: Vec<usize>,
    /// The edge from each node of the cycle to the next, and from the last to the first.
    links: Vec<(usize, usize)>,
    /// The change of the prices of the vertices inside while it was the outermost node.
    potential: i128,
    label: Label,
}

/// A step of the search.
enum Step {
    /// This edge from an outer vertex can be used.
    Use(usize, usize),
    /// Prices have to change by this first.
    Change(i128),
    /// There is no perfect matching.
    Stuck,
}

struct Search {
    costs: Vec<Vec<Option<i128>>>,
    prices: Vec<i128>,
    mates: Vec<Option<usize>>,
    /// The outermost node of each vertex.
    outermost: Vec<usize>,
    nodes: Vec<Node>,
}

/// The partner of every vertex in a perfect matching of minimum cost, if there is a perfect matching.
/// The cost of an edge is not negative, and the same in both directions; without one there is no edge.
pub(crate) fn minimum_cost_matching(costs: Vec<Vec<Option<i128>>>) -> Option<Vec<usize>> {
    let count = costs.len();
    let scaled = |cost: Option<i128>| cost.map(|cost| cost * SCALE);
    let costs: Vec<Vec<Option<i128>>> = (costs.into_iter())
        .map(|row| row.into_iter().map(scaled).collect())
        .collect();
    // Half of the cheapest edge of each vertex. All prices are even, so those of all outer
    // vertices are even or odd together.
    let price = |row: &Vec<Option<i128>>| Some(row.iter().flatten().min()? / 2);
    let prices = costs.iter().map(price).collect::<Option<Vec<i128>>>()?;
    let node = |vertex| Node {
        vertices: vec![vertex],
        cycle: Vec::new(),
        links: Vec::new(),
        potential: 0,
        label: Label::Free,
    };
    let mut search = Search {
        costs,
        prices,
        mates: vec![None; count],
        outermost: (0..count).collect(),
        nodes: (0..count).map(node).collect(),
    };
    while search.mates.contains(&None) {
        if !search.add_pair() {
            return None;
        }
    }
    search.mates.into_iter().collect()
}

impl Search {
    /// Matches two more vertices. Returns false if that is impossible.
    fn add_pair(&mut self) -> bool {
        self.plant();
        loop {
            match self.next_step() {
                Step::Use(from, to) => {
                    if self.follow(from, to) {
                        return true;
                    }
                }
                Step::Change(by) => self.change_prices(by),
                Step::Stuck => return false,
            }
        }
    }

    /// Makes the nodes with an unmatched vertex the roots of trees.
    fn plant(&mut self) {
        for node in &mut self.nodes {
            node.label = Label::Free;
        }
        for vertex in 0..self.mates.len() {
            if self.mates[vertex].is_none() {
                self.nodes[self.outermost[vertex]].label = Label::Outer;
            }
        }
    }

    /// The outermost nodes.
    fn outermost_nodes(&self) -> Vec<usize> {
        let mut nodes = self.outermost.clone();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn next_step(&self) -> Step {
        let mut least: Option<i128> = None;
        for node in self.outermost_nodes().into_iter().map(|id| &self.nodes[id]) {
            if matches!(node.label, Label::Inner(..)) && !node.cycle.is_empty() {
                least = Some(least.map_or(node.potential, |it| it.min(node.potential)));
            }
            if node.label != Label::Outer {
                continue;
            }
            for &from in &node.vertices {
                for (to, cost) in self.costs[from].iter().enumerate() {
                    let (Some(cost), label) = (cost, self.nodes[self.outermost[to]].label) else {
                        continue;
                    };
                    let slack = cost - self.prices[from] - self.prices[to];
                    let change = match label {
                        _ if self.outermost[from] == self.outermost[to] => continue,
                        Label::Inner(..) => continue,
                        Label::Free => slack,
                        Label::Outer => slack / 2,
                    };
                    if slack == 0 {
                        return Step::Use(from, to);
                    }
                    least = Some(least.map_or(change, |it| it.min(change)));
                }
            }
        }
        least.map_or(Step::Stuck, Step::Change)
    }

    /// Changes the prices of all trees, and opens inner blossoms whose potential is used up.
    fn change_prices(&mut self, by: i128) {
        let mut is_open = false;
        for id in self.outermost_nodes() {
            let node = &mut self.nodes[id];
            let by = match node.label {
                Label::Free => continue,
                Label::Outer => by,
                Label::Inner(..) => -by,
            };
            node.potential += by;
            for &vertex in &node.vertices {
                self.prices[vertex] += by;
            }
            let is_used_up = matches!(node.label, Label::Inner(..)) && node.potential == 0;
            if is_used_up && !node.cycle.is_empty() {
                is_open = true;
                for part in std::mem::take(&mut node.cycle) {
                    for &vertex in &self.nodes[part].vertices {
                        self.outermost[vertex] = part;
                    }
                }
            }
        }
        if is_open {
            // The trees grow again along the same edges.
            self.plant();
        }
    }

    /// Uses an edge from an outer vertex. Returns true if it completes a pair.
    fn follow(&mut self, from: usize, to: usize) -> bool {
        let node = self.outermost[to];
        if self.nodes[node].label == Label::Free {
            self.nodes[node].label = Label::Inner(from, to);
            let mate = self.base(node).and_then(|base| self.mates[base]);
            if let Some(mate) = mate {
                self.nodes[self.outermost[mate]].label = Label::Outer;
            }
            return false;
        }
        let paths = [from, to].map(|vertex| self.path(self.outermost[vertex]));
        let roots = [0, 1].map(|it| paths[it].0.last().copied());
        if roots[0] == roots[1] {
            self.contract(from, to, paths);
            return false;
        }
        self.turn(from, to);
        self.turn(to, from);
        true
    }

    /// The vertex of a node that no edge of its cycle matches.
    fn base(&self, node: usize) -> Option<usize> {
        let is_base =
            |vertex: &usize| self.mates[*vertex].is_none_or(|mate| self.outermost[mate] != node);
        self.nodes[node].vertices.iter().copied().find(is_base)
    }

    /// The nodes from an outer node to the root of its tree, and the edges between them.
    fn path(&self, mut node: usize) -> Path {
        let (mut nodes, mut links) = (vec![node], Vec::new());
        while let Some((base, mate)) = (self.base(node)).and_then(|it| Some((it, self.mates[it]?)))
            && let inner = self.outermost[mate]
            && let Label::Inner(from, to) = self.nodes[inner].label
        {
            node = self.outermost[from];
            nodes.extend([inner, node]);
            links.extend([(base, mate), (to, from)]);
        }
        (nodes, links)
    }

    /// Contracts the odd cycle that an edge closes between the paths from its ends to the root.
    fn contract(&mut self, from: usize, to: usize, paths: [Path; 2]) {
        let [(mut nodes, mut links), (other_nodes, other_links)] = paths;
        // Both paths end alike, from their first common node on.
        let common = nodes.iter().position(|node| other_nodes.contains(node));
        let common = common.unwrap_or(nodes.len() - 1);
        let other = other_nodes.iter().position(|node| *node == nodes[common]);
        let other = other.unwrap_or_default();
        nodes.truncate(common + 1);
        links.truncate(common);
        nodes.reverse();
        links.reverse();
        let mut links: Vec<(usize, usize)> = links.into_iter().map(|(a, b)| (b, a)).collect();
        links.push((from, to));
        nodes.extend(&other_nodes[..other]);
        links.extend(&other_links[..other]);
        let parts = nodes.iter().flat_map(|node| &self.nodes[*node].vertices);
        let vertices: Vec<usize> = parts.copied().collect();
        for &vertex in &vertices {
            self.outermost[vertex] = self.nodes.len();
        }
        self.nodes.push(Node {
            vertices,
            cycle: nodes,
            links,
            potential: 0,
            label: Label::Outer,
        });
    }

    /// Exchanges matched and unmatched edges from a vertex to the root of its tree, and matches the
    /// vertex with `partner`.
    fn turn(&mut self, mut vertex: usize, mut partner: usize) {
        loop {
            let node = self.outermost[vertex];
            let mate = self.base(node).and_then(|base| self.mates[base]);
            self.match_inside(node, vertex);
            self.mates[vertex] = Some(partner);
            let Some(inner) = mate.map(|mate| self.outermost[mate]) else {
                return;
            };
            let Label::Inner(from, to) = self.nodes[inner].label else {
                return;
            };
            self.match_inside(inner, to);
            self.mates[to] = Some(from);
            (vertex, partner) = (from, to);
        }
    }

    /// Matches all vertices of a node with each other but this one.
    fn match_inside(&mut self, node: usize, vertex: usize) {
        let (cycle, links) = (
            self.nodes[node].cycle.clone(),
            self.nodes[node].links.clone(),
        );
        let has_it = |part: &usize| self.nodes[*part].vertices.contains(&vertex);
        let Some(at) = cycle.iter().position(has_it) else {
            return;
        };
        self.match_inside(cycle[at], vertex);
        for step in (1..cycle.len()).step_by(2) {
            let one = (at + step) % cycle.len();
            let other = (one + 1) % cycle.len();
            let (from, to) = links[one];
            self.match_inside(cycle[one], from);
            self.match_inside(cycle[other], to);
            (self.mates[from], self.mates[to]) = (Some(to), Some(from));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The least cost of a perfect matching, by trying all of them.
    fn least_cost(costs: &[Vec<Option<i128>>], left: &[usize]) -> Option<i128> {
        let Some((first, others)) = left.split_first() else {
            return Some(0);
        };
        let with = |other: &usize| {
            let rest: Vec<usize> = others.iter().copied().filter(|it| it != other).collect();
            Some(costs[*first][*other]? + least_cost(costs, &rest)?)
        };
        others.iter().filter_map(with).min()
    }

    /// The costs of all pairs of so many vertices.
    fn symmetric(count: usize, mut cost: impl FnMut() -> Option<i128>) -> Vec<Vec<Option<i128>>> {
        let mut costs = vec![vec![None; count]; count];
        let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        for (one, other) in pairs {
            let cost = cost();
            (costs[one][other], costs[other][one]) = (cost, cost);
        }
        costs
    }

    #[test]
    fn no_matching_is_cheaper() {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut solved, mut unsolvable) = (0, 0);
        for round in 0..20_000 {
            let count = random.usize(1..=5) * 2;
            let largest = [1, 3, 10, 1000][round % 4];
            let density = random.u8(2..=9);
            let costs = symmetric(count, || {
                (random.u8(..10) < density).then(|| random.i128(0..=largest))
            });
            let all: Vec<usize> = (0..count).collect();
            let least = least_cost(&costs, &all);
            let found = minimum_cost_matching(costs.clone());
            let cost = found.map(|mates| {
                assert!(
                    all.iter()
                        .all(|it| mates[mates[*it]] == *it && mates[*it] != *it)
                );
                let halves = all.iter().map(|it| costs[*it][mates[*it]].unwrap());
                halves.sum::<i128>() / 2
            });
            assert_eq!(cost, least, "{costs:?}");
            solved += usize::from(cost.is_some());
            unsolvable += usize::from(cost.is_none());
        }
        assert!(
            solved > 5_000 && unsolvable > 1_000,
            "{solved} {unsolvable}"
        );
    }

    /// As many players as a tournament of people has, and costs that need all bits.
    #[test]
    fn a_full_tournament_with_large_costs() {
        let mut random = fastrand::Rng::with_seed(8);
        let costs = symmetric(64, || Some(random.i128(0..=1 << 110)));
        assert!(minimum_cost_matching(costs).is_some());
    }
}
