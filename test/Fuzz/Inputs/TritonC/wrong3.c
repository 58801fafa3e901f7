const int A = B;
const float C = 1.5;
const int D[4] = 2;
const int E;
int F = 4;
const int G = 1 / 0;
void f() {}
const int A = B;
const float C = 1.5;
const int D[4] = 2;
const int G = 1 / 0;
void f() {}
__constant__ int *a = alloc_const float[4];
__constant__ int b = alloc_const int[4];
__constant__ int *c = 4;
__constant__ int *d = alloc_const int;
void f() {}
__constant__ int *a = alloc_const int[0];
__constant__ int *b = alloc_const int[N];
void f() { *a = 3; }
const tunable int TM = {16, 32};
void f() {}
const tunable int TM = 16;
const tunable int TN = {16, x};
void f() {}
#pragma tile gird(3)
#pragma tile
#pragma tile grid 3
#pragma tile grid(1, 2
#pragma tile grid(1, 2, 3, 4)
#pragma tile grid(1) 2
void f() {}
#pragma tile grid(0, p, x)
void f(int *p, int n) {}
#pragma tile grid(get_program_id(0), 1.5, 2 > 1 ? n : m)
void g(int n) {}
void f() {}
#pragma tile grid(1)
void f(int n, float *p, half *h, int *q, bool b) {
  #pragma tile grid(1)
  int x = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int off[32] = n * 32 + (0 ... 32)
  *(p + off) = *(p + off) + 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x = 1
  int y = 2
  q = q + 1
}
