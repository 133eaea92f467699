/* What the L1s and the directory of the L2 say to each other about a line (docs/thesis-memory.md), in mem_request.coherence.
 *
 *   L1 ── MEM_READ: ASK_* ─────────────────▶ directory          L1 ◀── the answer: the state it has the line in
 *   L1 ── MEM_WRITE (write-back): TELL_* ──▶ directory          L1 ◀── MEM_INVALIDATE, MEM_DOWNGRADE
 *   L1 ── MEM_ACKNOWLEDGE: the state it is in now, with FOR_REQUEST as it came
 *
 * Who says what when is a table of each protocol (coherence/protocol.h). */
#ifndef SLUICE_COHERENCE_COHERENCE_H
#define SLUICE_COHERENCE_COHERENCE_H

/* What keeps the L1 data caches coherent (docs/thesis-memory.md); NONE: stores follow l1d.write_*, copies elsewhere stay. */
enum l1_coherence { COHERENCE_NONE, COHERENCE_SI, COHERENCE_MOESI, COHERENCE_NMOESI };

/* Of a line in an L1. N: parts of it are written and others may have it; they do not see each other's writes. */
enum line_state { LINE_I, LINE_S, LINE_E, LINE_O, LINE_M, LINE_N, LINE_STATES };

enum line_ask {
  ASK_SHARE,  /* to read the line */
  ASK_WRITE,  /* to write parts of it (N) */
  ASK_OWN,    /* to be its only holder */
  ASK_ATOMIC, /* an atomic, which the L2 performs: the L1 gets no line */
  LINE_ASKS
};
enum line_notice { NOTICE_GONE, NOTICE_NO_OWNER }; /* it was replaced; it is N, no longer E */
/* What the directory asks of an L1, and is told back: a request waits for it (else the line is being replaced); to let others read. */
enum { FOR_REQUEST = 0x80, FOR_READ = 0x40, STATE_MASK = 0x0f };

#endif
