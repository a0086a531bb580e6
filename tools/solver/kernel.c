/* SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors */
/* SPDX-License-Identifier: MIT */

/*
 * Exact search for drop games on a grid of up to nine columns and six rows, on 64-bit boards.
 *
 * Cell (column, row) is bit 7 * column + row; bit 6 of each column stays empty, so that a shifted line cannot run from
 * the top of one column into the foot of the next:
 *
 *      6 13 20 27 34 41 48 55 62   always empty
 *      5 12 19 26 33 40 47 54 61   row 6
 *      4 11 18 25 32 39 46 53 60
 *      3 10 17 24 31 38 45 52 59
 *      2  9 16 23 30 37 44 51 58
 *      1  8 15 22 29 36 43 50 57
 *      0  7 14 21 28 35 42 49 56   row 1
 *         a  b  c  d  e  f  g      columns 0 and 8: the side columns of `five`, outside the grid elsewhere
 *
 * A position is never searched for its value as such. Two questions are asked instead, each with a yes or no for an
 * answer: can the attacker force a line, for either side as the attacker. The table keeps what is known of both.
 */

#include <stdint.h>
#include <string.h>
#include "kernel.h"

/* Asked every million nodes; 0 stops the search. Written in Python (see __init__.py). */
static int five_keep_going(uint64_t nodes);

#if defined(_MSC_VER)
#include <intrin.h>
static inline int popcount(uint64_t x) { return (int)__popcnt64(x); }
static inline int lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#define PREFETCH(p) _mm_prefetch((const char *)(p), 1)
#define NEVER_INLINE __declspec(noinline)
#else
static inline int popcount(uint64_t x) { return __builtin_popcountll(x); }
static inline int lowest(uint64_t x) { return __builtin_ctzll(x); }
#define PREFETCH(p) __builtin_prefetch(p)
#define NEVER_INLINE __attribute__((noinline))
#endif

enum { FIRST = 1, COLUMNS = 7, HEIGHT = 7 };   /* free columns start at LED column 1; seven bits a column */
static const uint64_t FOOT = 0x0102040810204081ULL;   /* row 1 of all nine columns */

/* ------------------------------------------------------------------ the table
 *
 * One word an entry, so that threads and processes share it without locks: a reader sees a whole old word or a whole
 * new one. The key is exact, not a hash: a column's contents are one of 1 + 3 + ... + 3^6 = 1093 (how high, and each
 * disc Red, Yellow or of no account), six columns make a number below 2^61, the seventh and a parity add twelve bits. The number
 * is mixed by a function that can be undone; its top bits choose the bucket and the rest is kept in the entry.
 * (61 - bucket_bits + 12 <= 56 bits: at least 2^17 buckets.)
 *
 *   bits 0-2 bounds: 1 + 0..5 (0 only in an empty word) | bits 3-7 log2 of the nodes spent | bits 8-.. rest of the key
 */

static const uint64_t LOW61 = (1ULL << 61) - 1;
enum { WAYS = 4 };

/* bounds on the value for Red: {lower, upper} */
enum { B_ANY = 1, B_LE0, B_GE0, B_DRAW, B_RED, B_YELLOW };
static const int8_t LOWER[8] = {-1, -1, -1, 0, 0, 1, -1, -1};
static const int8_t UPPER[8] = {1, 1, 0, 1, 0, 1, -1, 1};
/* what joining two bounds gives; [a][b] */
static int join_bounds(int a, int b) {
    int lower = LOWER[a] > LOWER[b] ? LOWER[a] : LOWER[b];
    int upper = UPPER[a] < UPPER[b] ? UPPER[a] : UPPER[b];
    if (lower == upper) return lower == 0 ? B_DRAW : lower > 0 ? B_RED : B_YELLOW;
    return lower == 0 ? B_GE0 : upper == 0 ? B_LE0 : B_ANY;
}

typedef struct { uint64_t rest; uint64_t bucket; } slot_t;

static uint16_t COLUMN_CODE[64];   /* sum of 3^i over the set bits */
static uint16_t HEIGHT_CODE[7];    /* columns of fewer discs come first */
static int tables_ready = 0;

static void make_tables(void) {
    if (tables_ready) return;
    for (int bits = 0; bits < 64; bits++) {
        int power = 1, sum = 0;
        for (int i = 0; i < 6; i++, power *= 3) if (bits >> i & 1) sum += power;
        COLUMN_CODE[bits] = (uint16_t)sum;
    }
    int power = 1, sum = 0;
    for (int h = 0; h < 7; h++, power *= 3) { HEIGHT_CODE[h] = (uint16_t)sum; sum += power; }
    tables_ready = 1;
}

static inline slot_t slot_of(int bucket_bits, const unsigned code[COLUMNS], unsigned odd) {
    uint64_t low = 0, bits = (uint64_t)bucket_bits, high = code[COLUMNS - 1] + 1093 * odd;
    for (int i = 0; i < COLUMNS - 1; i++) low = low * 1093 + code[i];
    /* each step can be undone on 61 bits */
    low = (low * 0x1D8E4E27C47D124FULL) & LOW61;
    low ^= low >> 31;
    low = (low * 0x0EB44ACCAB455165ULL) & LOW61;
    low ^= low >> 29;
    slot_t s;
    s.bucket = (low >> (61 - bits)) ^ ((high * 0x9E3779B97F4A7C15ULL) >> (64 - bits));
    s.rest = ((low & ((1ULL << (61 - bits)) - 1)) << 12) | high;
    return s;
}

static inline int table_get(const struct kernel *k, slot_t s) {
    const uint64_t *bucket = k->table + s.bucket * WAYS;
    for (int i = 0; i < WAYS; i++) {
        uint64_t word = bucket[i];
        if (word >> 8 == s.rest && word) return (int)(word & 7);
    }
    return B_ANY;
}

static void table_put(struct kernel *k, slot_t s, int bounds, uint64_t nodes) {
    uint64_t *bucket = k->table + s.bucket * WAYS;
    unsigned work = 0;
    while (nodes > 1 && work < 31) { nodes >>= 1; work++; }
    int least = 0;
    unsigned least_work = 99;
    for (int i = 0; i < WAYS; i++) {
        uint64_t word = bucket[i];
        if (!word) { least = i; break; }
        unsigned kept = (unsigned)(word >> 3 & 31);
        if (word >> 8 == s.rest) {
            bounds = join_bounds(bounds, (int)(word & 7));
            if (kept > work) work = kept;
            least = i;
            break;
        }
        if (kept < least_work) { least_work = kept; least = i; }
    }
    bucket[least] = s.rest << 8 | work << 3 | (unsigned)bounds;
}

/* The distance table: buckets of two. bits 0-5 plies that are not enough, 6-11 plies that are (63: not known),
 * bits 12-62 rest of the key: 61 - distance_bits + 12 <= 51 bits, so at least 2^22 buckets; bit 63 the winner that was
 * asked for. An empty word is 0: a true one has more than 0 in bits 6-11. */
enum { NOT_KNOWN = 63 };

static inline void distance_get(const struct kernel *k, slot_t s, int *too_few, int *enough) {
    const uint64_t *bucket = k->distance_table + s.bucket * 2;
    *too_few = -1;
    *enough = NOT_KNOWN;
    for (int i = 0; i < 2; i++) {
        uint64_t word = bucket[i];
        if (word && word >> 12 == s.rest) {
            *too_few = (int)(word & 63) - 1;
            *enough = (int)(word >> 6 & 63);
            return;
        }
    }
}

/* The first of the two keeps the entry that took a longer look ahead, the second the last one. */
static inline void distance_put(struct kernel *k, slot_t s, int too_few, int enough) {
    uint64_t *bucket = k->distance_table + s.bucket * 2;
    uint64_t word = s.rest << 12 | (uint64_t)enough << 6 | (uint64_t)(too_few + 1);
    if (!bucket[0] || bucket[0] >> 12 == s.rest || (word & 63) > (bucket[0] & 63)) bucket[0] = word;
    else bucket[1] = word;
}

/* ------------------------------------------------------------------ parts that know no line length */

static inline uint64_t playable(const struct kernel *k, uint64_t filled) {
    return ((filled & k->free) + k->floor) & k->free;
}

static inline int out_of_nodes(struct kernel *k) {
    k->nodes++;
    if (k->limit && k->nodes > k->limit) k->stop = 1;
    if ((k->nodes & 0xFFFFF) == 0 && !five_keep_going(k->nodes)) k->stop = 1;
    return k->stop;
}

enum { HISTORY_MAX = 1024 };     /* then all counts of that side are halved: what settled nodes lately counts more */

/* From the centre outwards: a smaller number is nearer. */
static const int8_t FROM_CENTRE[9] = {8, 6, 4, 2, 0, 1, 3, 5, 7};

#define LINE 4
#define NAME(x) x##_4
#include "kernel_search.h"
#undef LINE
#undef NAME
#define LINE 5
#define NAME(x) x##_5
#include "kernel_search.h"
#undef LINE
#undef NAME

/* ------------------------------------------------------------------ what Python calls */

static void begin(struct kernel *k) {
    make_tables();
    k->stop = 0;
    memset(k->history, 0, sizeof k->history);
}

int kernel_question(struct kernel *k, uint64_t me, uint64_t other, int mover, int attacker) {
    begin(k);
    return k->line == 4 ? root_question_4(k, me, other, mover, attacker) : root_question_5(k, me, other, mover, attacker);
}

int kernel_value(struct kernel *k, uint64_t me, uint64_t other, int mover) {
    begin(k);
    return k->line == 4 ? root_value_4(k, me, other, mover) : root_value_5(k, me, other, mover);
}

void kernel_values(struct kernel *k, uint64_t me, uint64_t other, int mover, int8_t *seven) {
    begin(k);
    if (k->line == 4) root_values_4(k, me, other, mover, seven);
    else root_values_5(k, me, other, mover, seven);
}

int kernel_distance(struct kernel *k, uint64_t me, uint64_t other, int mover) {
    begin(k);
    return k->line == 4 ? root_distance_4(k, me, other, mover) : root_distance_5(k, me, other, mover);
}

int64_t kernel_values_many(struct kernel *k, int64_t count, const uint64_t *me, const uint64_t *other,
                           const uint8_t *mover, int8_t *value, int8_t *sevens) {
    for (int64_t i = 0; i < count; i++) {
        value[i] = (int8_t)kernel_value(k, me[i], other[i], mover[i]);
        if (sevens) kernel_values(k, me[i], other[i], mover[i], sevens + 7 * i);
        if (k->stop && !k->limit) return i;
        if (k->limit) k->nodes = 0;
    }
    return count;
}
