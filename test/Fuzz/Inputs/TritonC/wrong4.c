void f(int n, float *p, half *h, int *q, bool b) {
  int x = 1
  -x;
  @b *p = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  break;
  int x = 1;
  else x = 2;
  goto end;
  switch (x) { case 1: }
  x = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  if (b) return;
  n = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  if (b) { return; }
  return;
  n = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  n + 1;
  *p;
  get_program_id(0);
}
void f(int n, float *p, half *h, int *q, bool b) {
  n + 1 = 3;
  3 = n;
  (n) += 1;
  -n = 2;
  int x[16] = 0...16;
  x[newaxis, :] = 3;
  n = m = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  foat x = 1;
  int;
  int 3x;
  int x y;
  float *;
  int *int;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x[2] = {1, 2};
  int y = ;
  int z[4][4] = 0;
  int w[] = 1;
  int v[4 = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int a[n];
  int b[0];
  int c[-2] = 1;
  int d[1.5];
  int e[2048, 2048];
  int m = 3;
  int g[m];
}
void f(int n, float *p, half *h, int *q, bool b) {
  x = 1;
  int count = 3;
  cuont = 4;
  n = coun + 1;
  p = nothing;
  n = newaxis;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x = 1;
  float x = 2;
  { int x = 3; int x = 4; }
  int n = 4;
  for (int x = 0; x < 3; x++) { int x = 3; }
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x;
  int y = x + 1;
  int z;
  if (b) z = 1;
  n = z;
  int w;
  for (int k = 0; k < 3; k++) w = k;
  n = w;
  int v = v;
}
