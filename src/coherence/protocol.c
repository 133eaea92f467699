#include "coherence/protocol.h"

const char *const line_state_names[] = {"I", "S", "E", "O", "M", "N"};
const char *const line_event_names[] = {"load",     "store",      "store of a whole line",
                                        "replaced", "invalidate", "downgrade"};

/* A row of a table in a line. */
/* clang-format off */
#define NEVER            {.does = RULE_NEVER}
#define HERE(to)         {.does = RULE_HERE, .next = LINE_##to}
#define ASK(what)        {.does = RULE_ASK, .ask = ASK_##what}
#define FETCH(to)        {.does = RULE_FETCH, .next = LINE_##to}
#define THROUGH(to)      {.does = RULE_THROUGH, .next = LINE_##to}
#define NOTIFY(to, what) {.does = RULE_NOTIFY, .next = LINE_##to, .notice = NOTICE_##what}
#define ACK(to)          {.does = RULE_ACKNOWLEDGE, .next = LINE_##to}
#define ACK_LINE(to)     {.does = RULE_ACKNOWLEDGE_LINE, .next = LINE_##to}

#define GRANT(to)            {.does = DIRECTORY_GRANT, .state = LINE_##to}
#define GRANT_OWNER(to)      {.does = DIRECTORY_GRANT, .state = LINE_##to, .owns = true}
#define DOWNGRADE(to)        {.does = DIRECTORY_DOWNGRADE, .state = LINE_##to}
#define INVALIDATE(to)       {.does = DIRECTORY_INVALIDATE, .state = LINE_##to}
#define INVALIDATE_OWNER(to) {.does = DIRECTORY_INVALIDATE, .state = LINE_##to, .owns = true}

const struct protocol protocols[] = {
    [COHERENCE_NONE] = {.name = "none", .title = "no protocol: stores follow l1d.write_*, copies elsewhere stay"},

    /* AMD's Southern Islands, as the FRC thesis describes it (4.5.4): no directory; stores go through, and a line stays only if
     * all of it was written. S: the line is here. */
    [COHERENCE_SI] = {
        .name = "si", .title = "Southern Islands",
        .l1 = {
            /*          load      store       whole       replaced */
            [LINE_I] = {FETCH(S), THROUGH(I), THROUGH(S), NEVER},
            [LINE_S] = {HERE(S),  THROUGH(I), THROUGH(S), HERE(I)},
        }},

    [COHERENCE_MOESI] = {
        .name = "moesi", .title = "MOESI with a directory", .directory = true,
        .l1 = {
            /*          load        store     whole     replaced         invalidate downgrade */
            [LINE_I] = {ASK(SHARE), ASK(OWN), ASK(OWN), NEVER,           ACK(I), ACK(I)},
            [LINE_S] = {HERE(S),    ASK(OWN), ASK(OWN), NOTIFY(I, GONE), ACK(I), ACK(S)},
            [LINE_E] = {HERE(E),    HERE(M),  HERE(M),  NOTIFY(I, GONE), ACK(I), ACK(S)},
            [LINE_O] = {HERE(O),    ASK(OWN), ASK(OWN), NOTIFY(I, GONE), ACK(I), ACK_LINE(O)},
            [LINE_M] = {HERE(M),    HERE(M),  HERE(M),  NOTIFY(I, GONE), ACK(I), ACK_LINE(O)},
        },
        .l2 = {
            /*              nobody else has it, others have it,   another L1 owns it */
            [ASK_SHARE]  = {GRANT_OWNER(E), GRANT(S),            DOWNGRADE(S)},
            [ASK_OWN]    = {GRANT_OWNER(M), INVALIDATE_OWNER(M), INVALIDATE_OWNER(M)},
            [ASK_ATOMIC] = {GRANT(I),       INVALIDATE(I),       INVALIDATE(I)},
        }},

    /* Multi2Sim's protocol: N stands for lines that several L1s write without seeing each other's bytes. Stores of kernels are all of
     * that kind, so that M and O do not occur. */
    [COHERENCE_NMOESI] = {
        .name = "nmoesi", .title = "NMOESI with a directory", .directory = true,
        .l1 = {
            /*          load        store                whole                replaced         invalidate downgrade */
            [LINE_I] = {ASK(SHARE), ASK(WRITE),          ASK(WRITE),          NEVER,           ACK(I), ACK(I)},
            [LINE_S] = {HERE(S),    HERE(N),             HERE(N),             NOTIFY(I, GONE), ACK(I), ACK(S)},
            [LINE_E] = {HERE(E),    NOTIFY(N, NO_OWNER), NOTIFY(N, NO_OWNER), NOTIFY(I, GONE), ACK(I), ACK(S)},
            [LINE_N] = {HERE(N),    HERE(N),             HERE(N),             NOTIFY(I, GONE), ACK(I), ACK(N)},
        },
        .l2 = {
            /*              nobody else has it, others have it, another L1 owns it */
            [ASK_SHARE]  = {GRANT_OWNER(E), GRANT(S), DOWNGRADE(S)},
            [ASK_WRITE]  = {GRANT(N),       GRANT(N), DOWNGRADE(N)},
            [ASK_ATOMIC] = {GRANT(I),       GRANT(I), GRANT(I)},
        }},
};
/* clang-format on */
