"""Compares structures that a line network could have.

All of them learn the scores of the search, or the answers of a teacher of teacher.py, from the
same batches and at the same time, so that what differs in the end is what they can represent.

    python3 lab/structures.py games.qx --seconds 200
    python3 lab/structures.py games.qx --teacher games.teacher --seconds 200

The networks here know nothing but the stones: the engine's has the classical evaluation and
counts of threats as well. README.md beside it has the details.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from teacher import Answers, Positions, Teacher, entropy, read_games

# The share of the search or the teacher in the targets. The rest is the result.
SCORE_SHARE = 0.75
# What the sums over the board are divided by, as in crates/engine/src/eval/line/head.rs.
POOL = 15.0
# The codes of a point in a window.
EMPTY, OWN, OTHER, WALL = 0, 1, 2, 3


def numbers_of_windows(radius):
    """The number of every window by its bits, two for a point, and how many numbers there are.
    Mirror images have the same number, what is beyond a wall does not count, and the window
    without stones has number zero."""
    width = 2 * radius + 1
    codes = np.arange(4**width, dtype=np.int64)
    points = [codes >> 2 * place & 3 for place in range(width)]
    for side in (range(radius - 1, -1, -1), range(radius + 1, width)):
        beyond = np.zeros(len(codes), bool)
        for place in side:
            beyond |= points[place] == WALL
            points[place] = np.where(beyond, WALL, points[place])
    seen = sum(point << 2 * place for place, point in enumerate(points))
    mirrored = sum(point << 2 * (width - 1 - place) for place, point in enumerate(points))
    seen = np.minimum(seen, mirrored)
    stones = np.zeros(len(codes), bool)
    for point in points:
        stones |= (point == OWN) | (point == OTHER)
    # No point of the board is a wall.
    seen = np.where(stones & (points[radius] != WALL), seen, -1)
    kinds, numbers = np.unique(seen, return_inverse=True)
    return torch.from_numpy(numbers.astype(np.int32)), len(kinds)


class Windows:
    """Finds the windows of boards: for each point four numbers as the side to move sees them,
    and four as its opponent does."""

    def __init__(self, radius, device):
        self.radius = radius
        numbers, self.count = numbers_of_windows(radius)
        self.numbers = numbers.to(device)

    def __call__(self, own, other):
        """Boards of stones, batch x height x width, to batch x 2 x points x 4."""
        views = []
        for first, second in ((own, other), (other, own)):
            codes = F.pad((first * OWN + second * OTHER).int(), [self.radius] * 4, value=WALL)
            views.append(torch.stack([self.line(codes, *step) for step in STEPS], -1))
        return self.numbers[torch.stack(views, 1).long()].flatten(2, 3)

    def line(self, codes, down, right):
        radius = self.radius
        height, width = (side - 2 * radius for side in codes.shape[1:])
        bits = 0
        for place in range(-radius, radius + 1):
            top, left = radius + place * down, radius + place * right
            seen = codes[:, top : top + height, left : left + width]
            bits = bits + (seen << 2 * (place + radius))
        return bits


# Along rows, columns and the two diagonals.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Network(nn.Module):
    """A line network with the channels of its points summed over the board, and what else
    `structure` adds to the sums."""

    def __init__(self, windows, channels=32, hidden=32, structure=None):
        super().__init__()
        self.windows, self.channels = windows, channels
        # Rows and columns, then diagonals.
        self.embeddings = nn.Parameter(0.05 * torch.randn(2 * windows.count, channels))
        self.structure = structure(channels) if structure else None
        inputs = 2 * channels + 2 + (self.structure.outputs if self.structure else 0)
        self.head = nn.Sequential(
            nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1)
        )

    def forward(self, numbers, board, size):
        batch, points = numbers.shape[0], numbers.shape[2]
        group = torch.tensor([0, 0, 1, 1], device=numbers.device) * self.windows.count
        rows = (numbers.long() + group).view(-1, 4)
        # The window without stones is the first along rows and columns, and along diagonals.
        kinds = self.embeddings.view(2, self.windows.count, self.channels)
        table = torch.cat([kinds[:, :1] * 0, kinds[:, 1:]], 1).flatten(0, 1)
        sums = F.embedding_bag(rows, table, mode="sum").view(batch, 2, points, self.channels)
        half = self.channels // 2
        # Half of the channels by ReLU, half by the square of a clipped ReLU.
        features = torch.cat(
            [F.relu(sums[..., :half]), sums[..., half:].clamp(0, 255 / 64).square()], -1
        )
        pooled = features.sum(2).flatten(1) / POOL
        inputs = [pooled, board]
        if self.structure:
            inputs.append(self.structure(features, size))
        return self.head(torch.cat(inputs, 1))[:, 0]


class Regions(nn.Module):
    """The sums over nine regions of the board, each through one small layer."""

    def __init__(self, channels):
        super().__init__()
        self.layer = nn.Linear(2 * channels, 16)
        self.outputs = 9 * 16

    def forward(self, features, size):
        batch = features.shape[0]
        planes = features.view(batch, 2, size, size, -1)
        cuts = [0, size // 3, size - size // 3, size]
        regions = [
            planes[:, :, top:bottom, left:right].sum((2, 3)).flatten(1)
            for top, bottom in zip(cuts, cuts[1:])
            for left, right in zip(cuts, cuts[1:])
        ]
        return F.relu(self.layer(torch.stack(regions, 1) / POOL * 3)).flatten(1)


class Neighbours(nn.Module):
    """A depthwise convolution over the nine points around each, alike in all eight symmetries."""

    def __init__(self, channels):
        super().__init__()
        self.weights = nn.Parameter(0.1 * torch.randn(3, channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.outputs = 2 * channels

    def around(self, features, size):
        batch, colors, points, channels = features.shape
        planes = features.view(batch * colors, size, size, channels).permute(0, 3, 1, 2)
        center, beside, diagonal = self.weights
        rows = [
            [diagonal, beside, diagonal],
            [beside, center, beside],
            [diagonal, beside, diagonal],
        ]
        kernel = torch.stack([torch.stack(row) for row in rows]).permute(2, 0, 1)[:, None]
        planes = F.conv2d(planes, kernel, self.bias, padding=1, groups=channels)
        return planes.permute(0, 2, 3, 1).reshape(batch, colors, points, channels)

    def forward(self, features, size):
        return F.relu(self.around(features, size)).sum(2).flatten(1) / POOL


class BothColours(nn.Module):
    """A layer over what both colours have in a point."""

    def __init__(self, channels):
        super().__init__()
        self.layer = nn.Linear(2 * channels, 32)
        self.outputs = 32

    def forward(self, features, size):
        both = features.transpose(1, 2).flatten(2)
        return F.relu(self.layer(both)).sum(1) / POOL


class BothColoursAround(nn.Module):
    """A convolution over neighbours, then a layer over what both colours have in a point."""

    def __init__(self, channels):
        super().__init__()
        self.neighbours = Neighbours(channels)
        self.layer = nn.Linear(4 * channels, 32)
        self.outputs = 32

    def forward(self, features, size):
        around = F.relu(self.neighbours.around(features, size))
        both = torch.cat([features, around], -1).transpose(1, 2).flatten(2)
        return F.relu(self.layer(both)).sum(1) / POOL


class Strongest(nn.Module):
    """The largest activation of each channel: the point that matters most."""

    def __init__(self, channels):
        super().__init__()
        self.outputs = 2 * channels

    def forward(self, features, size):
        return features.amax(2).flatten(1)


class FullConvolution(nn.Module):
    """A convolution of all channels of both colours: the most that neighbours can say."""

    def __init__(self, channels):
        super().__init__()
        self.convolution = nn.Conv2d(2 * channels, 32, 3, padding=1)
        self.outputs = 32

    def forward(self, features, size):
        batch = features.shape[0]
        planes = features.transpose(1, 2).flatten(2).view(batch, size, size, -1)
        planes = self.convolution(planes.permute(0, 3, 1, 2))
        return F.relu(planes).sum((2, 3)) / POOL


def networks(names, device):
    nine = Windows(4, device)
    makers = {
        "sum": lambda: Network(nine),
        "sum, 64 channels": lambda: Network(nine, channels=64),
        "sum, 128 hidden": lambda: Network(nine, hidden=128),
        "regions": lambda: Network(nine, structure=Regions),
        "neighbours": lambda: Network(nine, structure=Neighbours),
        "both colours": lambda: Network(nine, structure=BothColours),
        "both colours around": lambda: Network(nine, structure=BothColoursAround),
        "strongest": lambda: Network(nine, structure=Strongest),
        "full convolution": lambda: Network(nine, structure=FullConvolution),
        "windows of 11": lambda: Network(Windows(5, device)),
    }
    made = {}
    for name in names or makers:
        torch.manual_seed(1)
        made[name] = makers[name]().to(device)
    return made


class Quiet:
    """The positions of one board size that are learned from, with what the side to move has of
    them by the search or, if there is one, by the teacher."""

    def __init__(self, answers, positions, batch):
        self.positions = positions
        chance = positions.search.clone()
        quiet = torch.zeros(len(chance), dtype=torch.bool, device=chance.device)
        everything = torch.arange(len(chance), device=chance.device)
        for numbers in everything.split(batch):
            boards = positions.boards(numbers)
            if answers:
                value, _ = answers(positions.planes(boards))
                chance[numbers] = torch.sigmoid(value.float())
            quiet[numbers] = ~has_five(*self.stones(boards))
        decided = (positions.search - 0.5).abs() > 0.5 - 4.5e-5  # |score| beyond 2,000 units
        quiet &= ~decided
        self.target = SCORE_SHARE * chance + (1 - SCORE_SHARE) * positions.result
        self.chance = chance
        self.training = positions.training[quiet[positions.training]]
        self.validation = positions.validation[quiet[positions.validation]]

    def stones(self, boards):
        size = self.positions.size
        return [boards[:, color].view(-1, size, size) for color in range(2)]

    def inputs(self, numbers, windows):
        boards = self.positions.boards(numbers)
        own, other = self.stones(boards)
        count = boards[:, :2].sum((1, 2))
        size = torch.full_like(count, (self.positions.points - 300) / 100)
        return {kind: kind(own, other) for kind in windows}, torch.stack(
            [(count - 40) / 50, size], 1
        )


def has_five(own, other):
    """Whether a side has a four that one point makes a five."""
    found = torch.zeros(len(own), dtype=torch.bool, device=own.device)
    size = own.shape[1]
    for stones, enemy in ((own, other), (other, own)):
        for down, right in STEPS:
            height, width = size - 4 * down, size - 4 * abs(right)
            start = 4 if right < 0 else 0
            count = 0
            for place in range(5):
                left = start + place * right
                rows = slice(place * down, place * down + height)
                part = (slice(None), rows, slice(left, left + width))
                count = count + stones[part] - 5 * enemy[part]
            found |= (count == 4).flatten(1).any(1)
    return found


def train(made, sets, seconds, batch, rate):
    """Trains all networks on the same batches."""
    windows = {network.windows for network in made.values()}
    optimizers = {name: torch.optim.AdamW(net.parameters(), lr=rate) for name, net in made.items()}
    counts = np.array([len(quiet.training) for quiet in sets], float)
    random = np.random.default_rng(1)
    start, steps, share, reported = time.time(), 0, 0.0, 0.0
    while share < 1:
        share = min(1.0, (time.time() - start) / seconds)
        for optimizer in optimizers.values():
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (steps + 1) / 200) * 0.5 * (1 + np.cos(np.pi * share))
        quiet = sets[random.choice(len(sets), p=counts / counts.sum())]
        picked = torch.randint(len(quiet.training), (batch,), device=quiet.target.device)
        numbers = quiet.training[picked]
        seen, board = quiet.inputs(numbers, windows)
        for name, network in made.items():
            value = network(seen[network.windows], board, quiet.positions.size)
            loss = F.binary_cross_entropy_with_logits(value, quiet.target[numbers])
            optimizers[name].zero_grad(set_to_none=True)
            loss.backward()
            optimizers[name].step()
        steps += 1
        if share > reported + 0.1:
            reported = share
            speed = steps * batch / (time.time() - start)
            seconds_so_far = time.time() - start
            print(
                f"{seconds_so_far:6.1f} s: step {steps}, {speed:.0f} positions a second", flush=True
            )
    print(f"{steps * batch} samples, {sum(len(quiet.training) for quiet in sets)} positions")


@torch.no_grad()
def validate(made, sets, batch):
    windows = {network.windows for network in made.values()}
    print(f"{'':22} {'on targets':>10} {'on results':>10} {'on scores':>10}   by board")
    losses = {name: [] for name in ["what is learned", *made]}
    for quiet in sets:
        rows = {name: [] for name in losses}
        for numbers in quiet.validation.split(batch):
            seen, board = quiet.inputs(numbers, windows)
            goals = [quiet.target, quiet.positions.result, quiet.chance]
            goals = [goal[numbers] for goal in goals]
            for name in losses:
                if name in made:
                    network = made[name]
                    value = network(seen[network.windows], board, quiet.positions.size)
                    chance = torch.sigmoid(value)
                else:
                    chance = quiet.chance[numbers]
                rows[name].append(torch.stack([entropy(chance, goal) for goal in goals], 1))
        for name in losses:
            losses[name].append(torch.cat(rows[name]))
    for name, boards in losses.items():
        means = torch.cat(boards).mean(0).tolist()
        by_board = " ".join(
            f"{quiet.positions.size}: {rows[:, 0].mean().item():.5f}"
            for quiet, rows in zip(sets, boards)
        )
        print(f"{name:22} " + " ".join(f"{mean:10.5f}" for mean in means) + f"   {by_board}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", type=Path, help="a file of games")
    parser.add_argument("--teacher", type=Path, help="a teacher to learn from, not the search")
    parser.add_argument("--seconds", type=float, default=200, help="for training")
    parser.add_argument("--channels", type=int, default=128, help="of the teacher")
    parser.add_argument("--blocks", type=int, default=6, help="of the teacher")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--limit", type=int, default=1 << 60, help="positions to use at most")
    parser.add_argument("--only", nargs="*", help="names of structures")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    on_gpu = torch.cuda.is_available()
    device = torch.device("cuda" if on_gpu else "cpu")
    _, all_boards, _ = read_games(arguments.games, arguments.limit)
    teacher = None
    if arguments.teacher:
        teacher = Teacher(arguments.channels, arguments.blocks, len(all_boards)).to(device)
        teacher.load_state_dict(torch.load(arguments.teacher, map_location=device))
        teacher.eval()
    made = networks(arguments.only, device)
    sets = []
    with torch.no_grad():
        for number, boards in enumerate(all_boards):
            positions = Positions(boards, device)
            answers = Answers(teacher, number, on_gpu) if teacher else None
            sets.append(Quiet(answers, positions, 4 * arguments.batch))
    train(made, sets, arguments.seconds, arguments.batch, arguments.rate)
    validate(made, sets, 2 * arguments.batch)


if __name__ == "__main__":
    main()
