"""Trains a residual network on self-play games and labels their positions.

The line network of the engine is small, because the search asks it a million times a second.
This network is large and asked once a position. It sees the whole board, so what it says of a
position is worth more than the result of one game. `quincunx train --labels` fits a line
network to its labels.

    python3 lab/teacher.py games.qx --out games.labels --seconds 500
    python3 lab/teacher.py games.qx --teacher games.teacher --out more.labels --alternatives 7

It needs PyTorch and, for more than a trial, an accelerator. README.md beside it has the details.
"""

import argparse
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

# Units of a search's score in a logit, as in crates/engine/src/score.rs.
LOGIT = 200.0
# The share of the rest of the game in the target of a value, and the lambda of its TD(lambda).
FUTURE_SHARE = 0.6
LAMBDA = 0.9
# Labels are bytes: steps of a twentieth of a logit, 128 is an even position.
STEP = 20.0
NO_MOVE = 0xFFFF
# Planes of a position: the stones of the side to move, those of its opponent, ones, and ones where
# black is to move. The rules of renju differ by colour, and so does the first move's advantage.
PLANES = 4
MASK64 = (1 << 64) - 1


@dataclass
class Boards:
    """The games on boards of one size, and their positions."""

    size: int
    # By game: its moves as points, then zeros. A point is column + size * row.
    moves: np.ndarray
    # By position: its game, the stones before it, the chance of the side to move by the search,
    # the result and the target of its value, whether the game was drawn, the best move, and
    # where its label stands in the file.
    game: np.ndarray
    ply: np.ndarray
    search: np.ndarray
    result: np.ndarray
    target: np.ndarray
    drawn: np.ndarray
    best: np.ndarray
    label: np.ndarray
    validation: np.ndarray


def is_validation(seed, number):
    """The same games are kept from training as by `quincunx train`."""
    mixed = number ^ (seed * 0x9E3779B97F4A7C15 & MASK64)
    return ((mixed * 0xD6E8FEB86659FD93 & MASK64) >> 32 & 0xFFFFFFFF) < (1 << 32) // 10


def read_games(path, limit):
    """Reads a file of games (crates/train/src/record.rs). Returns the number of its rule, the
    boards by size, of the games that come before `limit` plies, and the number of all plies."""
    data = path.read_bytes()
    if data[:8] != b"QXGAMES\0":
        raise SystemExit(f"{path} is no file of games")
    rule, at, plies, games = data[10], 16, 0, {}
    while at + 8 <= len(data):
        length = struct.unpack_from("<I", data, at)[0]
        body = data[at + 8 : at + 8 + length]
        if len(body) < length:
            break
        at += 8 + length
        seed, number, _, width, height, winner, _, opening, searched = struct.unpack_from(
            "<QIIBBBBHH", body
        )
        if width == height and searched and plies < limit:
            first = np.frombuffer(body, "<u2", opening, 24)
            rest = np.frombuffer(body, "<u2", 3 * searched, 24 + 2 * opening).reshape(-1, 3)
            game = (first, rest, winner, is_validation(seed, number), plies)
            games.setdefault(width, []).append(game)
        plies += searched
    return rule, [boards_of(size, games[size]) for size in sorted(games)], plies


def boards_of(size, games):
    """Makes arrays of games on boards of one size."""
    count, longest = len(games), max(len(first) + len(rest) for first, rest, *_ in games)
    moves = np.zeros((count, longest), np.int16)
    best = np.zeros((count, longest), np.int16)
    score = np.zeros((count, longest), np.int16)
    kind = np.zeros((count, longest), np.int8)  # 1 searched, 2 played otherwise than searched
    starts, ends = np.zeros(count, int), np.zeros(count, int)

    def point(packed):
        return (packed & 31) + size * (packed >> 5)

    for row, (first, rest, *_) in enumerate(games):
        start, end = len(first), len(first) + len(rest)
        starts[row], ends[row] = start, end
        moves[row, :start] = point(first)
        played = rest[:, 0] & 0x7FFF
        moves[row, start:end] = point(played)
        best[row, start:end] = point(rest[:, 1])
        score[row, start:end] = rest[:, 2].view(np.int16)
        kind[row, start:end] = 1 + ((rest[:, 0] != played) & (played != rest[:, 1]))
    winner = np.array([game[2] for game in games])
    held_out = np.array([game[3] for game in games])
    offset = np.array([game[4] for game in games])
    search = 1 / (1 + np.exp(-score / LOGIT))
    side = np.arange(longest) % 2
    result = np.where(winner[:, None] == 2, 0.5, winner[:, None] == side)
    # What the rest of the game says, from its end to its start: the lambda-return. A sampled
    # move says nothing of the position before it.
    future = np.zeros((count, longest))
    for ply in range(longest - 1, -1, -1):
        last, sampled = ends - 1 == ply, kind[:, ply] == 2
        if ply + 1 < longest:
            ahead = (1 - LAMBDA) * search[:, ply + 1] + LAMBDA * future[:, ply + 1]
            future[:, ply] = np.where(sampled, search[:, ply], 1 - ahead)
        future[last, ply] = result[last, ply]
    target = FUTURE_SHARE * future + (1 - FUTURE_SHARE) * search
    game, ply = np.nonzero(kind)
    return Boards(
        size=size,
        moves=moves,
        game=game,
        ply=ply.astype(np.int16),
        search=search[game, ply].astype(np.float32),
        result=result[game, ply].astype(np.float32),
        target=target[game, ply].astype(np.float32),
        drawn=(winner[game] == 2).astype(np.float32),
        best=best[game, ply],
        label=offset[game] + ply - starts[game],
        validation=held_out[game],
    )


class Block(nn.Module):
    """A residual block. Boards of different sizes have other densities of stones, so each size
    has a normalisation of its own."""

    def __init__(self, channels, sizes):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norms = nn.ModuleList(
            nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2)) for _ in range(sizes)
        )
        # Channels are weighed by what the whole board has of them.
        self.squeeze = nn.Linear(channels, channels // 4)
        self.excite = nn.Linear(channels // 4, channels)

    def forward(self, inputs, size):
        first, second = self.norms[size]
        outputs = F.relu(first(self.first(inputs)), inplace=True)
        outputs = second(self.second(outputs))
        weights = self.excite(F.relu(self.squeeze(outputs.mean((2, 3)))))
        return F.relu(outputs * torch.sigmoid(weights)[:, :, None, None] + inputs)


class Teacher(nn.Module):
    """Value and draw of a position in logits, and the logits of its moves."""

    def __init__(self, channels, blocks, sizes):
        super().__init__()
        self.entry = nn.Conv2d(PLANES, channels, 5, padding=2)
        self.blocks = nn.ModuleList(Block(channels, sizes) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(2 * channels, 128)
        self.values = nn.Linear(128, 2)

    def forward(self, boards, size):
        features = F.relu(self.entry(boards))
        for block in self.blocks:
            features = block(features, size)
        policy = self.policy(features).flatten(1)
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        values = self.values(F.relu(self.hidden(pooled)))
        return values[:, 0].float(), values[:, 1].float(), policy.float()


def folded(convolution, norm):
    """The weights and biases of a convolution and the normalisation after it, as one."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale


class Answers:
    """A trained teacher as a function, for boards of one size: its normalisations are part of the
    convolutions, and on an accelerator its numbers are bfloat16. It gives the values and the
    logits of the moves."""

    def __init__(self, teacher, size, on_gpu):
        self.dtype = torch.bfloat16 if on_gpu else torch.float32

        def prepared(weights, biases):
            weights = weights.to(self.dtype).contiguous(memory_format=torch.channels_last)
            return weights, biases.to(self.dtype)

        self.teacher = teacher
        self.entry = prepared(teacher.entry.weight, teacher.entry.bias)
        self.policy = prepared(teacher.policy.weight, teacher.policy.bias)
        self.blocks = [
            (prepared(*folded(block.first, first)), prepared(*folded(block.second, second)), block)
            for block in teacher.blocks
            for first, second in [block.norms[size]]
        ]

    def __call__(self, boards):
        features = F.relu_(F.conv2d(boards.to(self.dtype), *self.entry, padding=2))
        for first, second, block in self.blocks:
            outputs = F.relu_(F.conv2d(features, *first, padding=1))
            outputs = F.conv2d(outputs, *second, padding=1)
            weights = block.excite(F.relu(block.squeeze(outputs.mean((2, 3)).float())))
            weights = torch.sigmoid(weights).to(self.dtype)[:, :, None, None]
            features = torch.addcmul(features, outputs, weights).relu_()
        policy = F.conv2d(features, *self.policy).flatten(1)
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1).float()
        values = self.teacher.values(F.relu(self.teacher.hidden(pooled)))
        return values[:, 0], policy.float()


class Positions:
    """The positions of boards of one size on the device that computes."""

    def __init__(self, boards, device):
        self.size, self.points = boards.size, boards.size**2
        self.moves = torch.from_numpy(boards.moves).to(device)
        self.index = torch.arange(boards.moves.shape[1], device=device)
        arrays = ["game", "ply", "search", "result", "target", "drawn", "best"]
        for name in arrays:
            setattr(self, name, torch.from_numpy(getattr(boards, name)).to(device))
        held_out = torch.from_numpy(boards.validation).to(device)
        self.training = torch.nonzero(~held_out).flatten()
        self.validation = torch.nonzero(held_out).flatten()
        grid = torch.arange(self.points, device=device).view(self.size, self.size)
        turned = [torch.rot90(grid, turns) for turns in range(4)]
        views = turned + [view.t() for view in turned]
        # By symmetry: the old point of a new one, and the new point of an old one.
        self.old = torch.stack([view.flatten() for view in views])
        self.new = torch.argsort(self.old, 1)

    def boards(self, numbers):
        """The planes of positions, as PLANES describes them."""
        moves, ply = self.moves[self.game[numbers]].long(), self.ply[numbers].long()[:, None]
        age = ply - self.index
        # The newest stone is the opponent's.
        plane = torch.where(age % 2 == 0, 0, self.points)
        spare = 2 * self.points
        slots = torch.where(age > 0, moves + plane, spare)
        stones = torch.zeros(len(numbers), spare + 1, device=moves.device)
        stones.scatter_(1, slots, 1)
        stones = stones[:, :spare].view(-1, 2, self.points)
        ones = torch.ones_like(stones[:, :1])
        return torch.cat([stones, ones, ones * (ply[:, :, None] % 2 == 0)], 1)

    def planes(self, boards):
        shaped = boards.view(-1, PLANES, self.size, self.size)
        return shaped.contiguous(memory_format=torch.channels_last)


def learn(teacher, sets, seconds, asked, batch, rate, on_gpu):
    """Trains until what is left of `seconds` is needed to ask the network about so many
    positions. An answer costs a third of a step or somewhat more."""
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=rate, weight_decay=0.01)
    counts = np.array([len(positions.training) for positions in sets], float)
    random = np.random.default_rng(1)
    start, steps, reported, sums = time.time(), 0, 0.0, []
    teacher.train()
    share = 0.0
    while share < 1:
        warm = min(1.0, (steps + 1) / 200)
        for group in optimizer.param_groups:
            group["lr"] = rate * warm * 0.5 * (1 + np.cos(np.pi * share))
        number = random.choice(len(sets), p=counts / counts.sum())
        positions = sets[number]
        picked = torch.randint(len(positions.training), (batch,), device=positions.old.device)
        numbers = positions.training[picked]
        symmetry = random.integers(8)
        boards = positions.boards(numbers)[:, :, positions.old[symmetry]]
        best = positions.new[symmetry][positions.best[numbers].long()]
        with torch.autocast("cuda" if on_gpu else "cpu", torch.bfloat16, enabled=on_gpu):
            value, draw, policy = teacher(positions.planes(boards), number)
        losses = (
            F.binary_cross_entropy_with_logits(value, positions.target[numbers]),
            F.binary_cross_entropy_with_logits(draw, positions.drawn[numbers]),
            F.cross_entropy(policy, best),
        )
        loss = losses[0] + 0.1 * losses[1] + 0.25 * losses[2]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimizer.step()
        steps += 1
        speed = steps * batch / (time.time() - start)
        share = (time.time() - start) / max(seconds - asked / (2.5 * speed), seconds / 4)
        sums.append(torch.stack(losses).detach())
        if share > reported + 0.05 or steps == 20:
            reported = share
            value, draw, policy = torch.stack(sums).mean(0).tolist()
            sums = []
            print(
                f"{time.time() - start:6.1f} s: step {steps}, value {value:.5f}, "
                f"draw {draw:.5f}, moves {policy:.4f}; {speed:.0f} positions a second",
                flush=True,
            )


def entropy(chance, target):
    chance = chance.clamp(1e-6, 1 - 1e-6)
    return -(target * chance.log() + (1 - target) * (1 - chance).log())


@torch.no_grad()
def validate(answers, sets, batch):
    """Prints the losses on the games that were kept from training."""
    for answer, positions in zip(answers, sets):
        rows = []
        for numbers in positions.validation.split(batch):
            value, policy = answer(positions.planes(positions.boards(numbers)))
            chance, best = torch.sigmoid(value), positions.best[numbers].long()
            result, search = positions.result[numbers], positions.search[numbers]
            open_ = (search - 0.5).abs() < 0.5 - 4.5e-5  # |score| at most 2,000 units
            row = torch.stack(
                [
                    entropy(chance, result),
                    entropy(search, result),
                    entropy(chance, positions.target[numbers]),
                    (policy.argmax(1) == best).float(),
                ],
                1,
            )
            rows.append(row[open_])
        rows = torch.cat(rows)
        results, search, targets, moves = rows.mean(0).tolist()
        print(
            f"{positions.size}x{positions.size}, {len(rows)} undecided positions of games kept "
            f"from training: on results {results:.5f}, search {search:.5f}; "
            f"on targets {targets:.5f}; best moves {moves:.3f}",
            flush=True,
        )


def as_bytes(value):
    return (STEP * value + 128).round().clamp(1, 255).to(torch.uint8).cpu().numpy()


@torch.no_grad()
def label(answer, boards, positions, records, alternatives, batch):
    """Writes the labels of positions, and moves that the teacher would consider there with the
    labels of the positions that they lead to."""
    generator = torch.Generator(device=positions.old.device).manual_seed(1)
    everything = torch.arange(len(positions.game), device=positions.old.device)
    for numbers in everything.split(batch):
        stones = positions.boards(numbers)
        value, policy = answer(positions.planes(stones))
        rows = boards.label[numbers.cpu().numpy()]
        records["value"][rows] = as_bytes(value)
        occupied = stones[:, :2].sum(1) > 0
        played = positions.moves[positions.game[numbers], positions.ply[numbers].long()]
        policy = (policy / 1.5).masked_fill(occupied, -1e9)
        policy.scatter_(1, played.long()[:, None], -1e9)
        # A draw without replacement: the largest of logits with Gumbel noise.
        noise = torch.rand(policy.shape, device=policy.device, generator=generator)
        drawn = (policy - (-noise.clamp_min(1e-20).log()).log()).topk(alternatives, 1).indices
        # After a move it is the opponent who is to move.
        swapped = torch.cat([stones[:, [1, 0, 2]], 1 - stones[:, 3:]], 1)
        for place in range(alternatives):
            moves = drawn[:, place]
            after = swapped.clone()
            after[:, 1].scatter_(1, moves[:, None], 1)
            value, _ = answer(positions.planes(after))
            packed = moves % positions.size + 32 * (moves // positions.size)
            taken = occupied.gather(1, moves[:, None])[:, 0]
            packed = torch.where(taken, NO_MOVE, packed)
            records["move"][rows, place] = packed.cpu().numpy()
            records["after"][rows, place] = as_bytes(value)


def write_labels(path, rule, alternatives, games, records):
    """Writes a file of labels, as crates/train/src/line/labels.rs reads it."""
    head = struct.pack("<8sHBBII", b"QXLABELS", 2, rule, alternatives, len(records), games)
    body = records.tobytes()
    path.write_bytes(head + body + struct.pack("<I", zlib.crc32(head + body)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", type=Path, help="a file of games")
    parser.add_argument("--out", type=Path, required=True, help="the file of labels")
    parser.add_argument("--teacher", type=Path, help="a teacher to ask instead of training one")
    parser.add_argument("--seconds", type=float, default=500, help="for training and labels")
    parser.add_argument("--channels", type=int, default=128)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3, help="largest learning rate")
    parser.add_argument("--alternatives", type=int, default=2, help="moves not played, a position")
    parser.add_argument("--limit", type=int, default=1 << 60, help="positions to use at most")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    on_gpu = torch.cuda.is_available()
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda" if on_gpu else "cpu")
    start = time.time()
    rule, all_boards, plies = read_games(arguments.games, arguments.limit)
    sets = [Positions(boards, device) for boards in all_boards]
    for positions in sets:
        kept = len(positions.validation)
        print(
            f"{positions.size}x{positions.size}: {len(positions.moves)} games, "
            f"{len(positions.training)} positions to learn from, {kept} kept from training"
        )
    print(f"{time.time() - start:6.1f} s: {plies} positions read; computing on {device}", flush=True)
    teacher = Teacher(arguments.channels, arguments.blocks, len(sets)).to(device)
    teacher = teacher.to(memory_format=torch.channels_last)
    asked = sum(len(positions.game) for positions in sets) * (1 + arguments.alternatives)
    if arguments.teacher:
        weights = torch.load(arguments.teacher, map_location=device)
        teacher.load_state_dict(weights)
    else:
        seconds = arguments.seconds - (time.time() - start)
        learn(teacher, sets, seconds, asked, arguments.batch, arguments.rate, on_gpu)
        weights = {name: numbers.half() for name, numbers in teacher.state_dict().items()}
        torch.save(weights, arguments.out.with_suffix(".teacher"))
    teacher.eval()
    with torch.no_grad():
        answers = [Answers(teacher, size, on_gpu) for size in range(len(sets))]
    batch = 4 * arguments.batch
    validate(answers, sets, batch)
    kinds = [("value", "u1"), ("move", "<u2", (arguments.alternatives,))]
    kinds.append(("after", "u1", (arguments.alternatives,)))
    records = np.zeros(plies, np.dtype(kinds))
    records["value"], records["move"], records["after"] = 0, NO_MOVE, 0
    for answer, boards, positions in zip(answers, all_boards, sets):
        label(answer, boards, positions, records, arguments.alternatives, batch)
        print(f"{time.time() - start:6.1f} s: {positions.size}x{positions.size} labelled", flush=True)
    games = zlib.crc32(arguments.games.read_bytes())
    write_labels(arguments.out, rule, arguments.alternatives, games, records)
    print(f"labels written to {arguments.out}")


if __name__ == "__main__":
    main()
