/* The CUDA runtime (libcudart) and driver (libcuda) of one simulated GPU.
 *
 *   state ─ sim: configuration, device memory, machine, statistics         state.c
 *     ├ images: registered fat binaries, loaded modules                    fatbin.c, join.c, image.c, register.c
 *     │    └ kernels, variables
 *     ├ allocations: what cudaMalloc and its kin gave out                  memory.c
 *     ├ streams ─ operations ─ events                                      stream.c, event.c, copy.c, launch.c
 *     └ graphs: operations kept instead of run                             graph.c
 *
 * One lock guards all of it; an interface function takes it first (cuda_enter) and lets go last (cuda_leave).
 * Operations run in the calling thread when they are submitted: every stream is in order, and so are all of them
 * together. Functions declared here expect the lock to be held unless they say otherwise, and return an
 * enum cuda_error.
 *
 * A kernel that fails leaves an error that every later call returns, as on a GPU. */
#ifndef SLUICE_CUDA_CUDA_H
#define SLUICE_CUDA_CUDA_H

#include "base/mem.h"
#include "cuda/abi.h"
#include "host/sim.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* state.c */
int cuda_enter(void);      /* takes the lock, makes the device; an error that stands in the way */
void cuda_enter_raw(void); /* takes the lock only: registration, before the program's main */
void cuda_leave(void);
int cuda_last(int error); /* keeps an error for cudaGetLastError of this thread; returns it */
int cuda_sticky(void);    /* what an earlier kernel left */
void cuda_set_sticky(int error);
struct sim *cuda_sim(void);
bool cuda_is_open(void);
struct cuda_lists *cuda_lists(void);
/* Of the runtime: 0 with the text, so that it is told once. */
int cuda_missing(const char *function);

/* Runs `call` under the lock as a runtime function; as a driver function. */
#define RUNTIME(call)                                                                                        \
  do {                                                                                                       \
    int e_ = cuda_enter();                                                                                   \
    if (!e_)                                                                                                 \
      e_ = (call);                                                                                           \
    cuda_leave();                                                                                            \
    return cuda_last(e_);                                                                                    \
  } while (0)
#define DRIVER(call)                                                                                         \
  do {                                                                                                       \
    int e_ = driver_enter();                                                                                 \
    if (!e_)                                                                                                 \
      e_ = (call);                                                                                           \
    cuda_leave();                                                                                            \
    return e_;                                                                                               \
  } while (0)

/* Operations that a captured one comes after. */
struct tail {
  struct graph_node **nodes;
  size_t n, cap;
};

/* stream.c */
struct cuda_stream {
  struct cuda_stream *next;
  unsigned flags;
  int priority;
  uint64_t id;
  struct graph *capture; /* NULL: operations run */
  bool origin;           /* the capture began here */
  struct tail tail;
};

/* All objects there are, in lists. */
struct cuda_lists {
  struct image *images;
  struct allocation **allocations; /* sorted by address */
  size_t nallocations, cap_allocations;
  struct cuda_stream *streams, default_stream;
  uint64_t stream_ids;
  struct event *events;
  struct graph *graphs;
  struct graph_exec *graph_execs;
  uint64_t graph_bytes[4];      /* graph_memory.c: used, the most so far, reserved, the most so far */
  struct cuda_array *arrays;    /* array.h */
  struct header *headers;       /* texture.c: objects */
  struct reference *references; /* texture.c: that the program registered */
  struct texref *texrefs;       /* driver_array.c */
};

/* image.c: PTX of the program, loaded when something of it is first needed. */
struct kernel {
  struct image *image;
  const void *host; /* the stub's address; NULL: a module's */
  char *name;
  const struct kernel_info *info; /* NULL until the image is loaded */
  int max_dynamic, carveout;      /* -1: not set */
  struct kernel *next;
};
struct variable {
  struct image *image;
  const void *host;  /* the shadow's address */
  void **managed_at; /* where the program keeps the address of a managed variable; NULL: not managed */
  char *name;
  size_t size;
  struct variable *next;
};
struct image {
  const void *fat;              /* wrapper's data; NULL: `ptx` is given */
  const void *const *prelinked; /* relocatable parts, to be joined */
  char *ptx;                    /* owned */
  size_t ptx_bytes;
  char name[96]; /* in messages */
  struct sim_module *module;
  bool tried;
  int error; /* why there is no module */
  unsigned arch;
  struct kernel *kernels;
  struct variable *variables;
  struct image *next;
};
struct image *image_new(const char *name);
void image_free(struct image *i);   /* unlinks it too */
int image_load(struct image *i);    /* does nothing when it is */
void image_forget(struct image *i); /* the module; the next image_load loads it anew */
struct kernel *image_add_kernel(struct image *i, const void *host, const char *name);
/* The kernel of a stub or a handle, loaded; NULL with *error. */
struct kernel *kernel_find(const void *func, int *error);
int kernel_prepare(struct kernel *k); /* fills info */
/* Address and size of a variable by its shadow. */
int variable_find(const void *symbol, uint64_t *address, size_t *size);
/* Managed variables get their address when the program asks for them. */
int images_load_managed(void);
/* The compute capability that the program sees, times 10. */
unsigned cuda_capability(void);

/* memory.c */
enum allocation_kind { ALLOC_DEVICE, ALLOC_MANAGED, ALLOC_HOST, ALLOC_REGISTERED, ALLOC_MAPPED };
struct allocation {
  enum allocation_kind kind;
  uint64_t address;
  size_t size;
  unsigned flags;
  const struct op *graph; /* the node of a graph whose memory it is; NULL: the program's */
  bool idle;              /* a graph's: between being freed and the next launch */
};
int memory_alloc(enum allocation_kind kind, size_t bytes, unsigned flags, uint64_t *address);
/* Frees one of the kinds in the mask (1 << kind). */
int memory_free(uint64_t address, unsigned kinds, int otherwise);
struct allocation *memory_find(uint64_t address); /* that contains it, or NULL */
int memory_add(enum allocation_kind kind, uint64_t address, size_t bytes, unsigned flags);
void memory_free_all(void);
/* The host's bytes behind n bytes at p: p itself if the device does not know it. NULL: the bytes do not lie in
 * one buffer. *device: whether the device knows it. */
uint8_t *memory_bytes(const void *p, size_t n, bool *device);

/* stream.c */
enum op_type {
  OP_KERNEL,
  OP_COPY,
  OP_FILL,
  OP_HOST,
  OP_CHILD,
  OP_EMPTY,
  OP_WAIT,
  OP_RECORD,
  OP_ALLOC = 10,
  OP_FREE
}; /* as cudaGraphNodeType */
struct op {
  int (*run)(struct op *op, uint64_t *ns);
  void (*free)(struct op *op); /* what it owns; NULL: nothing */
  enum op_type type;
  unsigned users; /* graphs that keep it */
};
struct cuda_stream *stream_find(void *handle, int *error); /* NULL handle: the default stream */
/* Runs the operation, or keeps it in the graph that the stream is captured into. Takes the operation. */
int stream_submit(void *stream, struct op *op);
void streams_free_all(void);
/* Runs an operation and lets simulated time pass. */
int op_run(struct op *op);
void op_drop(struct op *op); /* frees it with its last user */
struct op *op_host(void (*fn)(void *), void *data);
bool op_host_of(const struct op *op, struct cuda_host_node *to);

/* event.c */
struct event {
  struct event *next;
  unsigned flags;
  bool recorded;
  uint64_t at; /* ns of simulated time */
  struct graph *capture;
  struct tail tail;
};
struct event *event_find(const void *handle);
/* Marks the event when it runs; `wait`: nothing to do, since operations run in order. */
struct op *event_op(void *event, bool wait);
void *event_of(const struct op *op); /* of such an operation */
void events_free_all(void);

/* copy.c */
struct copy {
  struct op op;
  void *dst;
  const void *src;
  size_t dst_pitch, dst_slice, src_pitch, src_slice; /* bytes from row to row, from slice to slice */
  size_t width, height, depth;                       /* bytes, rows, slices */
  enum cuda_copy_kind kind;
};
struct fill {
  struct op op;
  void *dst;
  size_t pitch, slice;
  unsigned value, element;     /* bytes of an element: 1, 2 or 4 */
  size_t width, height, depth; /* elements, rows, slices */
};
int copy_check(const struct copy *c);
int fill_check(const struct fill *f);
struct op *copy_op(const struct copy *c);
struct op *fill_op(const struct fill *f);
int copy_submit(void *stream, const struct copy *c);
int fill_submit(void *stream, const struct fill *f);
int copy_linear(void *stream, void *dst, const void *src, size_t n, int kind);

/* launch.c */
struct launch_op {
  struct op op;
  struct kernel *kernel;
  struct launch launch;
  uint8_t *params;
  void **each; /* where each parameter lies, for who asks the node; NULL: nobody did */
};
/* Makes the operation of a launch; NULL with *error. `params`: an address for each parameter; or `block` of
 * `block_bytes`. */
struct launch_wanted {
  struct kernel *kernel;
  struct dim3 grid, block;
  size_t shared;
  bool cooperative;
  void *const *params;
  const void *packed; /* instead of params */
  size_t packed_bytes;
};
struct op *launch_op(const struct launch_wanted *w, int *error);
size_t kernel_dynamic_limit(const struct kernel *k);
int kernel_max_threads(const struct kernel *k);

/* device.c */
struct device_limits {
  unsigned threads, shared, shared_optin, shared_sm, registers, warp;
};
struct device_limits device_limits(void);
int device_attribute(int which, int *value);
void device_reset(void);
void device_name(char *to, size_t n);

/* occupancy.c */
int occupancy_blocks(const struct kernel *k, int threads, size_t dynamic, int *blocks);

/* graph.c */
void graph_keep(struct cuda_stream *s, struct op *op); /* takes it: the stream is being captured */
void graph_wait(struct cuda_stream *s, struct event *e);
void graph_record(struct cuda_stream *s, struct event *e);
void graphs_free_all(void);
int graph_launch(void *exec, void *stream);
/* graph_memory.c: an allocation or a free in the order of a stream that is captured. */
int graph_keep_alloc(struct cuda_stream *s, size_t bytes, uint64_t *address);
int graph_keep_free(struct cuda_stream *s, uint64_t address);

#endif
