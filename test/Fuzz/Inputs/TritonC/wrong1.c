#if 1
void f() {}
#else
#endif
#elif 3
void f() {}
#if 0
#else
#else
#endif
void f() {}
#if 0
#endif X
#ifdef
#endif
void f() {}
#if
#endif
#if 1 +
#endif
#if (2
#endif
#if 1 / 0
#endif
#if 1.5
#endif
#if 3 4
#endif
#if defined 3
#endif
void f() {}
#if TM > 16
#error TM is too large
#endif
void f() {}
void f(int n, float *p, half *h, int *q, bool b) {
  #define ADD(a, b) a + b
  int x = ADD(1);
  int y = ADD(1, 2, 3);
  int z = ADD(1, 2;
}
void f(int n, float *p, half *h, int *q, bool b) {
  #define ONE two
  #define THREE ONE + 1
  int x = THREE;
}
void f(int n, float *p, half *h, int *q, bool b) {
  #define TWICE(x) ((x) * 2)
  int x = TWICE(nn);
}
void f(int lda, float *p) { *(p + STRIDE_AM) = STRIDE_AK; }
void f() {}
