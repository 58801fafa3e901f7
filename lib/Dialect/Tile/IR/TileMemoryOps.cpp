//===- TileMemoryOps.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax and verifiers of the operations on memory (TileMemoryOps.td).
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The type of the elements that `pointers` point at.
static Type getPointeeType(Type pointers) {
  return withElement(pointers,
                     cast<PtrType>(getElement(pointers)).getPointee());
}

static Type getMaskType(Type pointers) {
  return withElement(pointers, IntegerType::get(pointers.getContext(), 1));
}

//===----------------------------------------------------------------------===//
// Syntax: `mask`, `other`, `order` and `scope` follow, the pointers' type tells
// all others.
//===----------------------------------------------------------------------===//

namespace {
using Operand = OpAsmParser::UnresolvedOperand;

/// (keyword operand)?
ParseResult parseOptional(OpAsmParser &parser, StringRef keyword,
                          std::optional<Operand> &operand) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperand(operand.emplace());
}

/// (`order` order)? (`scope` scope)?
template <typename Op>
ParseResult parseOrder(OpAsmParser &parser, OperationState &state) {
  auto &properties = state.getOrAddProperties<typename Op::Properties>();
  auto parseOptionalEnum = [&](StringRef keyword, auto &attr) -> ParseResult {
    using Attr = std::decay_t<decltype(attr)>;
    if (failed(parser.parseOptionalKeyword(keyword)))
      return success();
    auto value = FieldParser<typename Attr::ValueType>::parse(parser);
    if (failed(value))
      return failure();
    attr = Attr::get(parser.getContext(), *value);
    return success();
  };
  return failure(failed(parseOptionalEnum("order", properties.order)) ||
                 failed(parseOptionalEnum("scope", properties.scope)));
}

/// attr-dict `:` type of pointers (a scalar or tile of !tile.ptr)
ParseResult parsePointers(OpAsmParser &parser, OperationState &state,
                          Type &pointers) {
  SMLoc loc;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColon())
    return failure();
  loc = parser.getCurrentLocation();
  if (parser.parseType(pointers))
    return failure();
  if (isa<PtrType>(getElement(pointers)))
    return success();
  return parser.emitError(loc)
         << "expected !tile.ptr or a tile of them, found " << pointers;
}

void printRest(OpAsmPrinter &printer, Operation *op, Value mask, Value other,
               Type pointers, ArrayRef<StringRef> elided = {}) {
  if (mask)
    printer << " mask " << mask;
  if (other)
    printer << " other " << other;
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " : " << pointers;
}

template <typename Op> void printAtomicRest(OpAsmPrinter &printer, Op op) {
  if (op.getMask())
    printer << " mask " << op.getMask();
  if (op.getOrder() != MemoryOrder::Relaxed)
    printer << " order " << op.getOrder();
  if (op.getScope() != MemoryScope::Device)
    printer << " scope " << op.getScope();
  printRest(printer, op, {}, {}, op.getPtr().getType(),
            {"kind", "order", "scope"});
}
} // namespace

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &state) {
  Operand ptr;
  std::optional<Operand> mask, other;
  Type type;
  if (parser.parseOperand(ptr) || parseOptional(parser, "mask", mask) ||
      parseOptional(parser, "other", other) ||
      parsePointers(parser, state, type) ||
      parser.resolveOperand(ptr, type, state.operands) ||
      (mask &&
       parser.resolveOperand(*mask, getMaskType(type), state.operands)) ||
      (other &&
       parser.resolveOperand(*other, getPointeeType(type), state.operands)))
    return failure();
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      1, mask.has_value(), other.has_value()};
  state.addTypes(getPointeeType(type));
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr();
  printRest(printer, *this, getMask(), getOther(), getPtr().getType(),
            {getOperandSegmentSizesAttrName()});
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &state) {
  Operand ptr, value;
  std::optional<Operand> mask;
  Type type;
  return failure(
      parser.parseOperand(ptr) || parser.parseComma() ||
      parser.parseOperand(value) || parseOptional(parser, "mask", mask) ||
      parsePointers(parser, state, type) ||
      parser.resolveOperand(ptr, type, state.operands) ||
      parser.resolveOperand(value, getPointeeType(type), state.operands) ||
      (mask &&
       parser.resolveOperand(*mask, getMaskType(type), state.operands)));
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr() << ", " << getValue();
  printRest(printer, *this, getMask(), {}, getPtr().getType());
}

ParseResult AtomicRMWOp::parse(OpAsmParser &parser, OperationState &state) {
  Operand ptr, value;
  std::optional<Operand> mask;
  Type type;
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<AtomicKind> kind = symbolizeAtomicKind(name);
  if (!kind)
    return parser.emitError(loc) << "expected add, max, min, umax, umin, and, "
                                    "or, xor or xchg, found '"
                                 << name << "'";
  state.getOrAddProperties<Properties>().kind =
      AtomicKindAttr::get(parser.getContext(), *kind);
  if (parser.parseOperand(ptr) || parser.parseComma() ||
      parser.parseOperand(value) || parseOptional(parser, "mask", mask) ||
      parseOrder<AtomicRMWOp>(parser, state) ||
      parsePointers(parser, state, type) ||
      parser.resolveOperand(ptr, type, state.operands) ||
      parser.resolveOperand(value, getPointeeType(type), state.operands) ||
      (mask && parser.resolveOperand(*mask, getMaskType(type), state.operands)))
    return failure();
  state.addTypes(getPointeeType(type));
  return success();
}

void AtomicRMWOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyAtomicKind(getKind()) << ' ' << getPtr() << ", "
          << getValue();
  printAtomicRest(printer, *this);
}

ParseResult AtomicCASOp::parse(OpAsmParser &parser, OperationState &state) {
  Operand ptr, compare, value;
  std::optional<Operand> mask;
  Type type;
  if (parser.parseOperand(ptr) || parser.parseComma() ||
      parser.parseOperand(compare) || parser.parseComma() ||
      parser.parseOperand(value) || parseOptional(parser, "mask", mask) ||
      parseOrder<AtomicCASOp>(parser, state) ||
      parsePointers(parser, state, type) ||
      parser.resolveOperand(ptr, type, state.operands) ||
      parser.resolveOperand(compare, getPointeeType(type), state.operands) ||
      parser.resolveOperand(value, getPointeeType(type), state.operands) ||
      (mask && parser.resolveOperand(*mask, getMaskType(type), state.operands)))
    return failure();
  state.addTypes(getPointeeType(type));
  return success();
}

void AtomicCASOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPtr() << ", " << getCompare() << ", " << getValue();
  printAtomicRest(printer, *this);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// T15.
static LogicalResult verifyMask(Operation *op, Value ptr, Value mask) {
  Type expected = getMaskType(ptr.getType());
  if (!mask || mask.getType() == expected)
    return success();
  return op->emitOpError("expects a mask of ")
         << expected << " for pointers of " << ptr.getType() << ", found "
         << mask.getType() << " (T15)";
}

/// T17.
static LogicalResult verifyValue(Operation *op, Value ptr, Value value) {
  Type expected = getPointeeType(ptr.getType());
  if (value.getType() == expected)
    return success();
  return op->emitOpError("expects a value of ")
         << expected << " for pointers of " << ptr.getType() << ", found "
         << value.getType() << " (T17)";
}

LogicalResult AddPtrOp::verify() {
  Type ptr = getPtr().getType(), offset = getOffset().getType();
  if (withElement(offset, getElement(ptr)) != ptr)
    return emitOpError(
               "expects pointers and offsets of one shape and layout, found ")
           << ptr << " and " << offset << " (T14)";
  return success();
}

static LogicalResult verifyCast(Operation *op) {
  Type source = op->getOperand(0).getType(),
       result = op->getResult(0).getType();
  if (withElement(source, getElement(result)) != result)
    return op->emitOpError("expects a source and a result of one shape and "
                           "layout, found ")
           << source << " and " << result << " (T53)";
  return success();
}

LogicalResult IntToPtrOp::verify() { return verifyCast(*this); }
LogicalResult PtrToIntOp::verify() { return verifyCast(*this); }
LogicalResult PtrToPtrOp::verify() { return verifyCast(*this); }

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(getPointeeType(adaptor.getPtr().getType()));
  return success();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable());
  // As of volatile loads of LLVM: nothing moves past it.
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get());
}

bool tile::isPlainLoad(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return load ? !load.getIsVolatile() : isa<LoadViewOp>(op);
}

bool tile::actsOnce(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return load ? load.getIsVolatile() : isa<AtomicRMWOp, AtomicCASOp>(op);
}

/// Whether `op` is an atomic access of order `order`, or of both, that other
/// programs see.
static bool hasOrder(Operation *op, MemoryOrder order) {
  auto matches = [&](auto atomic) {
    return atomic.getScope() != MemoryScope::Program &&
           (atomic.getOrder() == order ||
            atomic.getOrder() == MemoryOrder::AcqRel);
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<AtomicRMWOp, AtomicCASOp>(matches)
      .Default(false);
}

bool tile::acquires(Operation *op) {
  return hasOrder(op, MemoryOrder::Acquire);
}

bool tile::releases(Operation *op) {
  return hasOrder(op, MemoryOrder::Release);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyMask(*this, getPtr(), getMask())))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return emitOpError("expects a mask with 'other' (T16)");
  if (getOther().getType() != getType())
    return emitOpError("expects 'other' of the result's type ")
           << getType() << ", found " << getOther().getType() << " (T16)";
  return success();
}

LogicalResult StoreOp::verify() {
  return success(succeeded(verifyMask(*this, getPtr(), getMask())) &&
                 succeeded(verifyValue(*this, getPtr(), getValue())));
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyMask(*this, getPtr(), getMask())) ||
      failed(verifyValue(*this, getPtr(), getValue())))
    return failure();
  Type element = getElement(getValue().getType());
  if (isa<FloatType>(element) && getKind() != AtomicKind::Add &&
      getKind() != AtomicKind::Exchange)
    return emitOpError("expects 'add' or 'xchg' on ")
           << element << ", found '" << stringifyAtomicKind(getKind())
           << "' (T21)";
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return emitOpError("expects elements of f16 or wider floats, which GPUs "
                       "change atomically, found ")
           << element << " (T21)";
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyMask(*this, getPtr(), getMask())) ||
      failed(verifyValue(*this, getPtr(), getValue())))
    return failure();
  Type element = getElement(getValue().getType());
  if (element.getIntOrFloatBitWidth() >= 16)
    return success();
  return emitOpError("expects elements of 16, 32 or 64 bits, which GPUs "
                     "compare and swap, found ")
         << element << " (T52)";
}

LogicalResult tile::verifyView(Operation *op, Type memref, Type tile,
                               size_t numIndices,
                               std::optional<ArrayRef<int64_t>> axes,
                               std::optional<ArrayRef<bool>> inBounds,
                               std::optional<ArrayRef<int64_t>> steps) {
  auto type = cast<RankedTensorType>(tile);
  auto map = dyn_cast<TensorMapType>(memref);
  int64_t rank = map ? map.getBox().size() : cast<MemRefType>(memref).getRank();
  Type element = map ? map.getElementType() : getElementTypeOrSelf(memref);
  if (int64_t(numIndices) != rank)
    return op->emitOpError("expects ") << rank << " indices for " << memref
                                       << ", found " << numIndices << " (T18)";
  if (!axes && type.getRank() != rank)
    return op->emitOpError("expects a tile with the ")
           << rank << " axes of " << memref
           << ", or 'axes' that says which of them, found " << type << " (T19)";
  if (axes && (int64_t(axes->size()) != type.getRank() ||
               std::adjacent_find(axes->begin(), axes->end(),
                                  std::greater_equal<>()) != axes->end() ||
               axes->front() < 0 || axes->back() >= rank))
    return op->emitOpError("expects 'axes' to list ")
           << type.getRank() << " increasing axes of " << memref << ", found ["
           << *axes << "] (T19)";
  if (element != type.getElementType())
    return op->emitOpError("expects a tile of ")
           << element << " as " << memref << ", found " << type << " (T20)";
  if (inBounds && int64_t(inBounds->size()) != type.getRank())
    return op->emitOpError("expects 'in_bounds' to have ")
           << type.getRank() << " entries, one per axis of " << type
           << ", found " << inBounds->size() << " (T33)";
  if (!steps)
    return success();
  bool isLast = type.getRank() > 0 && (!axes || axes->back() == rank - 1);
  if (int64_t(steps->size()) != type.getRank() ||
      llvm::any_of(*steps, [](int64_t step) { return step < 1; }) ||
      (isLast && steps->back() != 1))
    return op->emitOpError("expects 'steps' to have ")
           << type.getRank() << " positive entries, one per axis of " << type
           << ", and 1 along the last axis of " << memref << ", found ["
           << *steps << "] (T54)";
  return success();
}

LogicalResult LoadViewOp::verify() {
  return verifyView(*this, getMemref().getType(), getType(),
                    getIndices().size(), getAxes(), getInBounds(), getSteps());
}

LogicalResult StoreViewOp::verify() {
  return verifyView(*this, getMemref().getType(), getValue().getType(),
                    getIndices().size(), getAxes(), getInBounds());
}
