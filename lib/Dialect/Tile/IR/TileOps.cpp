//===- TileOps.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers and types of the operations on values (TileOps.td).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::LinearLayout;

#define GET_OP_CLASSES
#include "tileir/Dialect/Tile/IR/TileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

/// T1.
static LogicalResult verifyInKernel(Operation *op) {
  // In a body that is moved about there may be no function yet.
  if (!op->getParentOfType<FunctionOpInterface>() || getKernel(op))
    return success();
  return op->emitOpError("expects to stand in a function with '")
         << TileDialect::kKernel << "' (T1)";
}

LogicalResult ProgramIdOp::verify() { return verifyInKernel(*this); }
LogicalResult NumProgramsOp::verify() { return verifyInKernel(*this); }

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *this, getKernelAttr());
  bool writes = false;
  for (auto [i, operand] : llvm::enumerate(getArgumentsMutable())) {
    if (operand.get().getType().isIntOrIndexOrFloat())
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    // Not isReadOnly: another thread may change the kernel's body meanwhile.
    if (kernel && kernel.getArgAttr(i, TileDialect::kReadOnly))
      continue;
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
    writes = true;
  }
  // What writes nothing may still assert something.
  if (!writes)
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel || !isKernel(kernel))
    return emitOpError("expects @")
           << getKernel() << " to be a function of this module with '"
           << TileDialect::kKernel << "' (T2)";
  if (getArguments().size() != kernel.getNumArguments())
    return emitOpError("expects ")
           << kernel.getNumArguments() << " arguments for @" << getKernel()
           << ", found " << getArguments().size() << " (T3)";
  for (auto [i, given, expected] :
       llvm::enumerate(getArguments().getTypes(), kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(given);
    auto pointer = dyn_cast<PtrType>(expected);
    bool passesAddress = memref && pointer &&
                         memref.getElementType() == pointer.getPointee() &&
                         memref.getLayout().isIdentity();
    // A kernel is on the device, so that its memrefs need not say so.
    bool isOnDevice =
        memref && isDeviceMemory(memref) &&
        MemRefType(MemRefType::Builder(memref).setMemorySpace({})) == expected;
    if (given != expected && !passesAddress && !isOnDevice)
      return emitOpError("expects argument ")
             << i << " of @" << getKernel() << " to be " << expected
             << (pointer ? " or a contiguous memref of its elements" : "")
             << ", found " << given << " (T3)";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Retiling
//===----------------------------------------------------------------------===//

/// `tile` with another shape and, if it has a layout, that after `retile`.
static RankedTensorType
withShape(RankedTensorType tile, ArrayRef<int64_t> shape,
          function_ref<LinearLayout(const LinearLayout &)> retile) {
  Attribute encoding;
  if (LayoutAttr layout = getLayout(tile))
    encoding = LayoutAttr::get(tile.getContext(),
                               retile(layout.getLayout(tile.getShape())));
  return RankedTensorType::get(shape, tile.getElementType(), encoding);
}

LogicalResult SplatOp::verify() {
  Type element = getElement(getType());
  if (getValue().getType() != element)
    return emitOpError("expects a value of the result's element type ")
           << element << ", found " << getValue().getType() << " (T4)";
  return success();
}

LogicalResult RangeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t start = getStart(), end = getEnd();
  if (end <= start)
    return emitOpError("expects start < end, found ")
           << start << " to " << end << " (T5)";
  if (type.getRank() != 1 || type.getDimSize(0) != end - start)
    return emitOpError("expects a result of one axis with the ")
           << end - start << " elements from " << start << " to " << end
           << ", found " << type << " (T5)";
  unsigned width = type.getElementTypeBitWidth();
  if (!llvm::isIntN(width, start) || !llvm::isIntN(width, end - 1))
    return emitOpError("expects bounds that fit in ")
           << type.getElementType() << ", found " << start << " to " << end
           << " (T5)";
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getType());
  if (from.getElementType() != to.getElementType() ||
      from.getNumElements() != to.getNumElements())
    return emitOpError("expects the elements of ")
           << from << " (" << from.getNumElements() << "), found " << to << " ("
           << to.getNumElements() << ") (T6)";
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getType());
  auto shape = getBroadcastShape(from.getShape(), to.getShape());
  if (from.getElementType() != to.getElementType() || failed(shape) ||
      ArrayRef<int64_t>(*shape) != to.getShape())
    return emitOpError("expects a result of ")
           << from.getElementType()
           << " whose axes, from the right, are those of " << from
           << " or replace its axes of size 1, found " << to << " (T7)";
  return success();
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto from = cast<RankedTensorType>(adaptor.getSource().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank())))
    return emitOptionalError(
        loc, "'tile.trans' op expects a permutation of the ", from.getRank(),
        " axes of ", from, ", found [", permutation, "] (T8)");
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(from.getDimSize(axis));
  types.push_back(withShape(from, shape, [&](const LinearLayout &layout) {
    return layout.transpose(permutation);
  }));
  return success();
}

//===----------------------------------------------------------------------===//
// Arithmetic across elements
//===----------------------------------------------------------------------===//

/// T11: what an accumulator may be for operands of `type`.
static bool isDotAccumulator(Type type, Type acc) {
  if (type.isF16() || type.isBF16())
    return acc == type || acc.isF32();
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return acc.isF32();
  if (type.isSignlessInteger(8))
    return acc.isSignlessInteger(32);
  return (type.isF32() || type.isF64()) && acc == type;
}

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getType());
  int64_t rank = acc.getRank();
  if (rank < 2 || a.getRank() != rank || b.getRank() != rank)
    return emitOpError("expects tiles of the same rank, 2 or more, found ")
           << a << ", " << b << " and " << acc << " (T9)";
  ArrayRef<int64_t> batches = acc.getShape().drop_back(2);
  if (a.getShape().drop_back(2) != batches ||
      b.getShape().drop_back(2) != batches)
    return emitOpError("expects equal sizes before the last two axes, found ")
           << a << ", " << b << " and " << acc << " (T9)";
  auto size = [&](RankedTensorType type, int64_t fromEnd) {
    return type.getDimSize(rank - fromEnd);
  };
  if (size(a, 1) != size(b, 2) || size(a, 2) != size(acc, 2) ||
      size(b, 1) != size(acc, 1))
    return emitOpError("expects M x K, K x N and M x N elements, found ")
           << a << ", " << b << " and " << acc << " (T10)";
  if (a.getElementType() != b.getElementType() ||
      !isDotAccumulator(a.getElementType(), acc.getElementType()))
    return emitOpError(
               "expects f16 or bf16 with an accumulator of f32 or their own "
               "type, f8E4M3FN, f8E5M2 or f32 with f32, f64 with f64, or i8 "
               "with i32, found ")
           << a.getElementType() << ", " << b.getElementType() << " and "
           << acc.getElementType() << " (T11)";
  StringRef precision = getPrecision().value_or("full");
  if (precision != "full" && precision != "tf32")
    return emitOpError("expects 'precision' to be \"full\" or \"tf32\", "
                       "found \"")
           << precision << "\" (T37)";
  if (precision == "tf32" && !a.getElementType().isF32())
    return emitOpError("expects elements of f32 with precision = \"tf32\", "
                       "found ")
           << a.getElementType() << " (T37)";
  return success();
}

/// T13.
static bool fits(Combiner combiner, Type element) {
  switch (combiner) {
  case Combiner::And:
  case Combiner::Or:
  case Combiner::Xor:
    return isa<IntegerType>(element);
  case Combiner::UMax:
  case Combiner::UMin:
    return isa<IntegerType>(element) && !element.isSignlessInteger(1);
  case Combiner::MaxNum:
  case Combiner::MinNum:
    return isa<FloatType>(element);
  default:
    return !element.isSignlessInteger(1);
  }
}

static LogicalResult
verifyCombiner(function_ref<InFlightDiagnostic()> emitError, Combiner combiner,
               RankedTensorType type, int64_t axis) {
  if (axis < 0 || axis >= type.getRank())
    return emitError() << "expects an axis from 0 to " << type.getRank() - 1
                       << ", found " << axis << " (T12)";
  if (!fits(combiner, type.getElementType()))
    return emitError() << "expects an operation on " << type.getElementType()
                       << ", found '" << stringifyCombiner(combiner)
                       << "' (T13)";
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getSource().getType());
  auto emitError = [&] {
    InFlightDiagnostic diagnostic =
        mlir::emitError(loc.value_or(UnknownLoc::get(type.getContext())));
    diagnostic << "'tile.reduce' op ";
    return diagnostic;
  };
  int64_t axis = adaptor.getAxis();
  if (failed(verifyCombiner(emitError, adaptor.getCombiner(), type, axis)))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  types.push_back(shape.empty()
                      ? type.getElementType()
                      : withShape(type, shape, [&](const LinearLayout &layout) {
                          return layout.removeAxis(axis);
                        }));
  return success();
}

LogicalResult ScanOp::verify() {
  return verifyCombiner([&] { return emitOpError(); }, getCombiner(),
                        cast<RankedTensorType>(getType()), getAxis());
}
