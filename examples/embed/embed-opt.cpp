// An opt tool of another compiler that takes in the dialects and passes of
// TileIR.
#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tileir::registerAllDialects(registry);
  mlir::registerAllPasses();
  tileir::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "embed-opt\n", registry));
}
