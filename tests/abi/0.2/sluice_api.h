/* What all headers of Sluice share: the version, how functions are exported, what became of a call. */
#ifndef SLUICE_API_H
#define SLUICE_API_H

/* Of these headers; sluice_version() is that of the library. */
#define SLUICE_VERSION_MAJOR 0
#define SLUICE_VERSION_MINOR 2
#define SLUICE_VERSION_PATCH 0
#define SLUICE_VERSION_NUMBER                                                                                \
  (SLUICE_VERSION_MAJOR * 10000 + SLUICE_VERSION_MINOR * 100 + SLUICE_VERSION_PATCH)

#if defined(__GNUC__)
#define SLUICE_EXPORT __attribute__((visibility("default")))
#else
#define SLUICE_EXPORT
#endif
#define SLUICE_API SLUICE_EXPORT

/* What became of a call. The first five are the exit codes of `sluice run`. */
enum sluice_status {
  SLUICE_OK,
  SLUICE_E_HOST, /* a file cannot be written, an output differs from what is expected, the host has no thread */
  SLUICE_E_INPUT,     /* bad configuration, PTX, launch file, recorded stream or argument */
  SLUICE_E_KERNEL,    /* the kernel did something illegal */
  SLUICE_E_STALL,     /* no progress, or a limit of cycles or instructions */
  SLUICE_E_CANCELLED, /* a callback asked for it, or a signal that the program passed on */
  SLUICE_E_MEMORY,    /* the host has no memory left; the handle can only be destroyed */
  SLUICE_E_INTERNAL   /* an invariant of Sluice is broken: a bug; the handle can only be destroyed */
};

#endif
