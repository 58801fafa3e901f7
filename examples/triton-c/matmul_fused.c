// C = A B where A and B may each be stored transposed; macros say how. For A as it is:
//   -DUSE_A=a -DSTRIDE_AK=1 -DSTRIDE_AM=lda -DAXES_AK=newaxis,: -DAXES_AM=:,newaxis -DSHAPE_A=TM,TK
// and for A transposed, of K x M elements:
//   -DUSE_A=^a -DSTRIDE_AK=lda -DSTRIDE_AM=1 -DAXES_AK=:,newaxis -DAXES_AM=newaxis,: -DSHAPE_A=TK,TM
// Likewise for B. The last step loads one tile behind the end of A and B: -DEXACT masks it off, without that there have to
// be TK more columns and rows.
#ifdef EXACT
#define LOAD(p) (k > TK ? *p : 0)
#else
#define LOAD(p) (*p)
#endif
#pragma tile grid(M / TM, N / TN)
void matmul(const TYPE *A, const TYPE *B, TYPE *C, int M, int N, int K, int lda __multipleof(8),
            int ldb __multipleof(8), int ldc __multipleof(8)) {
  int pm = get_program_id(0);
  int pn = get_program_id(1);
  int rm[TM] = pm * TM + 0 ... TM;
  int rn[TN] = pn * TN + 0 ... TN;
  int rk[TK] = 0 ... TK;
  float c[TM, TN] = 0;
  TYPE *pa[SHAPE_A] = A + rk[AXES_AK] * STRIDE_AK + rm[AXES_AM] * STRIDE_AM;
  TYPE *pb[SHAPE_B] = B + rk[AXES_BK] * STRIDE_BK + rn[AXES_BN] * STRIDE_BN;
  TYPE a[SHAPE_A] = (*pa);
  TYPE b[SHAPE_B] = (*pb);
  for (int k = K; k > 0; k -= TK) {
    c += USE_A @ USE_B;
    pa = pa + TK * STRIDE_AK;
    pb = pb + TK * STRIDE_BK;
    a = LOAD(pa);
    b = LOAD(pb);
  }
  int rcm[TM] = pm * TM + 0 ... TM;
  int rcn[TN] = pn * TN + 0 ... TN;
  TYPE *pc[TM, TN] = C + rcn[newaxis, :] + rcm[:, newaxis] * ldc;
  *pc = c;
}
