// Convolution of images of C x H x W with N filters of C x R x S, as a product of pixels and filters: a row of the product
// is a pixel of the P x Q of the result, and the sum runs over K = C * R * S. A table holds how far each element of the sum
// is from the one TK before it, so that a step of the loop costs one load from it. Its size KT is K rounded up to TK; what
// is behind K is masked off. After section 6.2 of the MAPL 2019 paper.
__constant__ int *delta = alloc_const int[KT];

#pragma tile grid((P * Q + TM - 1) / TM, (N + TN - 1) / TN, images)
__global__ void conv(const float *X, const float *F, float *Y, int images, int N, int P, int Q, int W, int K,
                     int image /* C * H * W */) {
  int z = get_program_id(2);
  int rm[TM] = get_program_id(0) * TM + 0 ... TM;
  int rn[TN] = get_global_range[TN](1);
  int rk[TK] = 0 ... TK;
  bool in_m[TM] = rm < P * Q;
  bool in_n[TN] = rn < N;
  // The pixel of the image that is above and left of all that the sum takes.
  float *px[TM, TK] = X + z * image + (rm / Q * W + rm % Q)[:, newaxis];
  float *pf[TN, TK] = F + rn[:, newaxis] * K + rk[newaxis, :];
  float acc[TM, TN] = 0;
  for (int k = 0; k < K; k += TK) {
    bool in_k[TK] = k + rk < K;
    px += *(delta + k + rk)[newaxis, :];
    float x[TM, TK] = *?(in_m[:, newaxis] && in_k)px;
    float f[TN, TK] = *?(in_n[:, newaxis] && in_k)pf;
    acc += x @ ^f;
    pf += TK;
  }
  float *py[TM, TN] = Y + (z * N + rn)[newaxis, :] * (P * Q) + rm[:, newaxis];
  bool in_y[TM, TN] = in_m[:, newaxis] && in_n;
  @in_y *py = acc;
}
