#include "engine/team.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rescue.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct helper {
  struct team *team;
  unsigned who;
  pthread_t thread;
};

struct team {
  pthread_mutex_t lock; /* protects all fields but `next` */
  pthread_cond_t work, done;
  struct helper *helper;
  unsigned size, started; /* threads, with the leader; helpers that could be started */
  unsigned busy;          /* helpers at work */
  bool open, quit, tried;
  void (*piece)(void *ctx, unsigned who, size_t k);
  void *ctx;
  size_t n, next;      /* pieces; the first that no thread has taken */
  struct pool *pool;   /* of the leader */
  struct rescue fault; /* of a helper that could not go on; cause 0: none */
};

struct team *team_new(unsigned threads) {
  if (threads < 2)
    return NULL;
  struct team *t = xcalloc(1, sizeof *t);
  t->size = threads;
  t->helper = xcalloc(threads, sizeof *t->helper);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->work, NULL);
  pthread_cond_init(&t->done, NULL);
  return t;
}

unsigned team_size(const struct team *t) {
  return t ? t->size : 0;
}

static void take_pieces(struct team *t, unsigned who) {
  for (size_t k; (k = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED)) < t->n;)
    t->piece(t->ctx, who, k);
}

static void take_as_helper(void *helper) {
  const struct helper *h = helper;
  take_pieces(h->team, h->who);
}

static void *help(void *arg) {
  struct helper *h = arg;
  struct team *t = h->team;
  pool_enter(t->pool);
  mem_thread_begins();
  pthread_mutex_lock(&t->lock);
  while (!t->quit) {
    if (!t->open || __atomic_load_n(&t->next, __ATOMIC_RELAXED) >= t->n) {
      pthread_cond_wait(&t->work, &t->lock);
      continue;
    }
    t->busy++;
    pthread_mutex_unlock(&t->lock);
    struct rescue why = {0};
    bool ok = rescue_run(&why, take_as_helper, h);
    pthread_mutex_lock(&t->lock);
    if (!ok) { /* a piece is half done: no thread takes more pieces */
      if (!t->fault.cause)
        t->fault = why;
      __atomic_store_n(&t->next, t->n, __ATOMIC_RELAXED);
    }
    if (!--t->busy)
      pthread_cond_signal(&t->done);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

static void quit(void *team) {
  struct team *t = team;
  pthread_mutex_lock(&t->lock);
  t->quit = true;
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  for (unsigned i = 1; i <= t->started; i++)
    pthread_join(t->helper[i].thread, NULL);
}

/* Starts as many helpers as the host allows. */
static void start(struct team *t) {
  t->tried = true;
  t->pool = pool_here();
  pool_ends(quit, t);
  for (unsigned i = 1; i < t->size; i++) {
    t->helper[i] = (struct helper){.team = t, .who = i};
    if (pthread_create(&t->helper[i].thread, NULL, help, &t->helper[i]))
      return;
    t->started++;
  }
}

void team_run(struct team *t, size_t n, void (*work)(void *ctx, unsigned who, size_t k), void *ctx) {
  if (!t->tried)
    start(t);
  pthread_mutex_lock(&t->lock);
  t->piece = work, t->ctx = ctx, t->n = n;
  __atomic_store_n(&t->next, 0, __ATOMIC_RELAXED);
  t->open = true;
  pthread_cond_broadcast(&t->work);
  pthread_mutex_unlock(&t->lock);
  struct helper leader = {.team = t};
  struct rescue why = {0};
  if (!rescue_here()) /* the caller does not catch panics: a panic ends the process */
    take_pieces(t, 0);
  else if (!rescue_run(&why, take_as_helper, &leader))
    __atomic_store_n(&t->next, n, __ATOMIC_RELAXED);
  pthread_mutex_lock(&t->lock);
  t->open = false;
  while (t->busy)
    pthread_cond_wait(&t->done, &t->lock);
  pthread_mutex_unlock(&t->lock);
  if (why.cause)
    rescue_raise(why.cause, why.text);
  if (t->fault.cause)
    rescue_raise(t->fault.cause, t->fault.text);
}

void team_free(struct team *t) {
  if (!t)
    return;
  pool_ended(t);
  quit(t);
  pthread_mutex_destroy(&t->lock);
  pthread_cond_destroy(&t->work);
  pthread_cond_destroy(&t->done);
  free(t->helper);
  free(t);
}
