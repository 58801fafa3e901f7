"""Makes the kernel of the wgmma row: one warpgroup that multiplies a tile of 64x256x64 again and again."""

TILE = 40960  # bytes of A and B


def descriptor(start):
    return start >> 4 | 1024 >> 4 << 32 | 1 << 62


def make_kernel():
    registers = ", ".join(f"%d{i}" for i in range(128))
    products = "".join(f"""
  add.u64 %x3, %x1, {2 * k};
  add.u64 %x4, %x2, {2 * k};
  wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{registers}}}, %x3, %x4, %p1, 1, 1, 0, 0;""" for k in range(4))
    zeros = "\n".join(f"  mov.f32 %d{i}, 0f00000000;" for i in range(128))
    stores = "\n".join(f"  st.global.f32 [%x5+{4 * i}], %d{i};" for i in range(128))
    return f""".version 8.3
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry multiply(.param .u64 d, .param .u32 steps)
{{
  .reg .pred %p<2>;
  .reg .f32 %d<128>;
  .reg .b32 %r<6>;
  .reg .b64 %x<6>;
  ld.param.u64 %x0, [d];
  ld.param.u32 %r5, [steps];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, tile;
  shl.b32 %r2, %r0, 2;
  add.u32 %r2, %r1, %r2;
  mov.u32 %r3, 0;
  mov.u32 %r4, 0x3c003c00;
fill:
  st.shared.u32 [%r2], %r4;
  add.u32 %r2, %r2, 512;
  add.u32 %r3, %r3, 512;
  setp.lt.u32 %p0, %r3, {TILE};
  @%p0 bra fill;
  fence.proxy.async;
  bar.sync 0;
{zeros}
  mov.u64 %x1, {descriptor(0)};
  mov.u64 %x2, {descriptor(8192)};
  mov.u32 %r3, 0;
  setp.ne.u32 %p1, 0, 1;
loop:
  wgmma.fence.sync.aligned;{products}
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p0, %r3, %r5;
  @%p0 bra loop;
  mul.wide.u32 %x5, %r0, 512;
  add.u64 %x5, %x0, %x5;
{stores}
  ret;
}}
"""
