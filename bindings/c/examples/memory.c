/* Plays short games and prints the resident memory, which should not grow. Linux tells it.
 *
 * Needs 16 MiB of stack, as every search: ulimit -s 32768
 */
#include "quincunx.h"
#include <stdio.h>
#include <stdlib.h>

static long resident_kib(void) {
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib;
}

static void play(const QuincunxEngine *engine) {
    QuincunxLimits limits = {0};
    QuincunxPoint best, line[8];
    size_t length;
    int moves;
    limits.nodes = 50;
    limits.memory_kib = 1024;
    for (moves = 0; moves < 20; moves++) {
        if (quincunx_think(engine, &limits, NULL, NULL, &best) != QUINCUNX_STATUS_OK)
            break;
        if (quincunx_play(engine, best.x, best.y) != QUINCUNX_STATUS_OK)
            exit(1);
        quincunx_solve(engine, 50, line, 8, &length);
    }
    quincunx_undo(engine);
}

int main(int count, char **arguments) {
    int games = count > 1 ? atoi(arguments[1]) : 1000, number;
    QuincunxEngine *engine = NULL;
    printf("start %ld KiB\n", resident_kib());
    for (number = 1; number <= games; number++) {
        /* Every tenth game has a handle of its own. */
        if (number % 10 == 1) {
            quincunx_free(engine);
            engine = quincunx_new(QUINCUNX_RULE_FREESTYLE, 9, 9);
        } else {
            quincunx_new_game(engine, QUINCUNX_RULE_FREESTYLE, 9, 9);
        }
        play(engine);
        if (number == 10 || number == 100 || number % 500 == 0)
            printf("after %d games %ld KiB\n", number, resident_kib());
    }
    quincunx_free(engine);
    return 0;
}
