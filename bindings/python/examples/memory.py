"""Plays short games and prints the resident memory, which should not grow.

Usage: python memory.py [GAMES]
"""

import resource
import sys

import quincunx


def resident():
    """The resident memory in KiB, or its peak where the system does not tell."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def play(engine):
    game = quincunx.Game("freestyle", 9)
    while not game.result and len(game.moves) < 20:
        game.play(engine.think(game, nodes=50, lines=2).move)
    if game.result:
        game.undo()
    quincunx.solve(game, nodes=50)
    game.forbidden()


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    print("start", resident(), "KiB")
    for number in range(1, games + 1):
        # Every tenth game has an engine of its own.
        if number % 10 == 1:
            engine = quincunx.Engine(table_mib=1)
        play(engine)
        if number in (10, 100) or number % 500 == 0:
            print("after", number, "games", resident(), "KiB", flush=True)


main()
