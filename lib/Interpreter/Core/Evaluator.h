//===- Evaluator.h - Execution of ops ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator maps SSA values to run-time values and executes ops by the
// handler registered for them. Handlers are grouped by dialect, each group in a
// source of its own. A handler reads operands, sets results, and fails after an
// error on its op; it may rely on the op's verifier, never on run-time sizes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_CORE_EVALUATOR_H
#define TILEIR_LIB_INTERPRETER_CORE_EVALUATOR_H

#include "Core/Values.h"

#include "tileir/Interpreter/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>

namespace tileir::interp {

class Launch;
class Turns;
struct ChannelTable;

/// The way in which an op accesses an element of memory. What is atomic for its
/// own program alone is a write to others.
enum class Access { Read, Write, Atomic, AtomicInProgram };

/// An asynchronous copy: what a place will hold once it has arrived.
struct PendingCopy {
  Array place, values;
  int64_t group; // its number among those of the program
};

/// Executes the ops of one call of interpret() or interpretKernel().
class Evaluator {
public:
  explicit Evaluator(const InterpreterOptions &options) : options(options) {}

  /// The run-time value of `value`. Setting another value ends the reference.
  const RuntimeValue &get(mlir::Value value) const;
  mlir::SmallVector<RuntimeValue> get(mlir::ValueRange values) const;
  /// A scalar that the current op depends on, so that run() fails if it is
  /// poison.
  Scalar getScalar(mlir::Value value) const;
  const Array &getArray(mlir::Value value) const;
  /// Integers as two's complement.
  int64_t getInt(mlir::Value value) const;
  int64_t getInt(mlir::OpFoldResult value) const;
  mlir::SmallVector<int64_t> getInts(mlir::ValueRange values) const;
  mlir::SmallVector<int64_t>
  getInts(mlir::ArrayRef<mlir::OpFoldResult> values) const;

  void set(mlir::Value value, RuntimeValue runtimeValue);

  /// Executes `op`, which is not a terminator.
  mlir::LogicalResult run(mlir::Operation *op);

  /// Runs `region` from its first block and gives the terminator that leaves
  /// it; the operands of that are available until the region runs again.
  mlir::FailureOr<mlir::Operation *>
  run(mlir::Region &region, mlir::ArrayRef<RuntimeValue> arguments);

  /// Runs `callee` in a frame of its own. Errors of the call are at `caller`.
  mlir::FailureOr<mlir::SmallVector<RuntimeValue>>
  call(mlir::Operation *caller, mlir::func::FuncOp callee,
       mlir::ArrayRef<RuntimeValue> arguments);

  /// Keeps the longest sum so far.
  void noteReduction(int64_t length) {
    longestReduction = std::max(longestReduction, length);
  }

  const InterpreterOptions &options;
  int64_t longestReduction = 1;
  /// The points at which the regions of the linalg ops around the current op
  /// run, the innermost last.
  mlir::SmallVector<mlir::ArrayRef<int64_t>> linalgPoints;
  /// The memory of each memref.global that was used.
  llvm::DenseMap<mlir::Operation *, Array> globals;
  /// Memory whose address the program has taken, by that of its first byte.
  std::map<int64_t, std::shared_ptr<Storage>> exposed;
  /// The launch whose program runs now, or null in host code.
  Launch *launch = nullptr;
  /// The copies to shared memory that the program has begun, the groups that it
  /// has ended, and the copies that it has not waited for, the oldest first.
  int64_t numCopies = 0;
  int64_t numCopyGroups = 0;
  std::deque<PendingCopy> pendingCopies;
  /// The channels of the program, and its products that are on their way
  /// (Tile/TileChannels.h).
  std::shared_ptr<ChannelTable> channels;
  /// The turns of the roles that run now, or null; the number of this one.
  Turns *turns = nullptr;
  unsigned role = 0;
  /// Constants are made once.
  llvm::DenseMap<mlir::Attribute, Array> constants;

private:
  mlir::LogicalResult checkResults(mlir::Operation *op);
  mlir::LogicalResult checkDependence(mlir::Operation *op);

  mlir::SmallVector<llvm::DenseMap<mlir::Value, RuntimeValue>, 4> frames;
  unsigned depth = 0;
  mutable bool dependsOnPoison = false; // since the last check
};

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// Tells the user about a long op a few times a second. For one thread.
class ProgressMeter {
public:
  ProgressMeter(const InterpreterOptions &options, mlir::StringRef what)
      : options(options), what(what) {}

  void update(double fraction) {
    auto now = std::chrono::steady_clock::now();
    if (!options.progress || now - last < std::chrono::milliseconds(300))
      return;
    last = now;
    options.progress(what, fraction);
  }

private:
  const InterpreterOptions &options;
  mlir::StringRef what;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

using Handler =
    std::function<mlir::LogicalResult(Evaluator &, mlir::Operation *)>;

/// Computes the results of an op on scalars, whose kinds are set already.
using ScalarFunction = std::function<mlir::LogicalResult(
    mlir::Operation *, mlir::ArrayRef<Scalar>, mlir::MutableArrayRef<Scalar>)>;

/// A function of two floats, exact or rounded to double.
ScalarFunction binary(double (*function)(double, double));

class HandlerTable {
public:
  /// The handler of `Op`: on scalars, and so element by element on tensors and
  /// vectors.
  template <typename Op> void addScalar(ScalarFunction function) {
    table[mlir::TypeID::get<Op>()] = makeElementwise(std::move(function));
  }

  template <typename Op>
  void add(mlir::LogicalResult (*function)(Evaluator &, Op)) {
    table[mlir::TypeID::get<Op>()] = [function](Evaluator &evaluator,
                                                mlir::Operation *op) {
      return function(evaluator, mlir::cast<Op>(op));
    };
  }

  /// The handler for `op`, or null.
  const Handler *lookup(mlir::Operation *op) const;

private:
  static Handler makeElementwise(ScalarFunction function);

  llvm::DenseMap<mlir::TypeID, Handler> table;
};

void addAMXHandlers(HandlerTable &table);
void addAddressHandlers(HandlerTable &table);
void addAffineHandlers(HandlerTable &table);
void addArithHandlers(HandlerTable &table);
void addArithFloatHandlers(HandlerTable &table);
void addBufferizationHandlers(HandlerTable &table);
void addControlHandlers(HandlerTable &table);
void addEinsumHandlers(HandlerTable &table);
void addElementwiseHandlers(HandlerTable &table);
void addLinalgHandlers(HandlerTable &table);
void addMathHandlers(HandlerTable &table);
void addMemRefHandlers(HandlerTable &table);
void addMemRefViewHandlers(HandlerTable &table);
void addTensorHandlers(HandlerTable &table);
void addTensorSliceHandlers(HandlerTable &table);
void addTileBulkStoreHandlers(HandlerTable &table);
void addTileChannelHandlers(HandlerTable &table);
void addTileHandlers(HandlerTable &table);
void addTileMachineHandlers(HandlerTable &table);
void addTileMathHandlers(HandlerTable &table);
void addTileMemoryHandlers(HandlerTable &table);
void addTilePredicateHandlers(HandlerTable &table);
void addTilePrintHandlers(HandlerTable &table);
void addTileRoleHandlers(HandlerTable &table);
void addTileViewHandlers(HandlerTable &table);
void addVectorHandlers(HandlerTable &table);
void addVectorMemoryHandlers(HandlerTable &table);

/// Any linalg op with a region over an iteration space, of which there are too
/// many to register each.
bool isStructured(mlir::Operation *op);
mlir::LogicalResult runStructured(Evaluator &evaluator, mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Checks that handlers share; each fails after an error on the op
//===----------------------------------------------------------------------===//

/// A !tile.ptr is an integer at run time, which Launch makes and reads.
inline constexpr runtime::ElementKind kPointerKind = runtime::ElementKind::I64;

/// The kind of elements of a type, or of the type itself. Of vectors those with
/// one axis of a fixed size have values.
mlir::FailureOr<runtime::ElementKind> getKind(mlir::Operation *op,
                                              mlir::Type type);

/// The array of `value`, unless its memory was freed. Setting a value ends it.
mlir::FailureOr<const Array *> getLive(Evaluator &evaluator,
                                       mlir::Operation *op, mlir::Value value);

/// A dense array of zeros of these sizes, which may turn out negative.
mlir::FailureOr<Array> allocate(mlir::Operation *op, runtime::ElementKind kind,
                                mlir::ArrayRef<int64_t> shape);

/// A dense copy.
mlir::FailureOr<Array> clone(mlir::Operation *op, const Array &array);

/// A shape of this type with the dynamic sizes filled in.
mlir::SmallVector<int64_t> fillShape(mlir::ShapedType type,
                                     mlir::ArrayRef<int64_t> dynamicSizes);

/// The position in `array` of the element at `index`; errors are about
/// `element` of a vector.
mlir::FailureOr<int64_t> getPosition(mlir::Operation *op, const Array &array,
                                     mlir::ArrayRef<int64_t> index,
                                     TileElement element = {});

/// An element of an array that is alive. Setting a value ends it.
struct Element {
  const Array *array;
  int64_t position;
  Scalar read() const { return array->read(position); }
  void write(Scalar scalar) const { array->write(position, scalar); }
};

/// The element of `memref` at `index`, if it may be accessed in this way;
/// errors are about `element` of a vector.
mlir::FailureOr<Element> getElement(Evaluator &evaluator, mlir::Operation *op,
                                    mlir::Value memref,
                                    mlir::ArrayRef<int64_t> index,
                                    Access access, TileElement element = {});

/// Launch::access() of the launch whose program runs, if one does.
mlir::LogicalResult noteAccess(Evaluator &evaluator, mlir::Operation *op,
                               const Array &array, int64_t position,
                               Access access, TileElement element = {});

/// Checks that no element is poison; `what` names the array.
mlir::LogicalResult checkNoPoison(mlir::Operation *op, const Array &array,
                                  mlir::StringRef what);
/// Fails: what the op does at `element` depends on `what`, which is poison.
mlir::LogicalResult emitPoison(mlir::Operation *op, mlir::StringRef what,
                               TileElement element = {});
/// Poison of a type that is a scalar, tile or vector.
mlir::FailureOr<RuntimeValue> makePoison(mlir::Operation *op, mlir::Type type);

/// "element (3, 5): ", the beginning of errors about an element of a tile or
/// vector; nothing for a scalar.
std::string inElement(TileElement element);

/// Checks that `left` and `right` have the same shape.
mlir::LogicalResult checkSameShape(mlir::Operation *op, const Array &left,
                                   mlir::StringRef leftName, const Array &right,
                                   mlir::StringRef rightName);

/// Checks that `array` has the static sizes and strides of `type`; `what` names
/// it.
mlir::LogicalResult checkType(mlir::Operation *op, const Array &array,
                              mlir::Type type, const llvm::Twine &what);

/// A view of part of `array`, with as many axes. Each slice is checked to be
/// inside.
mlir::FailureOr<Array> slice(mlir::Operation *op, const Array &array,
                             mlir::ArrayRef<int64_t> offsets,
                             mlir::ArrayRef<int64_t> sizes,
                             mlir::ArrayRef<int64_t> strides);

/// `array` without some axes, which have size 1.
Array dropAxes(const Array &array, const llvm::SmallBitVector &dropped);

/// A dense array of other sizes for the same elements in C order.
mlir::FailureOr<Array> reshape(mlir::Operation *op, const Array &array,
                               mlir::ArrayRef<int64_t> shape);

/// Copies elements between two arrays, whose shapes have to be the same.
mlir::LogicalResult copy(mlir::Operation *op, const Array &from,
                         const Array &to);

/// The iterations of a loop from `lower` to below `upper`.
mlir::FailureOr<int64_t> getTripCount(mlir::Operation *op, int64_t lower,
                                      int64_t upper, int64_t step);

/// The array of a constant attribute.
mlir::FailureOr<Array> makeConstant(Evaluator &evaluator, mlir::Operation *op,
                                    mlir::ElementsAttr attr);

/// The scalar of an integer or float attribute.
mlir::FailureOr<Scalar> makeScalar(mlir::Operation *op, mlir::TypedAttr attr);

/// `left` and `right` combined as by an atomic read-modify-write.
mlir::FailureOr<Scalar> combine(mlir::Operation *op,
                                mlir::arith::AtomicRMWKind kind, Scalar left,
                                Scalar right);

/// arith.cmpi and arith.cmpf.
bool compare(mlir::arith::CmpIPredicate predicate, Scalar lhs, Scalar rhs);
bool compare(mlir::arith::CmpFPredicate predicate, double lhs, double rhs);

/// IEEE 754 maximum and minimum: a NaN wins, +0 is larger than -0.
double maximum(double left, double right);
double minimum(double left, double right);

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// Evaluates `expr` in 64 bits. On overflow or a divisor that is not positive
/// gives nothing, and says why.
std::optional<int64_t> evaluate(mlir::AffineExpr expr,
                                mlir::ArrayRef<int64_t> dims,
                                llvm::function_ref<int64_t(unsigned)> symbol,
                                std::string &reason);

/// The results of `map` for its dimensions followed by its symbols.
mlir::FailureOr<mlir::SmallVector<int64_t>>
evaluate(mlir::Operation *op, mlir::AffineMap map,
         mlir::ArrayRef<int64_t> operands);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_CORE_EVALUATOR_H
