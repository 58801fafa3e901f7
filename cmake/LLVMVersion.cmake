# The one place that pins LLVM. The Debian packages are not on CMake's default search path.
set(TILEIR_LLVM_VERSION 22.1)
set(TILEIR_MLIR_HINTS /usr/lib/llvm-22/lib/cmake/mlir)
