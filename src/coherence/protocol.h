/* Coherence protocols as transition tables, which L1s (l1/coherent.c, l1/l1.c) and directories (l2/directory.c) execute;
 * docs/coherence.md is made from them.
 *
 *   an L1:        state of its line × event ─▶ what happens, the next state
 *   a directory:  who else has the line × what an L1 asks for ─▶ what comes first, the state that the L1 gets */
#ifndef SLUICE_COHERENCE_PROTOCOL_H
#define SLUICE_COHERENCE_PROTOCOL_H

#include "coherence/coherence.h"
#include <stdbool.h>
#include <stdint.h>

enum line_event {
  EVENT_LOAD,
  EVENT_STORE,       /* to some bytes of the line */
  EVENT_STORE_WHOLE, /* to all its bytes */
  EVENT_REPLACED,    /* another line takes its way */
  EVENT_INVALIDATE,  /* the directory takes the line back */
  EVENT_DOWNGRADE,   /* the directory lets others read */
  LINE_EVENTS
};

struct line_rule {
  enum line_does {
    RULE_NEVER,       /* the event does not come in this state */
    RULE_HERE,        /* the L1 alone: no message */
    RULE_ASK,         /* ask the directory for `ask`; its answer brings the state */
    RULE_FETCH,       /* fetch the line; there is no directory */
    RULE_THROUGH,     /* the bytes go to the L2 */
    RULE_NOTIFY,      /* tell the directory `notice`, with the bytes that were changed here */
    RULE_ACKNOWLEDGE, /* answer the directory, with the bytes that were changed here if the line leaves */
    RULE_ACKNOWLEDGE_LINE, /* answer the directory, with the data of the line */
  } does;
  enum line_state next; /* of RULE_FETCH: once the line has come; of RULE_ASK: not known before the answer */
  union {
    enum line_ask ask;
    enum line_notice notice;
  };
};

/* Who has a line, beside the L1 that asks for it. */
enum line_sharing { SHARING_NONE, SHARING_OTHERS, SHARING_OWNER, LINE_SHARINGS };

struct directory_rule {
  enum directory_does {
    DIRECTORY_NEVER,      /* nobody asks for that in this protocol */
    DIRECTORY_GRANT,      /* nothing comes first */
    DIRECTORY_DOWNGRADE,  /* the owner lets others read first */
    DIRECTORY_INVALIDATE, /* all others give the line back first */
  } does;
  enum line_state state; /* that the L1 gets; LINE_I: the L2 performs the atomic, no L1 gets the line */
  bool owns;             /* the L1 becomes the line's owner */
};

struct protocol {
  const char *name, *title;
  bool directory;
  struct line_rule l1[LINE_STATES][LINE_EVENTS];
  struct directory_rule l2[LINE_ASKS][LINE_SHARINGS];
};

/* By enum l1_coherence. */
extern const struct protocol protocols[];
extern const char *const line_state_names[], *const line_event_names[];

#endif
