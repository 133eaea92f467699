/* Where a work-item stands. The launch puts the global offset into %envreg3…5 and the number of dimensions into
 * %envreg6; everything else has a register of its own. Dimensions that do not exist have size 1 and index 0. */
uint sl_envreg3(void) __asm("llvm.nvvm.read.ptx.sreg.envreg3");
uint sl_envreg4(void) __asm("llvm.nvvm.read.ptx.sreg.envreg4");
uint sl_envreg5(void) __asm("llvm.nvvm.read.ptx.sreg.envreg5");
uint sl_envreg6(void) __asm("llvm.nvvm.read.ptx.sreg.envreg6");

#define SL_BY_DIMENSION(dim, x, y, z, other)                                                                           \
  switch (dim) {                                                                                                       \
  case 0:                                                                                                              \
    return x;                                                                                                          \
  case 1:                                                                                                              \
    return y;                                                                                                          \
  case 2:                                                                                                              \
    return z;                                                                                                          \
  default:                                                                                                             \
    return other;                                                                                                      \
  }

SL_FN uint get_work_dim(void) { return sl_envreg6(); }

SL_FN size_t get_global_offset(uint dim) { SL_BY_DIMENSION(dim, sl_envreg3(), sl_envreg4(), sl_envreg5(), 0) }

SL_FN size_t get_local_size(uint dim) {
  SL_BY_DIMENSION(dim, (uint)__nvvm_read_ptx_sreg_ntid_x(), (uint)__nvvm_read_ptx_sreg_ntid_y(),
                  (uint)__nvvm_read_ptx_sreg_ntid_z(), 1)
}

SL_FN size_t get_num_groups(uint dim) {
  SL_BY_DIMENSION(dim, (uint)__nvvm_read_ptx_sreg_nctaid_x(), (uint)__nvvm_read_ptx_sreg_nctaid_y(),
                  (uint)__nvvm_read_ptx_sreg_nctaid_z(), 1)
}

SL_FN size_t get_local_id(uint dim) {
  SL_BY_DIMENSION(dim, (uint)__nvvm_read_ptx_sreg_tid_x(), (uint)__nvvm_read_ptx_sreg_tid_y(),
                  (uint)__nvvm_read_ptx_sreg_tid_z(), 0)
}

SL_FN size_t get_group_id(uint dim) {
  SL_BY_DIMENSION(dim, (uint)__nvvm_read_ptx_sreg_ctaid_x(), (uint)__nvvm_read_ptx_sreg_ctaid_y(),
                  (uint)__nvvm_read_ptx_sreg_ctaid_z(), 0)
}

SL_FN size_t get_global_size(uint dim) { return get_num_groups(dim) * get_local_size(dim); }

/* 32-bit arithmetic, as the offset register has it: an index space is smaller than 2^32 in each dimension. */
#define SL_GLOBAL_ID(c, offset)                                                                                        \
  (uint)__nvvm_read_ptx_sreg_ctaid_##c() * (uint)__nvvm_read_ptx_sreg_ntid_##c() +                                     \
      (uint)__nvvm_read_ptx_sreg_tid_##c() + offset
SL_FN size_t get_global_id(uint dim) {
  SL_BY_DIMENSION(dim, SL_GLOBAL_ID(x, sl_envreg3()), SL_GLOBAL_ID(y, sl_envreg4()), SL_GLOBAL_ID(z, sl_envreg5()), 0)
}
