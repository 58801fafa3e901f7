// Sum of two vectors of any length; each program adds TN elements.
//
//   build/bin/tile-run examples/triton-c/vector_add.c -DTN=64 -DTYPE=float --backend=sim \
//     --inputs=i32:1000,random:1000xf32,random:1000xf32,zeros:1000xf32
#pragma tile grid((N + TN - 1) / TN)
__global__ void add(int N, const TYPE *a, const TYPE *b, TYPE *c) {
  int off[TN] = get_program_id(0) * TN + 0 ... TN;
  bool in[TN] = off < N;
  *?(in)(c + off) = *?(in)(a + off) + *?(in)(b + off);
}
