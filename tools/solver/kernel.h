/* SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors */
/* SPDX-License-Identifier: MIT */

/* What Python sees of the kernel. Read by the C compiler and, line by line, by cffi (so: plain declarations only). */

/* Static rules; a set bit switches the rule ON. Each can be taken out to show that answers do not depend on it. */
#define RULE_FORCED 1     /* wins, forced replies and moves that let the other side win above them are settled without a node */
#define RULE_DEAD_LINE 2  /* a side without a live line cannot win */
#define RULE_FOLLOW_UP 4  /* the side that can always answer in the same column gets every second cell */
#define RULE_NEUTRAL 8    /* a disc on no live line counts as a stone of nobody in the table */
#define RULE_TEMPO 16     /* columns whose empty cells lie on no live line count by the parity of those cells in the table */
#define RULE_MIRROR 32    /* left and right are one in the table, where the grid is symmetrical */
#define RULE_TABLE 64     /* the transposition table itself */
#define RULE_ORDER 128    /* move ordering by lines; otherwise columns from the centre outwards */
#define RULES_ALL 255

#define VALUE_UNKNOWN 2   /* the node limit was reached, or the caller asked to stop */
#define VALUE_FULL 3      /* in a list of seven: the column takes no disc */

#define DISTANCE_NONE -1    /* drawn */
#define DISTANCE_UNKNOWN -2

/* weight[][]: 0-4 the attacker's lines that are free of the other side, by the discs on them */
#define W_CENTRE 5      /* distance from the centre, counts against the move */
#define W_REPLIES 6     /* replies that are left to the other side */
#define W_FORCED 7      /* the reply is forced and has been played */
#define W_HISTORY 8     /* 64ths of the history */
#define W_ABOVE 9       /* the move stands on the disc played last */

struct kernel {
    int line;              /* discs in a winning line: 4 or 5 */
    int rows;              /* rows of the grid, at most 6 */
    int rules;             /* RULE_ bits */
    int bucket_bits;       /* the table has 4 << bucket_bits entries of 8 bytes */
    int symmetrical;       /* the empty grid is its own mirror image, colours included */
    int distance_bits;     /* the distance table has 2 << distance_bits entries of 8 bytes, distance_bits at least 21 */
    int stop;              /* set from outside, or by the kernel: unwind now */
    uint64_t free;         /* cells that can be filled in play */
    uint64_t grid;         /* cells that a line can use: free cells and discs that stand from the start */
    uint64_t floor;        /* the lowest free cell of each free column */
    uint64_t nodes;        /* interior nodes searched since the caller last set it to 0 */
    uint64_t limit;        /* stop when nodes reaches it; 0: no limit */
    uint64_t *table;       /* 4 << bucket_bits words, all 0 at first; may be shared by threads and by processes */
    uint64_t *distance_table;
    int32_t history[2][2][64];   /* by attacker, mover and cell: how often that move settled a node, less how often not */
    int weight[2][10];      /* move ordering, the attacker's moves and the other side's: see W_ above */
};

int kernel_value(struct kernel *k, uint64_t me, uint64_t other, int mover);
void kernel_values(struct kernel *k, uint64_t me, uint64_t other, int mover, int8_t *seven);
int64_t kernel_values_many(struct kernel *k, int64_t count, const uint64_t *me, const uint64_t *other,
                           const uint8_t *mover, int8_t *value, int8_t *sevens);
int kernel_distance(struct kernel *k, uint64_t me, uint64_t other, int mover);
int kernel_question(struct kernel *k, uint64_t me, uint64_t other, int mover, int attacker);
