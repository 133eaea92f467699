/* Handles: which are alive, who refers to them, and what becomes of the dead.
 *
 * The set of living handles is a hash table of pointers (linear probing), so that any value a program hands
 * in can be asked about without touching the memory it points to. */
#include "opencl/ocl.h"
#include "base/hash.h"

enum { KEPT_DEAD = 16384 }; /* how many dead objects stay recognisable */

struct object_set {
  struct object **slots;
  size_t n, cap; /* cap: a power of two, more than twice n */
  struct object *dead[KEPT_DEAD];
  size_t next_dead;
};

static struct object_set *set_of_all(void) {
  cl_platform_id p = ocl_platform();
  if (!p->set) {
    p->set = xcalloc(1, sizeof *p->set);
    p->set->cap = 64;
    p->set->slots = xcalloc(p->set->cap, sizeof *p->set->slots);
  }
  return p->set;
}

static size_t home(const struct object_set *s, const void *handle) {
  return (size_t)hash_mix((uintptr_t)handle) & (s->cap - 1);
}

static size_t find(const struct object_set *s, const void *handle) {
  size_t i = home(s, handle);
  while (s->slots[i] && (const void *)s->slots[i] != handle)
    i = (i + 1) & (s->cap - 1);
  return i;
}

static void grow(struct object_set *s) {
  struct object **old = s->slots;
  size_t cap = s->cap;
  s->cap *= 2;
  s->slots = xcalloc(s->cap, sizeof *s->slots);
  for (size_t i = 0; i < cap; i++)
    if (old[i])
      s->slots[find(s, old[i])] = old[i];
  free(old);
}

static void add(struct object *o) {
  struct object_set *s = set_of_all();
  if (2 * ++s->n >= s->cap)
    grow(s);
  s->slots[find(s, o)] = o;
}

/* Whatever probed past the freed slot moves up, so that searches still find it. */
static void erase(const struct object *o) {
  struct object_set *s = set_of_all();
  size_t hole = find(s, o);
  s->slots[hole] = NULL;
  s->n--;
  for (size_t i = (hole + 1) & (s->cap - 1); s->slots[i]; i = (i + 1) & (s->cap - 1)) {
    struct object *moved = s->slots[i];
    s->slots[i] = NULL;
    s->slots[find(s, moved)] = moved;
  }
}

void *object_new(enum kind kind, size_t bytes) {
  struct object *o = xcalloc(1, bytes);
  o->dispatch = &ocl_dispatch;
  o->kind = kind;
  o->refs = 1;
  add(o);
  return o;
}

bool object_is(const void *handle, enum kind kind) {
  const struct object_set *s = set_of_all();
  const struct object *o = handle ? s->slots[find(s, handle)] : NULL;
  return o && o->kind == kind;
}

static void bury(struct object *o) {
  struct object_set *s = set_of_all();
  erase(o);
  o->kind = KIND_DEAD;
  free(s->dead[s->next_dead]);
  s->dead[s->next_dead] = o;
  s->next_dead = (s->next_dead + 1) % KEPT_DEAD;
}

static void destroy(struct object *o) {
  o->holds = 1; /* what the destructor lets go of must not come back to this object */
  switch (o->kind) {
  case KIND_CONTEXT:
    context_destroy((cl_context)o);
    break;
  case KIND_QUEUE:
    queue_destroy((cl_command_queue)o);
    break;
  case KIND_MEM:
    mem_destroy((cl_mem)o);
    break;
  case KIND_PROGRAM:
    program_destroy((cl_program)o);
    break;
  case KIND_KERNEL:
    kernel_destroy((cl_kernel)o);
    break;
  case KIND_EVENT:
    event_destroy((cl_event)o);
    break;
  case KIND_SAMPLER:
    sampler_destroy((cl_sampler)o);
    break;
  default:
    return; /* platform and device last as long as the process */
  }
  bury(o);
}

bool object_retain(void *handle, enum kind kind) {
  if (!object_is(handle, kind))
    return false;
  ((struct object *)handle)->refs++;
  return true;
}

bool object_release(void *handle, enum kind kind) {
  struct object *o = handle;
  if (!object_is(handle, kind) || !o->refs)
    return false;
  if (!--o->refs && !o->holds)
    destroy(o);
  return true;
}

void object_hold(void *object) {
  ((struct object *)object)->holds++;
}

void object_drop(void *object) {
  struct object *o = object;
  if (o && !--o->holds && !o->refs)
    destroy(o);
}
