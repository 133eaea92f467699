/* The OpenCL 3.0 platform of one simulated GPU: its objects, and who owns what.
 *
 *   platform ─ device ─ sim: configuration, device memory, machine, statistics
 *      │
 *      ├ objects: every handle alive        object.c
 *      ├ queues ─ commands ─ events         queue.c, event.c, enqueue*.c
 *      └ callbacks: a thread of their own   callback.c
 *
 * One lock guards all of it; an API function takes it first and lets go last. Commands run in the thread
 * that makes them ready (the one that enqueues, or that completes what they wait for), so a program sees one
 * fixed order of execution. Functions declared here expect the lock to be held unless they say otherwise.
 *
 * A handle's first word is the loader's dispatch table. The memory of dead objects is kept for a while, so
 * that a handle used once too often is noticed instead of crashing the loader. */
#ifndef SLUICE_OPENCL_OCL_H
#define SLUICE_OPENCL_OCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "base/mem.h"
#include "opencl/compile.h"
#include "host/sim.h"
#include "front/texture/texture.h"
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind {
  KIND_DEAD,
  KIND_PLATFORM,
  KIND_DEVICE,
  KIND_CONTEXT,
  KIND_QUEUE,
  KIND_MEM,
  KIND_PROGRAM,
  KIND_KERNEL,
  KIND_EVENT,
  KIND_SAMPLER,
};

struct object {
  const cl_icd_dispatch *dispatch; /* must be first */
  enum kind kind;
  cl_uint refs;  /* the program's: clRetain..., clRelease... */
  cl_uint holds; /* ours: by other objects and by commands */
};

/* object.c */
void *object_new(enum kind kind, size_t bytes); /* one reference, zeroed */
bool object_is(const void *handle, enum kind kind);
bool object_retain(void *handle, enum kind kind);  /* by the program; false: no such object */
bool object_release(void *handle, enum kind kind); /* false: no such object, or no reference left */
void object_hold(void *object);
void object_drop(void *object); /* NULL is nothing */

struct _cl_platform_id {
  struct object o;
  pthread_mutex_t lock;
  pthread_cond_t changed; /* an event ended, or a queue emptied */
  struct _cl_device_id *device;
  struct _cl_command_queue *queues;
  struct object_set *set;
  struct callbacks *callbacks;
  bool told_hints; /* that other vendors' memory flags are hints */
};

struct _cl_device_id {
  struct object o;
  struct sim *sim;
  size_t group_max;
};

struct context_callback {
  void(CL_CALLBACK *fn)(cl_context, void *);
  void *data;
  struct context_callback *next;
};
struct _cl_context {
  struct object o;
  cl_context_properties *properties;
  size_t nproperties; /* with the 0 at the end */
  bool lost;          /* a kernel faulted: nothing more runs here */
  struct context_callback *callbacks;
};

struct _cl_command_queue {
  struct object o;
  cl_context context;
  cl_command_queue_properties properties;
  cl_queue_properties *given; /* clCreateCommandQueueWithProperties' list */
  size_t ngiven;
  struct command *first, *last;
  cl_command_queue next, prev;
};

struct mem_callback {
  void(CL_CALLBACK *fn)(cl_mem, void *);
  void *data;
  struct mem_callback *next;
};
struct mapping {
  void *at;
  size_t offset, size;
  cl_map_flags flags;
  struct texture_box box; /* of an image */
  size_t row, slice;
};

struct _cl_mem {
  struct object o;
  cl_context context;
  cl_mem parent;       /* of a sub-buffer, or an image's buffer */
  struct image *image; /* image.h; NULL: a buffer */
  size_t origin, size;
  cl_mem_flags flags;
  bool shared;                   /* the bytes are shared memory of the program's (svm.c) */
  void *host_ptr;                /* as the program gave it */
  cl_mem_properties *properties; /* the list it was made with, with the 0 at the end */
  size_t nproperties;
  uint64_t address;
  uint8_t *bytes; /* where it lies in the host's memory */
  struct mapping *maps;
  size_t nmaps, cap_maps;
  struct mem_callback *callbacks;
};

/* What a build yields; kernels keep it when the program is built anew. */
struct module {
  unsigned users;
  struct sim_module *sim;
  char *ptx;
  size_t ptx_bytes;
};

struct _cl_program {
  struct object o;
  cl_context context;
  char *source; /* NULL: from a binary */
  size_t source_bytes;
  void *il; /* NULL: not from SPIR-V */
  size_t il_bytes;
  char *binary; /* PTX, or an object for clLinkProgram */
  size_t binary_bytes;
  cl_program_binary_type type;
  cl_build_status status;
  char *options, *log;
  struct module *module; /* NULL: no executable */
  unsigned nkernels;     /* attached */
};

enum arg_kind { ARG_UNSET, ARG_VALUE, ARG_MEM, ARG_LOCAL, ARG_SAMPLER };
struct arg {
  enum arg_kind kind;
  void *value; /* ARG_VALUE, ARG_SAMPLER: as many bytes as the parameter has */
  cl_mem mem;  /* ARG_MEM; NULL is allowed */
  size_t local;
};
struct _cl_kernel {
  struct object o;
  cl_program program;
  struct module *module;
  const struct kernel_info *info;
  struct ocl_kernel about;
  bool described; /* `about` is filled */
  struct arg *args;
};

struct event_callback {
  void(CL_CALLBACK *fn)(cl_event, cl_int, void *);
  void *data;
  cl_int at;
  struct event_callback *next;
};
struct _cl_event {
  struct object o;
  cl_context context;
  cl_command_queue queue; /* NULL: a user event */
  cl_command_type type;
  cl_int status;
  uint64_t queued, submitted, started, ended; /* ns of simulated time */
  struct event_callback *callbacks;
};

/* platform.c */
cl_platform_id ocl_platform(void); /* without the lock */
void ocl_lock(void);
void ocl_unlock(void);
struct sim *ocl_sim(void);
extern const cl_icd_dispatch ocl_dispatch;

/* device.c */
enum { DEVICE_BASE_ALIGN = 128 }; /* bytes: a double16 */
uint64_t device_largest_buffer(cl_device_id d);

/* mem.c; device flags of other vendors are dropped, with a word about it. False: they do not go together. */
bool mem_flags_fit(cl_mem_flags *flags);
void mem_keep_properties(cl_mem m, const cl_mem_properties *list);
/* svm.c: whether host and device have that address in common. */
bool svm_is(const void *p);
/* image_transfer.c: what the program wrote to a mapped region goes to the image. */
void image_unmap(cl_mem m, const struct mapping *map);

/* event.c */
cl_event event_new(cl_context c, cl_command_queue q, cl_command_type type);
/* Sets a status, tells callbacks and waiters. */
void event_set(cl_event e, cl_int status);
void event_wait(cl_event e); /* lets go of the lock meanwhile */
cl_int event_list_check(cl_context c, cl_uint n, const cl_event *list);

/* kernel.c */
enum { LOCAL_ALIGN = 128 }; /* of a __local argument: a double16 */
cl_kernel kernel_make(cl_program p, struct module *module, const struct kernel_info *info);
/* A pointer of shared memory as an argument. */
cl_int kernel_set_pointer(cl_kernel k, cl_uint i, const void *p);
void kernel_required_size(cl_kernel k, size_t size[3]); /* zeroes: any */
size_t kernel_group_max(cl_kernel k);
uint64_t kernel_local_bytes(cl_kernel k);

/* queue.c */
/* In an out-of-order queue: whether a command waits for all before it, and whether all after it wait. */
enum order { ORDER_FREE, ORDER_AFTER_ALL = 1, ORDER_GATE = 2, ORDER_BARRIER = ORDER_AFTER_ALL | ORDER_GATE };
struct command {
  struct command *next;
  cl_command_queue queue;
  cl_event event;
  cl_event *waits;
  cl_uint nwaits;
  enum order order;
  void **held; /* objects that must live until it ran */
  size_t nheld, cap_held;
  /* Does it; what remains is the event's status. `ns` is how long it takes in simulated time. */
  cl_int (*run)(struct command *c, uint64_t *ns);
  void (*discard)(struct command *c); /* frees what `data` owns; NULL: nothing */
  void *data;                         /* freed with the command */
};
/* A command for a queue, its wait list checked; NULL with *err. `data_bytes` of zeroes are in data. */
struct command *command_new(cl_command_queue q, cl_command_type type, cl_uint n, const cl_event *waits,
                            size_t data_bytes, cl_int *err);
void command_hold(struct command *c, void *object);
void command_free(struct command *c);
/* Hands the command to its queue, which runs it as soon as it may. Blocking: returns when it ran, with its
 * status. `event`: NULL, or where a reference for the program goes. */
cl_int command_submit(struct command *c, cl_bool blocking, cl_event *event);
void queues_pump(void); /* runs what has become ready */
void queue_wait_all(cl_command_queue q);

/* callback.c: run in a thread of their own, in order, without the lock */
void callback_event(cl_event e, const struct event_callback *c, cl_int status);
void callback_mem(cl_mem m, const struct mem_callback *c);
void callback_svm(cl_command_queue q, void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *),
                  cl_uint n, void **list, void *data);
void callback_context(cl_context c, void(CL_CALLBACK *fn)(cl_context, void *), void *data);
void callback_program(cl_program p, void(CL_CALLBACK *fn)(cl_program, void *), void *data);

/* Destructors, called when nothing refers to the object any more. */
void context_destroy(cl_context c);
void queue_destroy(cl_command_queue q);
void mem_destroy(cl_mem m);
void program_destroy(cl_program p);
void kernel_destroy(cl_kernel k);
void event_destroy(cl_event e);
void sampler_destroy(cl_sampler s);
void image_destroy(cl_mem m); /* its part of the object */
void module_drop(struct module *m);

/* Answers an info query: the value if `to` is wanted and large enough, its size in *ret. */
cl_int info_put(size_t n, void *to, size_t *ret, const void *value, size_t bytes);
cl_int info_string(size_t n, void *to, size_t *ret, const char *value);
#define INFO(type, ...) info_put(n, to, ret, &(const type){__VA_ARGS__}, sizeof(type))

/* Sets *at where the program asked for an error code; returns NULL, so that a constructor can end with it. */
void *fail(cl_int *at, cl_int code);
void *succeed(cl_int *at, void *object);

#endif
