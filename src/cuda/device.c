/* The device: what it says of itself, taken from the simulated GPU's parameters; limits and settings. */
#include "cuda/array.h"
#include "gpu/presets.h"
#include <stdio.h>

enum { DRIVER_VERSION = 13000, KB = 1024 };

struct device_limits device_limits(void) {
  const struct gpu_config *g = sim_gpu(cuda_sim());
  unsigned capability = cuda_capability();
  unsigned reserved = capability >= 80 ? KB : 0, most = g->core.shared_bytes;
  return (struct device_limits){.threads = g->core.threads < 1024 ? g->core.threads : 1024,
                                .shared = most < 48 * KB ? most : 48 * KB,
                                .shared_optin = most > 48 * KB ? most - reserved : most,
                                .shared_sm = most,
                                .registers = g->core.registers,
                                .warp = sim_warp_width(cuda_sim())};
}

void device_name(char *to, size_t n) {
  snprintf(to, n, "Sluice %s", sim_gpu_name(cuda_sim()));
}

static int l2_bytes(const struct gpu_config *g) {
  return (int)(g->l2.cache.sets * g->l2.cache.ways * g->l2.cache.line_bytes * g->l2.channels *
               g->l2.slices_per_channel);
}

/* Bits of all data buses at two transfers per clock of the memory, as CUDA's programs compute the peak:
 * 2 * memoryClockRate * memoryBusWidth / 8. */
static int bus_bits(const struct gpu_config *g) {
  return (int)(sim_peak_bandwidth(cuda_sim()) * 8 / (2e6 * (double)g->dram_mhz));
}

/* ---- attributes ---- */

enum { UNKNOWN = -1 };

static int limit(int which, const struct gpu_config *g, const struct device_limits *d) {
  switch (which) {
  case 1: /* threads of a block; x, y, z */
  case 2:
  case 3:
    return (int)d->threads;
  case 4:
    return d->threads < 64 ? (int)d->threads : 64;
  case 5: /* blocks of a grid: x, y, z */
    return 0x7fffffff;
  case 6:
  case 7:
    return 65535;
  case 8: /* shared memory of a block; of a multiprocessor; of a block that asks for it; reserved */
    return (int)d->shared;
  case 81:
    return (int)d->shared_sm;
  case 97:
    return (int)d->shared_optin;
  case 111:
    return (int)(d->shared_sm - d->shared_optin) & 0xffff;
  case 9: /* constant memory */
    return 64 * KB;
  case 10:
    return (int)d->warp;
  case 11: /* pitch */
    return 0x7fffffff;
  case 12: /* registers of a block; of a multiprocessor */
  case 82:
    return (int)d->registers;
  case 13: /* kHz */
    return (int)(g->core_mhz * 1000);
  case 16:
    return (int)g->sms;
  case 36: /* memory: kHz, bits */
    return (int)(g->dram_mhz * 1000);
  case 37:
    return bus_bits(g);
  case 38:
    return l2_bytes(g);
  case 39: /* threads and blocks of a multiprocessor */
    return (int)g->core.threads;
  case 106:
    return (int)g->core.ctas;
  case 75: /* compute capability */
    return (int)cuda_capability() / 10;
  case 76:
    return (int)cuda_capability() % 10;
  default:
    return UNKNOWN;
  }
}

static int feature(int which, const struct gpu_config *g) {
  switch (which) {
  case 15: /* copies overlap; host memory can be mapped; streams' priorities; addresses are unified */
  case 19:
  case 40:
  case 41:
  case 78:
  case 83: /* managed memory, pinned memory by its host pointer, cooperative launches, registered memory */
  case 91:
  case 95:
  case 99:
  case 92: /* values that a stream writes and waits for, and of 64 bits; memory by parts; pools */
  case 93:
  case 102:
  case 115:
  case 122:
  case 123:
    return 1;
  case 79: /* L1 caches global, local memory */
  case 80:
    return g->l1.d_on;
  case 14: /* alignments of textures and surfaces */
  case 30:
    return 512;
  case 51:
    return 32;
  case 87: /* f32 to f64 */
    return (int)(g->core.unit[PTX_UNIT_FP64].interval /
                 (g->core.unit[PTX_UNIT_FP32].interval ? g->core.unit[PTX_UNIT_FP32].interval : 1));
  default:
    return UNKNOWN;
  }
}

/* Texels of textures and surfaces, and layers: CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability", 8.0 and later. What the simulated GPU does not have (cube maps, mipmaps) is 0. */
static int texture_limit(int which) {
  static const struct {
    int which, value;
  } limits[] = {{21, 131072}, {22, 131072}, {23, 65536}, {24, 16384},   {25, 16384},  {26, 16384},
                {27, 32768},  {28, 32768},  {29, 2048},  {42, 32768},   {43, 2048},   {45, 32768},
                {46, 32768},  {47, 8192},   {48, 8192},  {49, 32768},   {55, 32768},  {56, 131072},
                {57, 65536},  {58, 16384},  {59, 16384}, {60, 16384},   {61, 32768},  {62, 2048},
                {63, 32768},  {64, 32768},  {65, 2048},  {69, 1 << 28}, {70, 131072}, {71, 65000},
                {72, 2097120}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (limits[i].which == which)
      return limits[i].value;
  return UNKNOWN;
}

/* No clusters, peers, graphics or processes that share: all of that is 0. */
int device_attribute(int which, int *value) {
  const struct gpu_config *g = sim_gpu(cuda_sim());
  struct device_limits d = device_limits();
  if (which < 1 || which > 150 || !value)
    return CU_INVALID_VALUE;
  *value = limit(which, g, &d);
  if (*value == UNKNOWN)
    *value = feature(which, g);
  if (*value == UNKNOWN)
    *value = texture_limit(which);
  if (*value == UNKNOWN)
    *value = 0;
  return CU_SUCCESS;
}

static int linear_texels(size_t *to, int device) {
  if (!to || device)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  *to = (size_t)texture_limit(69);
  return CU_SUCCESS;
}
API int cudaDeviceGetTexture1DLinearMaxWidth(size_t *to, const void *format, int device) {
  RUNTIME(!format ? CU_INVALID_VALUE : linear_texels(to, device));
}

API int cudaDeviceGetAttribute(int *value, int which, int device) {
  RUNTIME(device ? CU_INVALID_DEVICE : device_attribute(which, value));
}

/* ---- properties ---- */

static int attribute(int which) {
  int value = 0;
  device_attribute(which, &value);
  return value;
}

#define TWO(to, which)   ((to)[0] = attribute(which), (to)[1] = attribute((which) + 1))
#define THREE(to, which) (TWO(to, which), (to)[2] = attribute((which) + 2))
/* What both layouts have. */
#define FILL_COMMON(p)                                                                                       \
  do {                                                                                                       \
    device_name((p)->name, sizeof(p)->name);                                                                 \
    memcpy((p)->uuid, "sluice", 6);                                                                          \
    (p)->totalGlobalMem = (size_t)sim_memory_bytes(cuda_sim());                                              \
    (p)->sharedMemPerBlock = (size_t)attribute(8);                                                           \
    (p)->regsPerBlock = (p)->regsPerMultiprocessor = attribute(12);                                          \
    (p)->warpSize = attribute(10);                                                                           \
    (p)->memPitch = (size_t)attribute(11);                                                                   \
    (p)->maxThreadsPerBlock = attribute(1);                                                                  \
    for (int i = 0; i < 3; i++)                                                                              \
      (p)->maxThreadsDim[i] = attribute(2 + i), (p)->maxGridSize[i] = attribute(5 + i);                      \
    (p)->totalConstMem = (size_t)attribute(9);                                                               \
    (p)->major = attribute(75);                                                                              \
    (p)->minor = attribute(76);                                                                              \
    (p)->textureAlignment = (size_t)attribute(14);                                                           \
    (p)->texturePitchAlignment = (size_t)attribute(51);                                                      \
    (p)->maxTexture1D = attribute(21);                                                                       \
    TWO((p)->maxTexture2D, 22);                                                                              \
    THREE((p)->maxTexture2DLinear, 70);                                                                      \
    TWO((p)->maxTexture2DGather, 45);                                                                        \
    THREE((p)->maxTexture3D, 24);                                                                            \
    THREE((p)->maxTexture3DAlt, 47);                                                                         \
    TWO((p)->maxTexture1DLayered, 42);                                                                       \
    THREE((p)->maxTexture2DLayered, 27);                                                                     \
    (p)->maxSurface1D = attribute(55);                                                                       \
    TWO((p)->maxSurface2D, 56);                                                                              \
    THREE((p)->maxSurface3D, 58);                                                                            \
    TWO((p)->maxSurface1DLayered, 61);                                                                       \
    THREE((p)->maxSurface2DLayered, 63);                                                                     \
    (p)->surfaceAlignment = (size_t)attribute(30);                                                           \
    (p)->multiProcessorCount = attribute(16);                                                                \
    (p)->canMapHostMemory = attribute(19);                                                                   \
    (p)->concurrentKernels = attribute(31);                                                                  \
    (p)->asyncEngineCount = attribute(40);                                                                   \
    (p)->unifiedAddressing = attribute(41);                                                                  \
    (p)->memoryBusWidth = attribute(37);                                                                     \
    (p)->l2CacheSize = attribute(38);                                                                        \
    (p)->maxThreadsPerMultiProcessor = attribute(39);                                                        \
    (p)->streamPrioritiesSupported = attribute(78);                                                          \
    (p)->globalL1CacheSupported = attribute(79);                                                             \
    (p)->localL1CacheSupported = attribute(80);                                                              \
    (p)->sharedMemPerMultiprocessor = (size_t)attribute(81);                                                 \
    (p)->managedMemory = attribute(83);                                                                      \
    (p)->canUseHostPointerForRegisteredMem = attribute(91);                                                  \
    (p)->cooperativeLaunch = attribute(95);                                                                  \
    (p)->sharedMemPerBlockOptin = (size_t)attribute(97);                                                     \
    (p)->maxBlocksPerMultiProcessor = attribute(106);                                                        \
    (p)->reservedSharedMemPerBlock = (size_t)attribute(111);                                                 \
    (p)->hostRegisterSupported = attribute(99);                                                              \
    (p)->memoryPoolsSupported = attribute(115);                                                              \
  } while (0)

static int properties_12(void *to, int device, size_t bytes) {
  struct cuda_prop_12 p = {0};
  if (!to)
    return CU_INVALID_VALUE;
  if (device)
    return CU_INVALID_DEVICE;
  FILL_COMMON(&p);
  p.clockRate = attribute(13);
  p.deviceOverlap = attribute(15);
  p.maxTexture1DLinear = attribute(69);
  p.memoryClockRate = attribute(36);
  p.singleToDoublePrecisionPerfRatio = attribute(87);
  memcpy(to, &p, bytes);
  return CU_SUCCESS;
}
static int put_properties_13(struct cuda_prop_13 *to, int device) {
  if (!to)
    return CU_INVALID_VALUE;
  if (device)
    return CU_INVALID_DEVICE;
  *to = (struct cuda_prop_13){0};
  FILL_COMMON(to);
  return CU_SUCCESS;
}
int properties_11(void *to, int device);
int properties_11(void *to, int device) {
  RUNTIME(properties_12(to, device, CUDA_PROP_11_BYTES));
}
int properties_13(struct cuda_prop_13 *to, int device);
int properties_13(struct cuda_prop_13 *to, int device) {
  RUNTIME(put_properties_13(to, device));
}
API int cudaGetDeviceProperties_v2(void *to, int device) {
  RUNTIME(properties_12(to, device, sizeof(struct cuda_prop_12)));
}

/* ---- which device ---- */

static int count_devices(int *n) {
  if (!n)
    return CU_INVALID_VALUE;
  *n = 1;
  return CU_SUCCESS;
}
API int cudaGetDeviceCount(int *n) {
  RUNTIME(count_devices(n));
}
API int cudaSetDevice(int device) {
  RUNTIME(device ? CU_INVALID_DEVICE : CU_SUCCESS);
}
API int cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  RUNTIME(device ? CU_INVALID_DEVICE : CU_SUCCESS);
}
static int put_zero(int *to) {
  if (!to)
    return CU_INVALID_VALUE;
  *to = 0;
  return CU_SUCCESS;
}
API int cudaGetDevice(int *device) {
  RUNTIME(put_zero(device));
}
API int cudaChooseDevice(int *device, const void *wanted) {
  (void)wanted;
  RUNTIME(put_zero(device));
}
API int cudaSetValidDevices(int *devices, int n) {
  RUNTIME(n && (!devices || devices[0]) ? CU_INVALID_DEVICE : CU_SUCCESS);
}
/* How the host waits is no matter: it never does. */
API int cudaSetDeviceFlags(unsigned flags) {
  return cuda_last(flags > 0xff ? CU_INVALID_VALUE : CU_SUCCESS);
}
API int cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return cuda_last(CU_INVALID_VALUE);
  *flags = 8; /* host memory can be mapped */
  return CU_SUCCESS;
}
static int version(int *to) {
  if (!to)
    return cuda_last(CU_INVALID_VALUE);
  *to = DRIVER_VERSION;
  return CU_SUCCESS;
}
API int cudaDriverGetVersion(int *to) {
  return version(to);
}
API int cudaRuntimeGetVersion(int *to) {
  return version(to);
}
static int bus_id(char *to, int n, int device) {
  if (device || !to || n < 13)
    return device ? CU_INVALID_DEVICE : CU_INVALID_VALUE;
  snprintf(to, (size_t)n, "0000:00:00.0");
  return CU_SUCCESS;
}
API int cudaDeviceGetPCIBusId(char *to, int n, int device) {
  RUNTIME(bus_id(to, n, device));
}
API int cudaDeviceGetByPCIBusId(int *device, const char *id) {
  RUNTIME(!id || strcmp(id, "0000:00:00.0") != 0 ? CU_INVALID_DEVICE : put_zero(device));
}

/* ---- peers: there are none ---- */

static int can_access(int *to, int device, int peer) {
  return !to ? CU_INVALID_VALUE : device || peer ? CU_INVALID_DEVICE : put_zero(to);
}
API int cudaDeviceCanAccessPeer(int *to, int device, int peer) {
  RUNTIME(can_access(to, device, peer));
}
API int cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)peer; /* the only device is no peer of itself */
  RUNTIME(flags ? CU_INVALID_VALUE : CU_INVALID_DEVICE);
}
API int cudaDeviceDisablePeerAccess(int peer) {
  RUNTIME(peer ? CU_INVALID_DEVICE : CU_PEER_ACCESS_NOT_ENABLED);
}
API int cudaDeviceGetP2PAttribute(int *to, int which, int device, int peer) {
  (void)which;
  RUNTIME(can_access(to, device, peer));
}

/* ---- settings ---- */

enum {
  LIMIT_STACK,
  LIMIT_PRINTF,
  LIMIT_HEAP,
  LIMIT_SYNC_DEPTH,
  LIMIT_PENDING,
  LIMIT_L2_FETCH,
  LIMIT_L2_PERSIST
};
static int set_limit(int which, size_t value) {
  switch (which) {
  case LIMIT_STACK:
    sim_set_limits(cuda_sim(), 0, value);
    return CU_SUCCESS;
  case LIMIT_HEAP:
    sim_set_limits(cuda_sim(), value, 0);
    return CU_SUCCESS;
  case LIMIT_PRINTF: /* kernels print at once, without a buffer */
  case LIMIT_L2_FETCH:
    return CU_SUCCESS;
  default:
    return CU_UNSUPPORTED_LIMIT;
  }
}
static int get_limit(size_t *to, int which) {
  uint64_t heap, stack;
  if (!to)
    return CU_INVALID_VALUE;
  sim_get_limits(cuda_sim(), &heap, &stack);
  static const size_t others[] = {[LIMIT_PRINTF] = 1 << 20, [LIMIT_L2_FETCH] = 64};
  if (which != LIMIT_STACK && which != LIMIT_HEAP && which != LIMIT_PRINTF && which != LIMIT_L2_FETCH)
    return CU_UNSUPPORTED_LIMIT;
  *to = which == LIMIT_STACK ? (size_t)stack : which == LIMIT_HEAP ? (size_t)heap : others[which];
  return CU_SUCCESS;
}
API int cudaDeviceSetLimit(int which, size_t value) {
  RUNTIME(set_limit(which, value));
}
API int cudaDeviceGetLimit(size_t *to, int which) {
  RUNTIME(get_limit(to, which));
}
ALIAS(cudaThreadSetLimit, cudaDeviceSetLimit);
ALIAS(cudaThreadGetLimit, cudaDeviceGetLimit);
/* The split of L1 and shared memory is the configuration's. */
API int cudaDeviceSetCacheConfig(int config) {
  RUNTIME(config < 0 || config > 3 ? CU_INVALID_VALUE : CU_SUCCESS);
}
ALIAS(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig);
API int cudaDeviceGetCacheConfig(int *config) {
  RUNTIME(put_zero(config));
}
API int cudaDeviceSetSharedMemConfig(int config) {
  RUNTIME(config < 0 || config > 2 ? CU_INVALID_VALUE : CU_SUCCESS);
}
API int cudaDeviceGetSharedMemConfig(int *config) {
  RUNTIME(put_zero(config));
}

/* All that the program made goes; device code is loaded anew when it is needed. An error of a kernel on the timing
 * model stays, since its units hold what the kernel left. */
void device_reset(void) {
  graphs_free_all();
  streams_free_all();
  events_free_all();
  memory_free_all();
  headers_free_all();
  arrays_free_all();
  for (struct image *i = cuda_lists()->images; i; i = i->next)
    image_forget(i);
}
API int cudaDeviceReset(void) {
  int e = cuda_enter();
  if (cuda_is_open()) {
    device_reset();
    if (!sim_is_broken(cuda_sim()))
      cuda_set_sticky(e = CU_SUCCESS);
  }
  cuda_leave();
  return e;
}
ALIAS(cudaThreadExit, cudaDeviceReset);

API int cudaProfilerStart(void) {
  return CU_SUCCESS;
}
API int cudaProfilerStop(void) {
  return CU_SUCCESS;
}

VERSIONED(properties_11, cudaGetDeviceProperties, of11, CUDART_11);
VERSIONED(properties_11, cudaGetDeviceProperties, of12, CUDART_12);
VERSIONED(properties_13, cudaGetDeviceProperties, of13, CUDART_13);
