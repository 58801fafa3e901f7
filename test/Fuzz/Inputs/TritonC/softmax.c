// Softmax of each row of M x N numbers; a program does one row, of at most TN elements.
#pragma tile grid(M)
void softmax(const float *X, float *Y, int M, int N) {
  int i[TN] = 0 ... TN;
  bool in[TN] = i < N;
  int row = get_program_id(0) * N;
  float x[TN] = in ? *(X + row + i) : -1.0 / 0.0;
  float e[TN] = exp(x - x[max]);
  *?(in)(Y + row + i) = e / e[+];
}
