// Runs a function of an .mlir file on two backends, on random arguments, and
// compares what they give:
//   embed-compare file.mlir [backend [reference]]
#include "tileir/Execution/Check.h"
#include "tileir/Execution/Inputs.h"
#include "tileir/Execution/Program.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileir::execution;
using namespace tileir::runtime;

/// Prints how far the first backend is from the second. Gives whether it is
/// near enough.
static llvm::Expected<bool> compare(mlir::ModuleOp module, llvm::StringRef name,
                                    llvm::StringRef referenceName) {
  auto entry = findEntry(module);
  if (!entry)
    return entry.takeError();
  auto arguments = drawInputs(*entry, /*seed=*/7);
  if (!arguments)
    return arguments.takeError();
  auto backend = createBackend(name), reference = createBackend(referenceName);
  if (!backend)
    return llvm::joinErrors(backend.takeError(), reference.takeError());
  if (!reference)
    return reference.takeError();

  // An executable may be run as often as needed.
  auto executable = (*backend)->compile(*entry);
  if (!executable)
    return executable.takeError();
  auto result = (*executable)->run(*arguments);
  if (!result)
    return result.takeError();
  auto check = checkAgainst(**reference, *entry, *arguments, *result);
  if (!check)
    return check.takeError();
  llvm::outs() << '@' << entry->getName() << " on " << name << " against "
               << check->against << ": "
               << (check->passed ? "passed" : "FAILED")
               << llvm::format(", error %.3g, tolerance %.3g\n", check->error,
                               check->tolerance);
  if (!check->passed)
    llvm::outs() << check->describeWorst() << '\n';
  return check->passed;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: embed-compare file.mlir [backend [reference]]\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  registerAll(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1; // the parser told why
  auto passed = compare(*module, argc > 2 ? argv[2] : "cpu",
                        argc > 3 ? argv[3] : "interp");
  if (!passed) {
    llvm::errs() << llvm::toString(passed.takeError()) << '\n';
    return 1;
  }
  return *passed ? 0 : 1;
}
