/* The Quincunx engine for Gomoku and Renju. Made by cbindgen: do not edit. */

#ifndef QUINCUNX_H
#define QUINCUNX_H

#include <stddef.h>
#include <stdint.h>

/*
 The point of a proof's line that stands for a move that prevents nothing.
 */
#define QUINCUNX_ANY UINT32_MAX

/*
 What became of a call. Only a call that is `Ok` has written results.
 */
typedef enum {
  /*
   It did what it says.
   */
  QUINCUNX_STATUS_OK = 0,
  /*
   A handle is null.
   */
  QUINCUNX_STATUS_NULL = 1,
  /*
   Another thread uses the handle.
   */
  QUINCUNX_STATUS_BUSY = 2,
  /*
   The point is off the board.
   */
  QUINCUNX_STATUS_OFF_BOARD = 3,
  /*
   The point has a stone.
   */
  QUINCUNX_STATUS_TAKEN = 4,
  /*
   The point is forbidden.
   */
  QUINCUNX_STATUS_FORBIDDEN = 5,
  /*
   The game is over.
   */
  QUINCUNX_STATUS_OVER = 6,
  /*
   There is nothing to take back.
   */
  QUINCUNX_STATUS_NOTHING_TO_UNDO = 7,
  /*
   There is no such rule, or no board of this size.
   */
  QUINCUNX_STATUS_INVALID = 8,
  /*
   The limit was reached first.
   */
  QUINCUNX_STATUS_UNKNOWN = 9,
  /*
   The engine has failed. The handle is of no more use than to be freed.
   */
  QUINCUNX_STATUS_PANICKED = 10,
} QuincunxStatus;

/*
 The rule of a game.
 */
typedef enum {
  /*
   Five or more in a row win.
   */
  QUINCUNX_RULE_FREESTYLE = 0,
  /*
   Exactly five in a row win.
   */
  QUINCUNX_RULE_STANDARD = 1,
  /*
   Black has forbidden points and wins with exactly five.
   */
  QUINCUNX_RULE_RENJU = 2,
  /*
   Exactly five in a row win, unless the opponent's stones stand at both ends.
   */
  QUINCUNX_RULE_CARO = 3,
  /*
   As caro, but six or more always win.
   */
  QUINCUNX_RULE_CARO_OVERLINE = 4,
} QuincunxRule;

/*
 A game, and an engine that knows it.
 */
typedef struct QuincunxEngine QuincunxEngine;

/*
 How far a search goes. 0 is no limit, and of memory and threads the default. Without any limit
 a search goes on until it is stopped.
 */
typedef struct {
  /*
   The time.
   */
  uint64_t milliseconds;
  /*
   The number of nodes.
   */
  uint64_t nodes;
  /*
   The depth in plies.
   */
  uint32_t depth;
  /*
   The size of the transposition table in KiB.
   */
  uint32_t memory_kib;
  /*
   The number of search threads.
   */
  uint32_t threads;
} QuincunxLimits;

/*
 What a search has found so far.
 */
typedef struct {
  /*
   The depth of the last complete iteration.
   */
  uint32_t depth;
  /*
   The value for the side to move; 200 units are one logit.
   */
  int32_t score;
  /*
   The chance of the side to move to win, from 0 to 1.
   */
  double chance;
  /*
   The number of nodes.
   */
  uint64_t nodes;
  /*
   The column of the best move.
   */
  uint32_t x;
  /*
   The row of the best move.
   */
  uint32_t y;
} QuincunxLine;

/*
 Hears of every line of a search, on the thread that searches. It may call nothing but
 `quincunx_stop` with the same handle, and must return: no exception or `longjmp` leaves it.
 */
typedef void (*QuincunxListener)(const QuincunxLine *line, void *data);

/*
 A point: column from the left and row from the bottom, both from zero.
 */
typedef struct {
  /*
   The column.
   */
  uint32_t x;
  /*
   The row.
   */
  uint32_t y;
} QuincunxPoint;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Makes an engine with an empty board. Returns null where there is no such rule or size.
 `quincunx_free` ends it.
 */
QuincunxEngine *quincunx_new(uint32_t rule_number, uint32_t width, uint32_t height);

/*
 Frees an engine. No other call may use it now or later. Null is passed over.

 # Safety
 `engine` is null or comes from `quincunx_new`, was not freed, and nothing uses it.
 */
void quincunx_free(QuincunxEngine *engine);

/*
 Begins another game. What the engine knows stays.

 # Safety
 `engine` is null or a handle that was not freed.
 */
QuincunxStatus quincunx_new_game(const QuincunxEngine *engine,
                                 uint32_t rule_number,
                                 uint32_t width,
                                 uint32_t height);

/*
 The side to move plays a point.

 # Safety
 `engine` is null or a handle that was not freed.
 */
QuincunxStatus quincunx_play(const QuincunxEngine *engine, uint32_t x, uint32_t y);

/*
 Takes the last move back.

 # Safety
 `engine` is null or a handle that was not freed.
 */
QuincunxStatus quincunx_undo(const QuincunxEngine *engine);

/*
 Whether the game is over: `is_over` is 0 or 1, `winner` 0 for none, 1 for black, 2 for white.
 Either may be null. A game of renju in which every point left is forbidden is a draw.

 # Safety
 `engine` is null or a handle that was not freed; the others are null or valid for writing.
 */
QuincunxStatus quincunx_result(const QuincunxEngine *engine, int32_t *is_over, int32_t *winner);

/*
 Finds a move, which is not played, and writes it to `best`. Searches on the calling thread,
 which needs 16 MiB of stack. `listener` may be null; `data` is passed to it.

 # Safety
 `engine` is null or a handle that was not freed; `limits` is null or valid for reading, `best`
 null or valid for writing; `listener` may be called with `data` until this call returns.
 */
QuincunxStatus quincunx_think(const QuincunxEngine *engine,
                              const QuincunxLimits *limits,
                              QuincunxListener listener,
                              void *data,
                              QuincunxPoint *best);

/*
 Makes the search that runs answer with the best it has, within a few milliseconds. Any thread
 may call it at any time; a search that begins afterwards is not stopped.

 # Safety
 `engine` is null or a handle that was not freed.
 */
QuincunxStatus quincunx_stop(const QuincunxEngine *engine);

/*
 Looks for a forced win of the side to move, trying at most `nodes` moves. Writes the line of
 the longest defence to `line`, up to `room` points of it, and its length to `length`, which is
 0 where there is no win by threats. `QUINCUNX_ANY` stands for a move that prevents nothing.
 The status is `Unknown` where the limit came first, `Over` where the game has ended. Needs 16 MiB
 of stack.

 # Safety
 `engine` is null or a handle that was not freed; `line` is null or valid for writing `room`
 points, `length` null or valid for writing.
 */
QuincunxStatus quincunx_solve(const QuincunxEngine *engine,
                              uint64_t nodes,
                              QuincunxPoint *line,
                              size_t room,
                              size_t *length);

/*
 Whether the side to move may play a point: `Ok`, `Forbidden`, `Taken`, `OffBoard` or `Over`.

 # Safety
 `engine` is null or a handle that was not freed.
 */
QuincunxStatus quincunx_check(const QuincunxEngine *engine, uint32_t x, uint32_t y);

/*
 Writes the value for the side to move, without a search, to `score`: 200 units are one logit.

 # Safety
 `engine` is null or a handle that was not freed; `score` is null or valid for writing.
 */
QuincunxStatus quincunx_evaluate(const QuincunxEngine *engine, int32_t *score);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUINCUNX_H */
