//===- TileLaunch.cpp - Run a kernel on a grid ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assumptions that kernels make about their arguments are checked once,
// before the first program; `tile.readonly` at each write (TileAccesses.cpp).
// Programs run one after the other, x fastest.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileLaunch.h"

#include "Tile/TileChannels.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;
using tile::TileDialect;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LogicalResult Launch::checkAlignment(Operation *caller, unsigned number,
                                     const RuntimeValue &argument) {
  auto multiple =
      kernel.getArgAttrOfType<IntegerAttr>(number, TileDialect::kMultipleOf);
  if (!multiple)
    return success();
  int64_t divisor = multiple.getInt();
  if (auto *scalar = std::get_if<Scalar>(&argument)) {
    if (toSigned(*scalar) % divisor == 0)
      return success();
    return caller->emitError("argument ")
           << number << " of @" << kernel.getSymName() << " is "
           << toSigned(*scalar) << ", expected a multiple of " << divisor
           << " (" << TileDialect::kMultipleOf << ")";
  }
  const Array &array = std::get<Array>(argument);
  int64_t byte = array.getByte(array.offset);
  if (isAligned(byte, divisor))
    return success();
  return caller->emitError("argument ")
         << number << " of @" << kernel.getSymName() << " begins " << byte
         << " bytes into memory that is aligned to " << kAllocationAlignment
         << " bytes, expected its address to be a multiple of " << divisor
         << " (" << TileDialect::kMultipleOf << ")";
}

LogicalResult Launch::checkSizes(Operation *caller, unsigned number,
                                 const RuntimeValue &argument) {
  auto multiples = kernel.getArgAttrOfType<DenseI64ArrayAttr>(
      number, TileDialect::kSizeMultipleOf);
  if (!multiples)
    return success();
  for (auto [axis, size, divisor] :
       llvm::enumerate(std::get<Array>(argument).shape, multiples.asArrayRef()))
    if (size % divisor != 0)
      return caller->emitError("argument ")
             << number << " of @" << kernel.getSymName() << " has size " << size
             << " in axis " << axis << ", expected a multiple of " << divisor
             << " (" << TileDialect::kSizeMultipleOf << ")";
  return success();
}

/// Whether two arrays have a byte in common.
static bool overlap(const Array &left, const Array &right) {
  if (left.storage != right.storage)
    return false;
  int64_t size = getElementSize(left.kind);
  return !forEachIndex(left.shape, [&](ArrayRef<int64_t> index) {
    int64_t byte = left.getByte(left.getPosition(index));
    return !right.findIndex(byte) && !right.findIndex(byte + size - 1);
  });
}

LogicalResult Launch::checkNoAlias(Operation *caller, unsigned number) {
  if (!kernel.getArgAttr(number, TileDialect::kNoAlias))
    return success();
  for (auto [other, array] : llvm::enumerate(memory))
    if (other != number && array && overlap(*memory[number], *array))
      return caller->emitError("arguments ")
             << number << " and " << other << " of @" << kernel.getSymName()
             << " share memory, expected what argument " << number
             << " points at to be reached through no other argument ("
             << TileDialect::kNoAlias << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

std::string interp::toString(const GridPoint &point) {
  return formatIndex(point);
}

GridPoint Launch::getProgram(int64_t number) const {
  return {number % grid[0], number / grid[0] % grid[1],
          number / grid[0] / grid[1]};
}

FailureOr<int64_t> Launch::getNumPrograms(Operation *caller) const {
  constexpr int64_t max = std::numeric_limits<int32_t>::max();
  std::optional<int64_t> count;
  if (llvm::all_of(grid, [](int64_t size) { return size >= 0; }))
    count = getProduct(grid);
  if (!count || *count > max)
    return caller->emitError("launches a grid of ")
           << toString(grid) << " programs, expected sizes that are not "
           << "negative, and at most " << max << " programs in all";
  return *count;
}

LogicalResult Launch::run(Evaluator &evaluator, Operation *caller,
                          MutableArrayRef<RuntimeValue> arguments) {
  if (evaluator.launch)
    return caller->emitError("launches a kernel from within a kernel, expected "
                             "launches in host code only");
  auto count = getNumPrograms(caller);
  if (failed(count))
    return failure();
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    auto *array = std::get_if<Array>(&argument);
    memory.push_back(array ? std::optional(*array) : std::nullopt);
    if (kernel.getArgAttr(number, TileDialect::kReadOnly))
      readOnly.push_back(number);
  }
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (failed(checkAlignment(caller, number, argument)) ||
        failed(checkSizes(caller, number, argument)) ||
        failed(checkNoAlias(caller, number)))
      return failure();
    if (isa<tile::PtrType>(kernel.getArgumentTypes()[number]))
      argument = Scalar{kPointerKind, getPointer(number)};
  }

  kernel->getParentOfType<ModuleOp>().walk(
      [&](Operation *op) { hasAcquires |= tile::acquires(op); });

  evaluator.launch = this;
  llvm::scope_exit leave([&] { evaluator.launch = nullptr; });
  // Every error of a program says which.
  ScopedDiagnosticHandler handler(
      caller->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          diagnostic << ", in program " << toString(program) << " of @"
                     << kernel.getSymName();
        return failure(); // for the next handler
      });
  ProgressMeter progress(evaluator.options, "tile.launch");
  for (int64_t i = 0; i < *count; ++i) {
    int64_t number = evaluator.options.reverseGrid ? *count - 1 - i : i;
    program = getProgram(number);
    order.beginProgram(number);
    sumLengths.clear();
    evaluator.pendingCopies.clear();
    evaluator.numCopies = 0;
    evaluator.numCopyGroups = 0;
    evaluator.channels = std::make_shared<ChannelTable>();
    numMulticasts = 0;
    if (failed(evaluator.call(caller, kernel, arguments)) ||
        failed(endStores(*evaluator.channels)))
      return failure();
    progress.update(double(i) / *count);
  }
  return success();
}

LogicalResult Launch::noteMulticast(Operation *op, int64_t cluster,
                                    ArrayRef<int64_t> indices) {
  if (grid[0] % cluster != 0)
    return op->emitError("is for clusters of ")
           << cluster << " programs, expected a multiple of it along x, found "
           << grid[0] << " (T50)";
  auto &copies = multicasts[{program[0] / cluster, program[1], program[2]}];
  if (numMulticasts == copies.size())
    copies.push_back({op, SmallVector<int64_t>(indices)});
  const Multicast &first = copies[numMulticasts++];
  if (first.op == op && ArrayRef(first.indices) == indices)
    return success();
  InFlightDiagnostic error =
      op->emitError("copies from [")
      << indices
      << "] for its cluster, expected what the program of it that ran first "
         "has copied: from ["
      << first.indices << "] (T50)";
  error.attachNote(first.op->getLoc()) << "which was here";
  return error;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult runLaunch(Evaluator &evaluator, tile::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getKernelAttr());
  SmallVector<RuntimeValue> arguments;
  for (auto [operand, type] :
       llvm::zip_equal(op.getArguments(), kernel.getArgumentTypes())) {
    if (!isa<MemRefType>(operand.getType())) {
      arguments.push_back(evaluator.get(operand));
      continue;
    }
    auto array = getLive(evaluator, op, operand);
    if (failed(array))
      return failure();
    // A pointer knows nothing of axes.
    auto passed = isa<tile::PtrType>(type)
                      ? reshape(op, **array, (*array)->getNumElements())
                      : FailureOr<Array>(**array);
    if (failed(passed))
      return failure();
    arguments.push_back(std::move(*passed));
  }
  Launch launch(kernel, {evaluator.getInt(op.getGridX()),
                         evaluator.getInt(op.getGridY()),
                         evaluator.getInt(op.getGridZ())});
  return launch.run(evaluator, op, arguments);
}

FailureOr<Launch *> interp::getLaunch(Evaluator &evaluator, Operation *op) {
  if (evaluator.launch)
    return evaluator.launch;
  return op->emitError("is run outside of a launch, expected the kernel to be "
                       "launched on a grid");
}

/// Sets the result to a coordinate of a point of the grid.
template <typename Op>
static LogicalResult setCoordinate(Evaluator &evaluator, Op op,
                                   const GridPoint &(Launch::*point)() const) {
  auto launch = getLaunch(evaluator, op);
  if (failed(launch))
    return failure();
  int64_t coordinate = ((*launch)->*point)()[int(op.getAxis())];
  evaluator.set(op.getResult(), makeInteger(ElementKind::I32, coordinate));
  return success();
}

static LogicalResult runProgramId(Evaluator &evaluator, tile::ProgramIdOp op) {
  return setCoordinate(evaluator, op, &Launch::getProgram);
}

static LogicalResult runNumPrograms(Evaluator &evaluator,
                                    tile::NumProgramsOp op) {
  return setCoordinate(evaluator, op, &Launch::getGrid);
}

void interp::addTileHandlers(HandlerTable &table) {
  table.add(runLaunch);
  table.add(runProgramId);
  table.add(runNumPrograms);
}
