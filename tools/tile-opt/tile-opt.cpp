#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<tileir::einsum::EinsumDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TileIR optimizer\n", registry));
}
