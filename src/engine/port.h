/* A connection between two units: messages one way, credits the other, both with latency.
 *
 * A message pushed at time t can be read at t + data; the slot of a message popped at t can be used again at
 * t + credit. Both latencies are at least one tick, so units that run at the same instant never see each other's
 * work of that instant, and the order in which they run does not matter.
 *
 * Sender and receiver may be on different threads: each writes its own counts and reads the other's. Whether a side
 * reads the latest count or the count before makes no difference, as the last message or slot is not usable yet. */
#ifndef SLUICE_ENGINE_PORT_H
#define SLUICE_ENGINE_PORT_H

#include "base/error.h"
#include "base/mem.h"
#include "base/shared_count.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

enum { PORT_LINE = 64 }; /* of the host's cache */

/* 64 bytes: a line of the host's cache. Counts wrap; only their differences matter. */
struct port {
  uint32_t capacity, mask; /* slots the receiver has; ring size - 1 */
  uint16_t size, stride;   /* bytes of a message; bytes from a message to the next */
  uint16_t first;          /* lines of the host's cache before the first message */
  uint16_t margin;         /* most messages pushed and slots given back in a window (parallel_pace()) */
  /* written by the sender: messages pushed; slots given back that the sender has seen */
  uint32_t pushed, returned;
  /* written by the receiver: messages popped; slots given back */
  uint32_t popped, released;
  uint64_t data, credit; /* latencies in ticks, >= 1 */
  /* For each slot of the ring: tick at which its message can be read; once the slot is given back, tick at which the slot can be used
   * again. The messages follow in memory, each message of 64 bytes in a line of the host's cache. */
  uint64_t *when;
  uint16_t
      *sent; /* for a receiver of many ports: a copy of `pushed`, beside copies of the others; NULL: none */
};

static inline void port_init(struct port *p, uint32_t capacity, uint32_t size, uint64_t data,
                             uint64_t credit) {
  uint32_t ring = 1;
  while (ring < capacity)
    ring *= 2;
  uint32_t stride = (size + 7) / 8 * 8,
           first = (ring * (uint32_t)sizeof *p->when + PORT_LINE - 1) / PORT_LINE;
  if (stride > UINT16_MAX || first > UINT16_MAX)
    panic("a port of %u messages of %u bytes is too large", capacity, size);
  *p = (struct port){.capacity = capacity,
                     .mask = ring - 1,
                     .size = (uint16_t)size,
                     .stride = (uint16_t)stride,
                     .first = (uint16_t)first,
                     .margin = UINT16_MAX,
                     .data = data ? data : 1,
                     .credit = credit ? credit : 1};
  p->when = xaligned((size_t)first * PORT_LINE + (size_t)ring * stride);
}

static inline void port_destroy(struct port *p) {
  free(p->when);
}

/* The message number `count`, counted as `pushed` and `popped` are. */
static inline void *port_message(const struct port *p, uint32_t count) {
  return (uint8_t *)p->when + (size_t)p->first * PORT_LINE + (size_t)(count & p->mask) * p->stride;
}

/* The same, where a message is a line of the host's cache. */
static inline void *port_line(const struct port *p, uint32_t count) {
  return (uint8_t *)p->when + (size_t)(p->first + (count & p->mask)) * PORT_LINE;
}

/* Sender: how many slots are free at `now`? */
static inline uint32_t port_slots(struct port *p, uint64_t now) {
  for (uint32_t released = count_seen(&p->released);
       p->returned != released && p->when[p->returned & p->mask] <= now;)
    p->returned++;
  return p->capacity - (p->pushed - p->returned);
}

/* Sender: is a slot free at `now`? port_room_again(): after a look at slots that have come back. */
bool port_room_again(struct port *p, uint64_t now);
static inline bool port_room(struct port *p, uint64_t now) {
  return p->pushed - p->returned < p->capacity || port_room_again(p, now);
}

/* Sender: when will a slot come back, as far as is known? */
static inline uint64_t port_next_room(const struct port *p) {
  return p->returned != count_seen(&p->released) ? p->when[p->returned & p->mask] : NEVER;
}

/* Sender: sends the message that was written to port_message(p, p->pushed), where there was room (port_room()). */
static inline void port_send(struct port *p, uint64_t now) {
  p->when[p->pushed & p->mask] = now + p->data;
  count_raise(&p->pushed);
  if (p->sent)
    __atomic_store_n(p->sent, (uint16_t)p->pushed, __ATOMIC_RELEASE);
}

static inline void port_push(struct port *p, uint64_t now, const void *message) {
  if (p->pushed - p->returned > p->mask)
    panic("a message was pushed into a full port");
  memcpy(port_message(p, p->pushed), message, p->size);
  port_send(p, now);
}

/* Receiver: the oldest message, if it has arrived. */
static inline void *port_front(const struct port *p, uint64_t now) {
  if (p->popped == count_seen(&p->pushed) || p->when[p->popped & p->mask] > now)
    return NULL;
  return port_message(p, p->popped);
}

static inline uint64_t port_next_message(const struct port *p) {
  return p->popped == count_seen(&p->pushed) ? NEVER : p->when[p->popped & p->mask];
}

/* Receiver: prefetches the messages that have come into the host's cache. */
static inline void port_come_near(const struct port *p) {
  uint32_t n = count_seen(&p->pushed) - p->popped;
  if (!n)
    return;
  __builtin_prefetch(&p->when[p->popped & p->mask], 1);
  for (uint32_t k = 0; k < n && k < 8; k++)
    __builtin_prefetch(port_message(p, p->popped + k));
}

/* Receiver: gives back the slot of the oldest message. The receiver adds 1 to `popped` itself, when it reads the message or now. */
static inline void port_release(struct port *p, uint64_t now) {
  p->when[p->released & p->mask] = now + p->credit;
  count_raise(&p->released);
}

static inline void port_pop(struct port *p, uint64_t now) {
  p->popped++;
  port_release(p, now);
}

static inline bool port_empty(const struct port *p) {
  return p->popped == p->pushed;
}

#endif
