/* A game of the engine against itself: prints its moves. */
#include "quincunx.h"
#include <stdio.h>

int main(void) {
    QuincunxEngine *engine = quincunx_new(QUINCUNX_RULE_RENJU, 15, 15);
    QuincunxLimits limits = {0};
    limits.nodes = 500;
    int is_over = 0;
    for (int move = 0; move < 12 && !is_over; move++) {
        QuincunxPoint best;
        if (quincunx_think(engine, &limits, NULL, NULL, &best) != QUINCUNX_STATUS_OK ||
            quincunx_play(engine, best.x, best.y) != QUINCUNX_STATUS_OK) {
            quincunx_free(engine);
            return 1;
        }
        printf("%c%u ", 'a' + best.x, best.y + 1);
        quincunx_result(engine, &is_over, NULL);
    }
    printf("\n");
    quincunx_free(engine);
    return 0;
}
