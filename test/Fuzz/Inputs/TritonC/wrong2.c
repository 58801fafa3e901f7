void f() {}
void f(int n, float *p, half *h, int *q, bool b) {
  float x[16] = 0;
  float y[16, 16] = x[BROADCAST_AM];
}
void f(int *p) { *p = 1; }
for (int i = 0; i < 3; i++) f(i);
// nothing
floot x;
int y = 3;
)
int f(int n) { }
void g() {}
__global__ int f() {}
void (int n) {}
void h;
void g() {}
void f() {}
void f() {}
void f(int n);
void g() {}
void f(int n) {
  int x = 1;
void f(int n, float, foo x, int [3], int m n, int *x) {}
void g() {}
void f(int n[4], bool *p, float **x, float y __multipleof(8), int z __multipleof(0), int w __aligned(8) __aligned(8), void *v) {}
void f(int n, float n) {}
