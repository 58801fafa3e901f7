// C = A B with M x N, M x K and K x N elements, whose rows are lda, ldb and ldc elements apart. Sizes are multiples of the
// tiles. -DPREFETCH loads the tiles of the next step before those of this one are multiplied; -DREMAT computes the
// addresses of C only when the loop has ended.
#ifndef TYPE
#define TYPE half
#endif
#pragma tile grid((M + TM - 1) / TM, (N + TN - 1) / TN)
__global__ void matmul(const TYPE *A, const TYPE *B, float *C, int M, int N, int K, int lda __multipleof(8),
                       int ldb __multipleof(8), int ldc __multipleof(8)) {
  int pm = get_program_id(0);
  int pn = get_program_id(1);
  int rm[TM] = pm * TM + 0 ... TM;
  int rn[TN] = pn * TN + 0 ... TN;
  int rk[TK] = 0 ... TK;
  float c[TM, TN] = 0;
  TYPE *pa[TM, TK] = A + rk[newaxis, :] * 1 + rm[:, newaxis] * lda;
  TYPE *pb[TK, TN] = B + rk[:, newaxis] * ldb + rn[newaxis, :] * 1;
#ifdef PREFETCH
  TYPE a[TM, TK] = *pa;
  TYPE b[TK, TN] = *pb;
  for (int k = K; k > 0; k -= TK) {
    c += a @ b;
    pa = pa + TK * 1;
    pb = pb + TK * ldb;
    // Nothing is loaded behind the last step.
    bool more = k > TK;
    a = more ? *pa : 0;
    b = more ? *pb : 0;
  }
#else
  for (int k = K; k > 0; k -= TK) {
    TYPE a[TM, TK] = *pa;
    TYPE b[TK, TN] = *pb;
    c += a @ b;
    pa = pa + TK * 1;
    pb = pb + TK * ldb;
  }
#endif
#ifdef REMAT
  int cm[TM] = pm * TM + 0 ... TM;
  int cn[TN] = pn * TN + 0 ... TN;
  float *pc[TM, TN] = C + cn[newaxis, :] + cm[:, newaxis] * ldc;
#else
  float *pc[TM, TN] = C + rn[newaxis, :] + rm[:, newaxis] * ldc;
#endif
  *pc = c;
}
