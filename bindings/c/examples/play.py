"""A game of the engine against itself: python play.py libquincunx.so. Prints its moves."""

import ctypes
import sys
import threading

RENJU = 2


class Limits(ctypes.Structure):
    _fields_ = [
        ("milliseconds", ctypes.c_uint64),
        ("nodes", ctypes.c_uint64),
        ("depth", ctypes.c_uint32),
        ("memory_kib", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
    ]


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint32), ("y", ctypes.c_uint32)]


def play(library):
    library.quincunx_new.restype = ctypes.c_void_p
    engine = ctypes.c_void_p(library.quincunx_new(RENJU, 15, 15))
    limits, best, is_over = Limits(nodes=500), Point(), ctypes.c_int32()
    moves = []
    while len(moves) < 12 and not is_over.value:
        assert library.quincunx_think(engine, ctypes.byref(limits), None, None, ctypes.byref(best)) == 0
        assert library.quincunx_play(engine, best.x, best.y) == 0
        moves.append(f"{chr(ord('a') + best.x)}{best.y + 1}")
        assert library.quincunx_result(engine, ctypes.byref(is_over), None) == 0
    library.quincunx_free(engine)
    print(" ".join(moves))


# A search needs 16 MiB of stack.
threading.stack_size(32 << 20)
thread = threading.Thread(target=play, args=[ctypes.CDLL(sys.argv[1])])
thread.start()
thread.join()
