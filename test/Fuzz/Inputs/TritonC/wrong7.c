void f(int n, float *p, half *h, int *q, bool b) {
  float a[16, 32] = 1, c[16, 32] = 2, v[16] = 3;
  float d[16, 16] = a @ c;
  d = a @ v;
  d = a @ n;
  int i[32, 16] = 1;
  d = a @ i;
  uint8 u[16, 16] = 1;
  int w[16, 16] = u @ u;
  float t[2, 16, 32] = 1;
  d = t @ ^c;
  d = dot(a, ^c, v[:, newaxis, newaxis]);
  d = dot(a, ^c, p);
  d = p @ a;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = ^(0...8);
  x = trans(x);
  n = trans(n);
  n = trans(x, 1);
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = foo(1);
  n = sqrtt(2.0);
  n = get_program_id();
  n = get_program_id(3);
  n = get_program_id(n);
  n = get_num_programs(0, 1);
  int x[16] = get_global_range(0);
  x = get_global_range[n](0);
  x = get_global_range[0](0);
  x = get_global_range[16](7);
  n = exp(p);
  n = exp();
  n = min(1);
  n = max(p, 1);
  n = select(b, 1);
  n = abs(p);
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = exp(1.0;
  n = exp(1.0,);
  int x[4] = get_global_range[4;
}
void f(int n, float *p, half *h, int *q, bool b) {
  atomic_add(n, 1);
  atomic_max(p, 1);
  atomic_add(p, q);
  atomic_add(p, 1, 2, 3);
  atomic_add(q + 0...8, 0...4);
  atomic_add(q, 1, 0...4 > 2);
  atomic_sub(q, 1);
}
void f(int n, float *p, half *h, int *q, bool b) {
  x0 = 0;
  x1 = 1;
  x2 = 2;
  x3 = 3;
  x4 = 4;
  x5 = 5;
  x6 = 6;
  x7 = 7;
  x8 = 8;
  x9 = 9;
  x10 = 10;
  x11 = 11;
  x12 = 12;
  x13 = 13;
  x14 = 14;
  x15 = 15;
  x16 = 16;
  x17 = 17;
  x18 = 18;
  x19 = 19;
  x20 = 20;
  x21 = 21;
  x22 = 22;
  x23 = 23;
  x24 = 24;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = 0 +;
  n = 1 +;
  n = 2 +;
  n = 3 +;
  n = 4 +;
  n = 5 +;
  n = 6 +;
  n = 7 +;
  n = 8 +;
  n = 9 +;
  n = 10 +;
  n = 11 +;
  n = 12 +;
  n = 13 +;
  n = 14 +;
  n = 15 +;
  n = 16 +;
  n = 17 +;
  n = 18 +;
  n = 19 +;
  n = 20 +;
  n = 21 +;
  n = 22 +;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int z[8] = 0...8...16;
  int w[8] = ...8;
  int v[8] = 0...;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x;
  x = *?b q;
  x = *?(b;
  x = *?() q;
}
void f(int n, float *p, half *h, int *q, bool b) {
  return 3;
  n = 1;
}
void f(int n[4], bool *p, float y __multipleof(8), double *z __multipleof(8)) {}
