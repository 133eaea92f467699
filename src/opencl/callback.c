/* Callbacks run in a thread of their own, started when the first one is due: a program may hold locks of its
 * own while it calls us, and may call us from its callback. */
#include "opencl/ocl.h"

struct job {
  struct job *next;
  struct object *held; /* dropped afterwards */
  void (*run)(struct job *j);
  union {
    struct {
      void(CL_CALLBACK *fn)(cl_event, cl_int, void *);
      cl_event event;
      cl_int status;
    } event;
    struct {
      void(CL_CALLBACK *fn)(cl_mem, void *);
      cl_mem mem;
    } mem;
    struct {
      void(CL_CALLBACK *fn)(cl_program, void *);
      cl_program program;
    } program;
    struct {
      void(CL_CALLBACK *fn)(cl_context, void *);
      cl_context context;
    } context;
    struct {
      void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *);
      cl_command_queue queue;
      cl_uint n;
      void **list; /* freed afterwards */
    } svm;
  } u;
  void *data;
};

struct callbacks {
  pthread_cond_t wanted;
  struct job *first, *last;
};

static void *serve(void *arg) {
  struct callbacks *c = arg;
  cl_platform_id p = ocl_platform();
  ocl_lock();
  for (;;) {
    while (!c->first)
      pthread_cond_wait(&c->wanted, &p->lock);
    struct job *j = c->first;
    c->first = j->next;
    ocl_unlock();
    j->run(j);
    ocl_lock();
    object_drop(j->held);
    free(j);
  }
  return NULL;
}

static struct callbacks *service(void) {
  cl_platform_id p = ocl_platform();
  if (p->callbacks)
    return p->callbacks;
  struct callbacks *c = xcalloc(1, sizeof *c);
  pthread_cond_init(&c->wanted, NULL);
  pthread_t thread;
  if (pthread_create(&thread, NULL, serve, c) != 0)
    panic("no thread for OpenCL callbacks");
  pthread_detach(thread);
  return p->callbacks = c;
}

static void post(struct job j) {
  struct callbacks *c = service();
  struct job *copy = xmalloc(sizeof *copy);
  *copy = j;
  if (c->first)
    c->last->next = copy;
  else
    c->first = copy;
  c->last = copy;
  pthread_cond_signal(&c->wanted);
}

static void run_event(struct job *j) {
  j->u.event.fn(j->u.event.event, j->u.event.status, j->data);
}
static void run_mem(struct job *j) {
  j->u.mem.fn(j->u.mem.mem, j->data);
}
static void run_program(struct job *j) {
  j->u.program.fn(j->u.program.program, j->data);
}

static void run_context(struct job *j) {
  j->u.context.fn(j->u.context.context, j->data);
}
static void run_svm(struct job *j) {
  j->u.svm.fn(j->u.svm.queue, j->u.svm.n, j->u.svm.list, j->data);
  free(j->u.svm.list);
}

void callback_event(cl_event e, const struct event_callback *c, cl_int status) {
  object_hold(e);
  post((struct job){.held = &e->o, .run = run_event, .u.event = {c->fn, e, status}, .data = c->data});
}

/* The object is gone by then; the handle only says which one it was. */
void callback_mem(cl_mem m, const struct mem_callback *c) {
  post((struct job){.run = run_mem, .u.mem = {c->fn, m}, .data = c->data});
}

void callback_program(cl_program p, void(CL_CALLBACK *fn)(cl_program, void *), void *data) {
  object_hold(p);
  post((struct job){.held = &p->o, .run = run_program, .u.program = {fn, p}, .data = data});
}

/* The context is gone by then. */
void callback_context(cl_context c, void(CL_CALLBACK *fn)(cl_context, void *), void *data) {
  post((struct job){.run = run_context, .u.context = {fn, c}, .data = data});
}

void callback_svm(cl_command_queue q, void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *),
                  cl_uint n, void **list, void *data) {
  void **copy = xcalloc(n + 1u, sizeof *copy);
  if (n)
    memcpy(copy, list, n * sizeof *copy);
  object_hold(q);
  post((struct job){.held = &q->o, .run = run_svm, .u.svm = {fn, q, n, copy}, .data = data});
}
