// Shift convolution: each channel of an image of C x H x W is shifted by rows and columns of its own, then channels are
// mixed by an N x C matrix. What is shifted in is 0. The table holds how far the pixel is that a channel contributes.
// After section 6.2 of the MAPL 2019 paper.
const tunable int TM = {16, 32, 64};
const tunable int TN = {16, 32};
const int TC = 8;
__constant__ int *rows = alloc_const int[CT];
__constant__ int *columns = alloc_const int[CT];

#pragma tile grid((H * W + TM - 1) / TM, (N + TN - 1) / TN)
void shift(restrict read_only float *X, restrict read_only float *F, float *Y, int C, int N, int H, int W) {
  int rm[TM] = get_global_range[TM](0);
  int rn[TN] = get_global_range[TN](1);
  int rc[TC] = 0 ... TC;
  int h[TM, 1] = (rm / W)[:, newaxis], w[TM, 1] = (rm % W)[:, newaxis];
  float acc[TM, TN] = 0;
  for (int c = 0; c < C; c += TC) {
    int hs[TM, TC] = h + *(rows + c + rc), ws[TM, TC] = w + *(columns + c + rc);
    bool inside[TM, TC] = hs >= 0 && hs < H && ws >= 0 && ws < W && c + rc < C;
    float x[TM, TC] = inside ? *(X + ((c + rc) * H + hs) * W + ws) : 0;
    float f[TC, TN] = (c + rc[:, newaxis] < C && rn < N) ? *(F + rn * C + (c + rc)[:, newaxis]) : 0;
    acc = dot(x, f, acc);
  }
  *?(rm[:, newaxis] < H * W && rn < N)(Y + rn * (H * W) + rm[:, newaxis]) = acc;
}
