/* What the networks count: X(id, name, unit, definition, where), g being the GPU (gpu/counters.c). */
#ifndef SLUICE_NOC_COUNTERS_H
#define SLUICE_NOC_COUNTERS_H

#define NOC_COUNTERS(X)                                                                                      \
  X(request_messages, "noc.request_messages", "messages", "Messages the request network carried.",           \
    xbar_counts(&g->request).messages)                                                                       \
  X(response_messages, "noc.response_messages", "messages", "Messages the response network carried.",        \
    xbar_counts(&g->response).messages)                                                                      \
  X(request_flits, "noc.request_flits", "flits", "Flits of the request network.",                            \
    xbar_counts(&g->request).flits)                                                                          \
  X(response_flits, "noc.response_flits", "flits", "Flits of the response network.",                         \
    xbar_counts(&g->response).flits)                                                                         \
  X(request_wait, "noc.request_wait_cycles", "cycles",                                                       \
    "Network cycles that requests waited at the head of an input, summed.",                                  \
    xbar_counts(&g->request).wait_cycles)                                                                    \
  X(response_wait, "noc.response_wait_cycles", "cycles",                                                     \
    "Network cycles that answers waited at the head of an input, summed.",                                   \
    xbar_counts(&g->response).wait_cycles)                                                                   \
  X(link_wait, "noc.link_wait_cycles", "cycles",                                                             \
    "Network cycles that messages waited at the head of a link shared by several SMs, summed.",              \
    links_wait(g))                                                                                           \
  X(link_answers, "noc.link_answers", "messages",                                                            \
    "Loads answered by another L1 behind the same link, which the networks did not carry.",                  \
    links_answers(g))                                                                                        \
  X(stream_requests, "noc.stream_requests", "messages",                                                      \
    "Requests of the stream caches' own: fetches, and lines written back.", streams_sum(g, false))           \
  X(stream_answers, "noc.stream_answers", "messages",                                                        \
    "Requests that ended in a stream cache, which answered them.", streams_sum(g, true))

#endif
