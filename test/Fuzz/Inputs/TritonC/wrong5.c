void f(int n, float *p, half *h, int *q, bool b) {
  const int x = 1;
  x = 2;
  x++;
  const int y;
}
void f(int n, float *p, half *h, int *q, bool b) {
  const float *r = p;
  *r = 1;
  *?(b)r = 2;
  atomic_add(r, 1);
}
void f(int n, float *p, half *h, int *q, bool b) {
  if n > 1 n = 2;
  if (n > 1 n = 2;
  if (n > 1) n = 2
  else n = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[32] = 0...32;
  if (x > 2) n = 1;
  if (p) n = 2;
  while (x) n = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  for (int i = 0, i < 3; i++) n = 1;
  for (int i = 0; i < 3) n = 2;
  for int i = 0;
  for (;;) n = 4;
}
void f(int n, float *p, half *h, int *q, bool b) {
  for (int i = 0;; i++) n = 4;
  for (int i = 0; 0...4 < n; i++) n = 4;
  int k;
  for (; k < 3; k++) n = i;
}
void f(int n, float *p, half *h, int *q, bool b) {
  @n + 1 *p = 3;
  @3 *p = 3;
  @(b *p = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  @b if (b) n = 1;
  @b for (int k = 0; k < 3; k++) n = 1;
  @p n = 2;
  @b return;
  int x[16] = 0...16;
  @(x > 3) n = 2;
  @(x[:, newaxis] > 3) x = 2;
  @(0...8 > 3) *(p + x) = 1;
  @nothing n = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n = ;
  n = 1 + ;
  n = (1 + 2;
  n = 1 ? 2;
  n = * ;
  n = )3(;
  n = a.b;
  n = int;
  n = &n;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = 0 ... n;
  int y[8] = 8 ... 0;
  int w[8] = 0...9;
  int v[4] = 1.5 ... 4;
  int u[8] = 0...9999999;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[8] = 0...8;
  n = x[2];
}
