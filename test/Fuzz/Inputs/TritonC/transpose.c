// Y = transpose of X, which has M rows and N columns. With -DMASKED any size will do; without, M and N are multiples of
// TM and TN. -DMULTIPLE=8 promises that the leading dimensions are multiples of 8, so that accesses can be wide.
#ifndef MULTIPLE
#define MULTIPLE 1
#endif
#pragma tile grid((M + TM - 1) / TM, (N + TN - 1) / TN)
__global__ void transpose(const TYPE *X, TYPE *Y, int M, int N, int ldx __multipleof(MULTIPLE),
                          int ldy __multipleof(MULTIPLE)) {
  // Rows of X and its columns, which are those of Y and its rows.
  int rm[TM] = get_program_id(0) * TM + 0 ... TM;
  int rn[TN] = get_program_id(1) * TN + 0 ... TN;
  TYPE *px[TM, TN] = X + rm[:, newaxis] * ldx + rn[newaxis, :];
  TYPE *py[TN, TM] = Y + rn[:, newaxis] * ldy + rm[newaxis, :];
#ifdef MASKED
  bool in_x[TM, TN] = (rm[:, newaxis] < M) && (rn[newaxis, :] < N);
  bool in_y[TN, TM] = (rm[newaxis, :] < M) && (rn[:, newaxis] < N);
  *?(in_y)py = ^(*?(in_x)px);
#else
  *py = ^(*px);
#endif
}
