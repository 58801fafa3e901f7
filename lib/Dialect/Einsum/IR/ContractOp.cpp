//===- ContractOp.cpp - einsum.contract -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text form, builders, effects and shapes of einsum.contract. Its verifier is
// in ContractOpVerify.cpp, its rewrites in ContractOpCanonicalize.cpp.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir::einsum;

#define GET_OP_CLASSES
#include "tileir/Dialect/Einsum/IR/EinsumOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

/// Parses `"spec"` into the attribute, with errors inside of the string.
static ParseResult parseSpec(OpAsmParser &parser, OperationState &state) {
  std::string text;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  SpecAttr spec =
      SpecAttr::parse(parser.getContext(), text, [&](size_t offset) {
        return parser.emitError(
            SMLoc::getFromPointer(location.getPointer() + 1 + offset));
      });
  if (!spec)
    return failure();
  state.addAttribute(ContractOp::getSpecAttrName(state.name), spec);
  return success();
}

namespace {
/// One entry of `tables(name = %value : type)`.
struct TableEntry {
  SMLoc location;
  std::string name;
  OpAsmParser::UnresolvedOperand value;
  Type type;
};
} // namespace

/// Puts the tables into the order of the specification (constraint C9).
static ParseResult orderTables(OpAsmParser &parser, SpecAttr spec,
                               SMLoc location,
                               SmallVectorImpl<TableEntry> &entries) {
  SmallVector<StringRef> names = spec.getTables();
  llvm::StringMap<TableEntry> byName;
  for (TableEntry &entry : entries) {
    if (!llvm::is_contained(names, entry.name))
      return parser.emitError(entry.location)
             << "unknown table '" << entry.name << "': the specification \""
             << spec.toString() << "\" does not use it";
    if (!byName.try_emplace(entry.name, entry).second)
      return parser.emitError(entry.location)
             << "table '" << entry.name << "' is provided twice";
  }
  entries.clear();
  for (StringRef name : names) {
    auto entry = byName.find(name);
    if (entry == byName.end())
      return parser.emitError(location)
             << "table '" << name << "' is not provided: expected tables("
             << name << " = %value : type)";
    entries.push_back(entry->second);
  }
  return success();
}

ParseResult ContractOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc location = parser.getCurrentLocation();
  if (parseSpec(parser, state))
    return failure();
  auto spec = cast<SpecAttr>(state.attributes.get(getSpecAttrName(state.name)));

  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SMLoc inputsLocation = parser.getCurrentLocation();
  if (parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren))
    return failure();

  SmallVector<TableEntry> tables;
  auto parseTable = [&]() -> ParseResult {
    TableEntry &entry = tables.emplace_back();
    entry.location = parser.getCurrentLocation();
    return failure(parser.parseKeywordOrString(&entry.name) ||
                   parser.parseEqual() || parser.parseOperand(entry.value) ||
                   parser.parseColonType(entry.type));
  };
  if (succeeded(parser.parseOptionalKeyword("tables")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseTable))
    return failure();
  if (orderTables(parser, spec, location, tables))
    return failure();

  std::optional<OpAsmParser::UnresolvedOperand> outs;
  Type outsType;
  if (succeeded(parser.parseOptionalKeyword("outs"))) {
    if (parser.parseLParen() || parser.parseOperand(outs.emplace()) ||
        parser.parseColonType(outsType) || parser.parseRParen())
      return failure();
  }

  SmallVector<Type> inputTypes, resultTypes;
  SMLoc attributesLocation = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      failed(verifyInherentAttrs(
          state.name, state.attributes,
          [&] { return parser.emitError(attributesLocation); })) ||
      parser.parseColon() ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&] { return parser.parseType(inputTypes.emplace_back()); }) ||
      parser.parseOptionalArrowTypeList(resultTypes))
    return failure();

  state.addTypes(resultTypes);
  if (parser.resolveOperands(inputs, inputTypes, inputsLocation,
                             state.operands))
    return failure();
  for (TableEntry &table : tables)
    if (parser.resolveOperand(table.value, table.type, state.operands))
      return failure();
  if (outs && parser.resolveOperand(*outs, outsType, state.operands))
    return failure();
  llvm::copy(
      ArrayRef<int32_t>{static_cast<int32_t>(inputs.size()),
                        static_cast<int32_t>(tables.size()), outs.has_value()},
      state.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return success();
}

void ContractOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printString(getSpec().toString());
  printer << " (" << getInputs() << ')';
  if (!getTables().empty()) {
    printer << " tables(";
    llvm::interleaveComma(llvm::zip(getSpec().getTables(), getTables()),
                          printer, [&](auto entry) {
                            auto [name, value] = entry;
                            printer.printKeywordOrString(name);
                            printer << " = " << value << " : "
                                    << value.getType();
                          });
    printer << ')';
  }
  if (getOuts())
    printer << " outs(" << getOuts() << " : " << getOuts().getType() << ')';
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getSpecAttrName().getValue(), getOperandSegmentSizesAttrName()});
  printer << " : (" << getInputs().getTypes() << ')';
  if (hasTensorForm())
    printer << " -> " << getResult().getType();
}

//===----------------------------------------------------------------------===//
// Builders and queries
//===----------------------------------------------------------------------===//

void ContractOp::build(OpBuilder &builder, OperationState &state, SpecAttr spec,
                       ValueRange inputs, ValueRange tables, StringRef pad) {
  SmallVector<int64_t> shape(spec.getNumResultIndices(), ShapedType::kDynamic);
  auto sizes = inferIndexSizes(spec, inputs, tables, /*outs=*/Value(),
                               /*resultType=*/ShapedType(),
                               /*sizes=*/DictionaryAttr(), pad == "zero",
                               /*emitError=*/nullptr);
  if (succeeded(sizes))
    for (unsigned index = 0; index < shape.size(); ++index)
      shape[index] = (*sizes)[index].size;
  auto element = cast<ShapedType>(inputs.front().getType()).getElementType();
  build(builder, state, RankedTensorType::get(shape, element), spec, inputs,
        tables, /*outs=*/Value(),
        pad == "none" ? StringAttr() : builder.getStringAttr(pad),
        /*acc=*/TypeAttr(), /*precision=*/StringAttr(),
        /*sizes=*/DictionaryAttr());
}

void ContractOp::build(OpBuilder &builder, OperationState &state,
                       TypeRange resultTypes, SpecAttr spec, ValueRange inputs,
                       ValueRange tables, Value outs, StringAttr pad,
                       TypeAttr acc, StringAttr precision,
                       DictionaryAttr sizes) {
  build(builder, state, resultTypes, spec, inputs, tables, outs, pad, acc,
        precision, sizes, /*schedule=*/ScheduleAttr());
}

Type ContractOp::getAccumulatorType() {
  if (auto acc = getAcc())
    return *acc;
  Type element;
  for (Type type : getInputs().getTypes()) {
    element = cast<ShapedType>(type).getElementType();
    if (element.isF64())
      return element;
  }
  if (isa<FloatType>(element))
    return Float32Type::get(getContext());
  return IntegerType::get(getContext(), 32);
}

ShapedType ContractOp::getOutputType() {
  return cast<ShapedType>(hasTensorForm() ? getResult().getType()
                                          : getOuts().getType());
}

Value ContractOp::getTable(StringRef table) {
  SmallVector<StringRef> names = getSpec().getTables();
  return getTables()[llvm::find(names, table) - names.begin()];
}

bool ContractOp::isComputed(unsigned operand) {
  Operation *source = getInputs()[operand].getDefiningOp();
  return source && isa<KernelOp>(source->getParentOp());
}

ContractOp ContractOp::createExchanged(OpBuilder &builder) {
  SpecAttr spec = getSpec();
  auto maps = llvm::to_vector(llvm::reverse(spec.getMaps()));
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, spec.getNumIndices()));
  SpecAttr exchanged = spec.reorder(order, spec.getNumResultIndices(), maps);
  auto inputs = llvm::to_vector(llvm::reverse(getInputs()));
  auto tables = llvm::map_to_vector(
      exchanged.getTables(), [&](StringRef name) { return getTable(name); });
  return ContractOp::create(builder, getLoc(), getOperation()->getResultTypes(),
                            exchanged, inputs, tables, getOuts(), getPadAttr(),
                            getAccAttr(), getPrecisionAttr(), getSizesAttr());
}

//===----------------------------------------------------------------------===//
// Effects and shapes
//===----------------------------------------------------------------------===//

void ContractOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (hasTensorForm())
    return;
  auto *memory = SideEffects::DefaultResource::get();
  for (OpOperand &operand : (*this)->getOpOperands()) {
    bool isOuts = operand.get() == getOuts() &&
                  operand.getOperandNumber() == getNumOperands() - 1;
    if (isOuts)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, memory);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand, memory);
  }
}

Speculation::Speculatability ContractOp::getSpeculatability() {
  // Sizes that disagree and tables that lead outside are errors when running,
  // which must not be moved to where the op would not have run.
  bool isSafe = hasTensorForm() && getTables().empty() &&
                llvm::all_of(getOperandTypes(), [](Type type) {
                  return cast<ShapedType>(type).hasStaticShape();
                });
  return isSafe ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

LogicalResult ContractOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!hasTensorForm())
    return failure();
  SmallVector<OpFoldResult> sizes = reifyIndexSizes(builder, *this);
  sizes.truncate(getSpec().getNumResultIndices());
  // Where the type is static, the interface wants attributes and elsewhere
  // values.
  for (auto [size, dim] : llvm::zip(sizes, getOutputType().getShape())) {
    if (!ShapedType::isDynamic(dim))
      size = builder.getIndexAttr(dim);
    else if (isa<Attribute>(size))
      size = getValueOrCreateConstantIndexOp(builder, getLoc(), size);
  }
  reifiedReturnShapes.push_back(std::move(sizes));
  return success();
}
