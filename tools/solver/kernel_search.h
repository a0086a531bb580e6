/* SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors */
/* SPDX-License-Identifier: MIT */

/* The search, written once and compiled for each line length: LINE is 4 or 5, NAME(x) adds it to a name. */

/* Empty and filled cells alike: all cells that lie on a run of LINE cells of `cells` in direction d. */
static inline uint64_t NAME(runs)(uint64_t cells, int d) {
#if LINE == 4
    uint64_t two = cells & cells >> d, start = two & two >> 2 * d;
#else
    uint64_t two = cells & cells >> d, start = two & two >> 2 * d & cells >> 4 * d;
#endif
    return start;
}

static inline uint64_t NAME(spread)(uint64_t start, int d) {
    uint64_t two = start | start << d;
#if LINE == 4
    return two | two << 2 * d;
#else
    return two | two << 2 * d | start << 4 * d;
#endif
}

static inline int NAME(has_line)(uint64_t discs) {
    return (NAME(runs)(discs, 1) | NAME(runs)(discs, HEIGHT - 1) | NAME(runs)(discs, HEIGHT) |
            NAME(runs)(discs, HEIGHT + 1)) != 0;
}

/* All cells on a line that is still free of the other side. */
static inline uint64_t NAME(live)(uint64_t cells) {
    return NAME(spread)(NAME(runs)(cells, 1), 1) | NAME(spread)(NAME(runs)(cells, HEIGHT - 1), HEIGHT - 1) |
           NAME(spread)(NAME(runs)(cells, HEIGHT), HEIGHT) | NAME(spread)(NAME(runs)(cells, HEIGHT + 1), HEIGHT + 1);
}

/* Sum over the lines that are still free of the other side (`free` cells: not the other's, in the grid) of a weight by
 * the number of `discs` on them, 0 to LINE - 1. The counts of all lines of a direction are added up side by side, one
 * bit of each count a word. */
static inline int NAME(line_weight)(uint64_t free, uint64_t discs, const int *weight) {
    static const int step[4] = {1, HEIGHT - 1, HEIGHT, HEIGHT + 1};
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int d = step[i];
        uint64_t start = NAME(runs)(free, d);
        if (!start) continue;
        uint64_t a = discs, b = discs >> d, c = discs >> 2 * d, e = discs >> 3 * d;
        uint64_t ab = a ^ b, ce = c ^ e, ones = ab ^ ce, c1 = a & b, c2 = c & e, c3 = ab & ce;
        uint64_t twos = c1 ^ c2 ^ c3, fours = (c1 & c2) | (c1 & c3) | (c2 & c3);
#if LINE == 5
        uint64_t f = discs >> 4 * d, carry = ones & f;
        ones ^= f;
        fours |= twos & carry;
        twos ^= carry;
        sum += weight[4] * popcount(start & fours & ~ones);
#else
        (void)fours;
#endif
        uint64_t low = start & ~fours;
        sum += weight[0] * popcount(low & ~twos & ~ones) + weight[1] * popcount(low & ~twos & ones) +
               weight[2] * popcount(low & twos & ~ones) + weight[3] * popcount(low & twos & ones);
    }
    return sum;
}

/* Cells (filled ones too: the caller masks) that would complete a line of `discs`. */
static inline uint64_t NAME(completing)(uint64_t discs) {
    uint64_t found = discs << 1 & discs << 2 & discs << 3;
#if LINE == 5
    found &= discs << 4;
#endif
    for (int d = HEIGHT - 1; d <= HEIGHT + 1; d++) {
        uint64_t l1 = discs << d, r1 = discs >> d;
        uint64_t l2 = l1 & discs << 2 * d, r2 = r1 & discs >> 2 * d;
        uint64_t l3 = l2 & discs << 3 * d, r3 = r2 & discs >> 3 * d;
#if LINE == 4
        found |= l3 | (l2 & r1) | (l1 & r2) | r3;
#else
        uint64_t l4 = l3 & discs << 4 * d, r4 = r3 & discs >> 4 * d;
        found |= l4 | (l3 & r1) | (l2 & r2) | (l1 & r3) | r4;
#endif
    }
    return found;
}

/* The exact key; two positions with the same key have the same value.
 *
 * A disc on no live line of its own colour bars every line through its cell to both sides, as a stone of nobody would:
 * it is written as such (RULE_NEUTRAL). A column whose empty cells all lie on no live line is worth only the number of
 * moves it offers, and of those, over all such columns, only the parity: a side that has a winning (or holding) plan
 * without two of them answers the one with the other (RULE_TEMPO). Such columns are written as full, and the parity as
 * a bit of its own.
 */
static inline slot_t NAME(key)(const struct kernel *k, int rules, int bucket_bits, uint64_t red, uint64_t yellow) {
    uint64_t filled = red | yellow, height_bits = (filled & k->free) + k->floor;
    uint64_t live_red = ~0ULL, live_yellow = ~0ULL;
    unsigned code[COLUMNS], spare = 0;
    if (rules & RULE_NEUTRAL) {
        live_red = NAME(live)(k->grid & ~yellow);
        live_yellow = NAME(live)(k->grid & ~red);
    }
    uint64_t r = red & live_red & k->free, y = yellow & live_yellow & k->free;
    if ((rules & (RULE_NEUTRAL | RULE_TEMPO)) == (RULE_NEUTRAL | RULE_TEMPO)) {
        uint64_t alive = (live_red | live_yellow) & k->free & ~filled;
        for (int i = 0; i < COLUMNS; i++) {
            int shift = HEIGHT * (FIRST + i);
            unsigned column = (unsigned)(k->free >> shift) & 127;
            if (!column) { code[i] = 0; continue; }      /* a column that this variation does not have */
            unsigned h = (unsigned)popcount((height_bits >> shift & 127) - 1);
            unsigned rc = (unsigned)(r >> shift) & 63, yc = (unsigned)(y >> shift) & 63;
            if (!((unsigned)(alive >> shift) & 127)) {
                spare += (unsigned)k->rows - h;
                h = (unsigned)k->rows;
            }
            code[i] = HEIGHT_CODE[h] + COLUMN_CODE[rc] + 2u * COLUMN_CODE[yc];
        }
    } else {
        for (int i = 0; i < COLUMNS; i++) {
            int shift = HEIGHT * (FIRST + i);
            unsigned h = (unsigned)(height_bits >> shift) & 127;
            h = h ? (unsigned)popcount(h - 1) : 0;
            code[i] = HEIGHT_CODE[h] + COLUMN_CODE[r >> shift & 63] + 2u * COLUMN_CODE[y >> shift & 63];
        }
    }
    if (k->symmetrical && (rules & RULE_MIRROR)) {
        int swap = 0;
        for (int i = 0; i < COLUMNS / 2 && !swap; i++) swap = (int)code[COLUMNS - 1 - i] - (int)code[i];
        if (swap > 0)
            for (int i = 0; i < COLUMNS / 2; i++) {
                unsigned c = code[i];
                code[i] = code[COLUMNS - 1 - i];
                code[COLUMNS - 1 - i] = c;
            }
    }
    return slot_of(bucket_bits, code, spare & 1);
}

typedef struct {
    uint64_t me, other, safe;   /* after forced moves; moves worth trying, one bit each */
    slot_t slot;
    uint64_t last;              /* the disc played last */
    int mover, score, cell;
} NAME(child_t);

/* The follow-up argument: with an even number of free cells left (no column of odd length without a partner), the side
 * that is not to move can answer each move of the attacker in the same column, and where that column has no cell left,
 * open another column of odd length (there is one, by parity), which is even from then on. So the attacker gets at most
 * every second cell of the columns of even length, counted from where they stand, and, to be on the safe side, all
 * cells of the others; never two cells one above the other, so no new vertical line. No line in that: no win. */
static inline int NAME(follow_up_holds)(const struct kernel *k, uint64_t attacker, uint64_t filled, uint64_t moves) {
    uint64_t odd_rows = k->rows & 1 ? FOOT << 1 | FOOT << 3 | FOOT << 5 : FOOT | FOOT << 2 | FOOT << 4;
    uint64_t odd = moves & ~odd_rows;     /* next cells of the columns with an odd number of cells left */
    if (popcount(odd) & 1) return 0;
    uint64_t columns = 0;
    for (uint64_t m = odd; m; m &= m - 1) columns |= 127ULL << (lowest(m) / HEIGHT * HEIGHT);
    uint64_t can = attacker | (k->free & ~filled & (odd_rows | columns));
    return !(NAME(runs)(can, HEIGHT - 1) | NAME(runs)(can, HEIGHT) | NAME(runs)(can, HEIGHT + 1));
}

/* Settles what needs no node. Returns 1 or 0 (the attacker wins, or not), or -1 with the position after the forced
 * moves, the moves worth trying and the table's slot in *c. The side to move has made no line, nor has the other. */
static inline int NAME(settle)(struct kernel *k, NAME(child_t) *c, int attacker) {
    uint64_t me = c->me, other = c->other, moves, mine, theirs;
    int mover = c->mover, rules = k->rules;
    for (;;) {
        uint64_t filled = me | other, open = k->free & ~filled;
        moves = playable(k, filled);
        if (!moves) return 0;
        mine = NAME(completing)(me) & open;
        if (mine & moves) return mover == attacker;
        if (!(rules & RULE_FORCED)) { c->safe = moves; break; }
        theirs = NAME(completing)(other) & open;
        uint64_t forced = theirs & moves;
        if (forced) {
            if (forced & (forced - 1) || forced << 1 & theirs) return mover != attacker;
        } else {
            forced = moves & ~(theirs >> 1);
            if (!forced) return mover != attacker;
            c->safe = forced;
            if (forced & (forced - 1)) break;
        }
        /* a single move: play it */
        uint64_t swap = me | forced;
        me = other;
        other = swap;
        mover ^= 1;
        c->last = forced;
    }
    c->me = me; c->other = other; c->mover = mover;
    uint64_t defenders = mover == attacker ? other : me;
    if (rules & RULE_DEAD_LINE) {
        uint64_t cells = k->grid & ~defenders;
        if (!(NAME(runs)(cells, 1) | NAME(runs)(cells, HEIGHT - 1) | NAME(runs)(cells, HEIGHT) |
              NAME(runs)(cells, HEIGHT + 1))) return 0;
    }
    if (rules & RULE_FOLLOW_UP && mover == attacker && NAME(follow_up_holds)(k, me, me | other, moves)) return 0;
    if (rules & RULE_TABLE) {
        c->slot = NAME(key)(k, rules, k->bucket_bits, mover ? other : me, mover ? me : other);
        PREFETCH(k->table + c->slot.bucket * WAYS);
    }
    return -1;
}

static inline int NAME(look_up)(const struct kernel *k, slot_t slot, int attacker) {
    if (!(k->rules & RULE_TABLE)) return -1;
    int bounds = table_get(k, slot);
    if (attacker == 0) return LOWER[bounds] > 0 ? 1 : UPPER[bounds] <= 0 ? 0 : -1;
    return UPPER[bounds] < 0 ? 1 : LOWER[bounds] >= 0 ? 0 : -1;
}

/* Can the attacker force a line? The position is one that settle() left open. */
static NEVER_INLINE int NAME(search)(struct kernel *k, const NAME(child_t) *node, int attacker) {
    NAME(child_t) child[COLUMNS];
    uint64_t before = k->nodes;
    int count = 0, want = node->mover == attacker, answer = !want;
    if (out_of_nodes(k)) return 0;
    for (uint64_t m = node->safe; m; m &= m - 1) {
        NAME(child_t) *c = &child[count];
        uint64_t move = m & -m;
        c->me = node->other;
        c->other = node->me | move;
        c->mover = node->mover ^ 1;
        c->last = move;
        int known = NAME(settle)(k, c, attacker);
        if (known == want) { answer = want; goto done; }
        if (known >= 0) continue;
        int centre = FROM_CENTRE[lowest(move) / HEIGHT];
        c->cell = lowest(move);
        c->score = -centre;
        if (k->rules & RULE_ORDER) {
            uint64_t a = c->mover == attacker ? c->me : c->other, d = c->mover == attacker ? c->other : c->me;
            const int *w = k->weight[!want];
            c->score = NAME(line_weight)(k->grid & ~d, a, w) - w[W_CENTRE] * centre + w[W_REPLIES] * popcount(c->safe) +
                       w[W_FORCED] * (c->mover == node->mover) +
                       w[W_ABOVE] * (move == node->last << 1) +
                       w[W_HISTORY] * k->history[attacker][node->mover][c->cell] / 64;
        }
        count++;
    }
    /* what is known already, before anything is searched */
    {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int known = NAME(look_up)(k, child[i].slot, attacker);
            if (known == want) { answer = want; goto done; }
            if (known < 0) { if (kept != i) child[kept] = child[i]; kept++; }
        }
        count = kept;
    }
    int order[COLUMNS];
    for (int i = 0; i < count; i++) {
        int j = i;
        while (j > 0 && child[order[j - 1]].score < child[i].score) { order[j] = order[j - 1]; j--; }
        order[j] = i;
    }
    for (int i = 0; i < count; i++) {
        const NAME(child_t) *c = &child[order[i]];
        int known = i ? NAME(look_up)(k, c->slot, attacker) : -1;
        if (known < 0) known = NAME(search)(k, c, attacker);
        if (k->stop) return 0;
        if (known == want) {
            answer = want;
            if (i) {
                int32_t *history = k->history[attacker][node->mover];
                for (int j = 0; j < i; j++) history[child[order[j]].cell]--;
                history[c->cell] += i;
                if (history[c->cell] > HISTORY_MAX) for (int j = 0; j < 64; j++) history[j] /= 2;
            }
            break;
        }
    }
done:
    if (k->rules & RULE_TABLE)
        table_put(k, node->slot, attacker == 0 ? (answer ? B_RED : B_LE0) : (answer ? B_YELLOW : B_GE0), k->nodes - before);
    return answer;
}

static int NAME(root_question)(struct kernel *k, uint64_t me, uint64_t other, int mover, int attacker) {
    NAME(child_t) root;
    memset(&root, 0, sizeof root);
    if (NAME(has_line)(other)) return mover != attacker;
    if (NAME(has_line)(me)) return mover == attacker;
    root.me = me; root.other = other; root.mover = mover;
    int known = NAME(settle)(k, &root, attacker);
    if (known < 0) known = NAME(look_up)(k, root.slot, attacker);
    if (known < 0) known = NAME(search)(k, &root, attacker);
    return k->stop ? VALUE_UNKNOWN : known;
}

/* 1, 0 or -1 for the side to move. */
static int NAME(root_value)(struct kernel *k, uint64_t me, uint64_t other, int mover) {
    int wins = NAME(root_question)(k, me, other, mover, mover);
    if (wins) return wins;       /* VALUE_UNKNOWN included */
    int loses = NAME(root_question)(k, me, other, mover, mover ^ 1);
    return loses == 1 ? -1 : loses;
}

/* The value after each of the seven moves, for the side that makes it. What the value of the position itself rules out
 * is not asked again. */
static void NAME(root_values)(struct kernel *k, uint64_t me, uint64_t other, int mover, int8_t *seven) {
    static const int8_t from_centre[COLUMNS] = {3, 4, 2, 5, 1, 6, 0};
    uint64_t moves = playable(k, me | other);
    int over = NAME(has_line)(me) || NAME(has_line)(other);
    int best = over ? 0 : NAME(root_value)(k, me, other, mover);
    for (int i = 0; i < COLUMNS; i++) {
        int column = from_centre[i], answer;
        uint64_t move = over ? 0 : moves & (127ULL << HEIGHT * (FIRST + column));
        if (!move) { seven[column] = VALUE_FULL; continue; }
        if (NAME(has_line)(me | move)) { seven[column] = 1; continue; }
        if (best == -1) { seven[column] = -1; continue; }
        if (best != 0) {
            answer = NAME(root_question)(k, other, me | move, mover ^ 1, mover);
            if (answer) { seven[column] = (int8_t)answer; continue; }   /* VALUE_UNKNOWN included */
        }
        answer = NAME(root_question)(k, other, me | move, mover ^ 1, mover ^ 1);
        seven[column] = (int8_t)(answer == 1 ? -1 : answer);
    }
}

/* ------------------------------------------------------------------ plies to the end
 *
 * Can the winner force a line within n plies? Asked for n = 1, 3, 5 ... (0, 2, 4 ... where the other side is to move)
 * of positions whose value is known, so the first yes is the distance. The distance table keeps, for won positions, the
 * largest n that is known not to be enough and the smallest that is; RULE_TEMPO has no place here, since a spare move
 * is a ply too.
 */

/* Of a position both can be asked: a side that tries a losing move meets it too. Bit 51 is beyond a key of 2^22 buckets. */
static inline slot_t NAME(distance_slot)(const struct kernel *k, uint64_t red, uint64_t yellow, int winner) {
    slot_t slot = NAME(key)(k, k->rules & ~RULE_TEMPO, k->distance_bits, red, yellow);
    slot.rest |= (uint64_t)winner << 51;
    return slot;
}

static int NAME(within)(struct kernel *k, uint64_t me, uint64_t other, int mover, int winner, int n) {
    uint64_t moves, theirs, open, safe;
    int attacking = mover == winner;
    for (;;) {
        if (n < 2 - attacking) return 0;
        open = k->free & ~(me | other);
        moves = playable(k, me | other);
        if (!moves) return 0;
        if (NAME(completing)(me) & moves) return attacking;
        theirs = NAME(completing)(other) & open;
        uint64_t forced = theirs & moves;
        if (attacking && n < 3) return 0;
        safe = moves & ~(theirs >> 1);
        if (forced) {
            if (forced & (forced - 1)) return !attacking;
            safe &= forced;
        }
        if (!safe) return !attacking;       /* the other side wins two plies from here, and n is at least 2 */
        if (safe & (safe - 1)) break;
        uint64_t swap = me | safe;
        me = other;
        other = swap;
        mover ^= 1;
        attacking ^= 1;
        n--;
    }
    /* the winner's moves within n plies must fill some line that is still free of the other side */
    uint64_t mine = attacking ? me : other, free_cells = k->grid & ~(attacking ? other : me);
    int own_moves = (n + attacking) / 2;
    if (own_moves < LINE) {
        int need[5] = {0, 0, 0, 0, 0};
        for (int i = LINE - own_moves; i < LINE; i++) need[i] = 1;
        if (!NAME(line_weight)(free_cells, mine, need)) return 0;
    }
    slot_t slot = NAME(distance_slot)(k, mover ? other : me, mover ? me : other, winner);
    int enough, too_few;
    distance_get(k, slot, &too_few, &enough);
    if (n >= enough) return 1;
    if (n <= too_few) return 0;
    if (out_of_nodes(k)) return 0;
    int order[COLUMNS], score[COLUMNS], count = 0, answer = !attacking;
    uint64_t move[COLUMNS];
    for (uint64_t m = safe; m; m &= m - 1, count++) {
        move[count] = m & -m;
        uint64_t a = mine | (attacking ? move[count] : 0), f = free_cells & ~(attacking ? 0 : move[count]);
        int j = count;
        score[count] = NAME(line_weight)(f, a, k->weight[0]) * (attacking ? 1 : -1) -
                       FROM_CENTRE[lowest(move[count]) / HEIGHT];
        while (j > 0 && score[order[j - 1]] < score[count]) { order[j] = order[j - 1]; j--; }
        order[j] = count;
    }
    for (int i = 0; i < count; i++) {
        uint64_t after = me | move[order[i]];
        /* far from the end, whether the move wins at all is the cheaper question */
        int wins = !attacking || n < 10 || NAME(root_question)(k, other, after, mover ^ 1, winner) == 1;
        int yes = wins && NAME(within)(k, other, after, mover ^ 1, winner, n - 1);
        if (k->stop) return 0;
        if (yes == attacking) { answer = attacking; break; }
    }
    distance_put(k, slot, answer ? too_few : n, answer ? n : enough);
    return answer;
}

static int NAME(root_distance)(struct kernel *k, uint64_t me, uint64_t other, int mover) {
    if (NAME(has_line)(other)) return 0;
    int value = NAME(root_value)(k, me, other, mover);
    if (value == VALUE_UNKNOWN) return DISTANCE_UNKNOWN;
    if (value == 0) return DISTANCE_NONE;
    int winner = value > 0 ? mover : mover ^ 1, cells = popcount(k->free & ~(me | other));
    for (int n = value > 0 ? 1 : 2; n <= cells; n += 2) {
        int yes = NAME(within)(k, me, other, mover, winner, n);
        if (k->stop) return DISTANCE_UNKNOWN;
        if (yes) return n;
    }
    return DISTANCE_UNKNOWN;        /* cannot be: a won position is won before the grid is full */
}
