void f(int n, float *p, half *h, int *q, bool b) {
  int x = n $ 2;
  int y = n # 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int größe = 3;
}
void f(int n, float *p, half *h, int *q, bool b) {
  /* no end
  int x = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  "open
  int x = 1;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int x = 12abc;
  int y = 0xZZ;
  float z = 1.5q;
}
void f(int n, float *p, half *h, int *q, bool b) {
  int64 x = 99999999999999999999;
}
#defin X 1
void f() {}
#define
#define 3 4
#define F(a, 4) a
void f() {}
#define F(a) #a
void f() {}
#define TM 32
void f() {}
#undef
#undef A B
void f() {}
