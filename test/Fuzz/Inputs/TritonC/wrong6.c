void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = 0...8;
  n = x[n];
  n = x[];
  n = x[:;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = 0...8;
  int y[8, 1] = x[:, newaxs];
  int z = x[mxa];
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = 0...8;
  int y[8, 8] = x[:, :];
  int z[8] = n[newaxis];
  int w = n[:];
  int v = x[newaxis];
  float a[8] = *(p + x);
  n = a[|];
  float *g = (p + x)[+];
}
void f(int n, float *p, half *h, int *q, bool b) {
  int a[16] = 1, c[8, 32] = 2, d[32, 16] = 3;
  int e[32, 16] = a + d;
  e = a + c;
  e = c;
  a = d;
  int s = a;
  int t[16] = a < c;
  t = b ? a : c;
  t = a[:, newaxis];
}
void f(int n, float *p, half *h, int *q, bool b) {
  float *r = 3;
  p = 0;
  p = h;
  n = p;
  int *s = p;
  float x = q;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = p + p;
  n = p * 2;
  p = 2 - p;
  p = p + 1.5;
  n = *p % 2;
  n = *p << 1;
  n = *p & *p;
  n = ~*p;
  n = ~b;
  n = -p;
  n = !p;
  n = p && b;
  n = ^n;
  b = p < p;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = 1 << 40;
  n = 1 << -1;
  n = 5 % 0;
  n = -2147483647 - 1;
  n = (-2147483647 - 1) / -1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = *n;
  int x[16] = *(0...16);
  x = *?(0...8 > 2)(q + 0...16);
  x = *?(p)(q + 0...16);
}
void f(int n, float *p, half *h, int *q, bool b) {
  *n = 1;
  *p = 0...16;
  *(p + 0...16) = 0...8;
  *(p + 0...16) = q;
  *?(0...4 > 2)(p + 0...16) = 1;
  *(p + 0...16) += 0...8;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = (int)p;
  n = (int*)p;
  n = (int;
  n = (floot)n;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = (int)p;
  n = (float)(p + 1);
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = p ? 1 : 2;
  n = b ? p : 2;
  n = b ? p : q;
  n = 0...8 > 3 ? 0...4 : 1;
}
