//===- EmitFunctions.cpp - Kernels and host functions ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tileir::triton_c {

namespace {
/// What pointers are aligned to, if nothing else is said.
constexpr int64_t kAlignment = 16;
} // namespace

OwningOpRef<ModuleOp> emitProgram(const Program &program,
                                  llvm::SourceMgr &sources,
                                  MLIRContext *context) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, tile::TileDialect>();
  return Emitter(program, sources, context).emitModule();
}

Location Emitter::getFileLoc(llvm::SMLoc loc) {
  unsigned buffer = sources.FindBufferContainingLoc(loc);
  auto [line, column] = sources.getLineAndColumn(loc, buffer);
  return FileLineColLoc::get(
      builder.getContext(),
      sources.getMemoryBuffer(buffer)->getBufferIdentifier(), line, column);
}

Location Emitter::getLoc(const Place &place) {
  // Of a macro it is where it is used: that is the line of the program.
  return place.loc.isValid() ? getFileLoc(place.loc)
                             : Location(builder.getUnknownLoc());
}

Location Emitter::getLoc(const Variable &argument) {
  return NameLoc::get(builder.getStringAttr(argument.name),
                      getLoc(argument.place));
}

Type Emitter::getElementType(Element element) {
  switch (element) {
  case Element::Half:
    return builder.getF16Type();
  case Element::BFloat16:
    return builder.getBF16Type();
  case Element::Float:
    return builder.getF32Type();
  case Element::Double:
    return builder.getF64Type();
  default:
    return builder.getIntegerType(getBits(element));
  }
}

Type Emitter::getType(const ValueType &type) {
  Type element = getElementType(type.element);
  if (type.isPointer)
    element = tile::PtrType::get(builder.getContext(), element);
  return type.isTile() ? RankedTensorType::get(type.shape, element) : element;
}

DictionaryAttr Emitter::getPromises(const Variable &argument) {
  using tile::TileDialect;
  NamedAttrList attrs;
  int64_t multiple = argument.promises.multiple;
  if (argument.type.isPointer && multiple == 0)
    multiple = kAlignment;
  if (multiple > 1)
    attrs.set(TileDialect::kMultipleOf, builder.getI64IntegerAttr(multiple));
  if (argument.type.isPointer && argument.promises.isReadOnly)
    attrs.set(TileDialect::kReadOnly, builder.getUnitAttr());
  if (argument.type.isPointer && argument.promises.isNoAlias)
    attrs.set(TileDialect::kNoAlias, builder.getUnitAttr());
  return attrs.getDictionary(builder.getContext());
}

func::FuncOp Emitter::emitKernel(const Kernel &kernel) {
  Location loc = getLoc(kernel.place);
  std::vector<Variable *> arguments = kernel.arguments;
  llvm::append_range(arguments, program.arrays);
  SmallVector<Type> types;
  for (Variable *argument : arguments)
    types.push_back(getType(argument->type));
  auto function = func::FuncOp::create(builder, loc, kernel.name,
                                       builder.getFunctionType(types, {}));
  function->setAttr(tile::TileDialect::kKernel, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  values.clear();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    function.setArgAttrs(i, getPromises(*argument));
    body->getArgument(i).setLoc(getLoc(*argument));
    values[argument] = body->getArgument(i);
  }
  emitBody(kernel.body->body);
  func::ReturnOp::create(builder, loc);
  return function;
}

void Emitter::emitHost(const Kernel &kernel, func::FuncOp function,
                       StringRef name) {
  Location loc = getLoc(kernel.place);
  std::vector<Variable *> arguments = kernel.arguments;
  llvm::append_range(arguments, program.arrays);
  SmallVector<Type> types;
  for (Variable *argument : arguments) {
    Type element = getElementType(argument->type.element);
    SmallVector<int64_t> shape;
    if (argument->type.isPointer)
      shape.push_back(argument->constant.value_or(ShapedType::kDynamic));
    types.push_back(MemRefType::get(shape, element));
  }
  auto host = func::FuncOp::create(builder, loc, name,
                                   builder.getFunctionType(types, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = host.addEntryBlock();
  builder.setInsertionPointToStart(body);
  values.clear();
  SmallVector<Value> operands;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value value = body->getArgument(i);
    value.setLoc(getLoc(*argument));
    if (!argument->type.isPointer)
      value = memref::LoadOp::create(builder, loc, value, ValueRange());
    values[argument] = value;
    operands.push_back(value);
  }
  SmallVector<Value> sizes;
  for (const Expr *size : kernel.grid) {
    Location sizeLoc = getLoc(size->place);
    Value value = emit(*size);
    if (isUnsigned(size->type.element))
      value = arith::IndexCastUIOp::create(builder, sizeLoc,
                                           builder.getIndexType(), value);
    else
      value = arith::IndexCastOp::create(builder, sizeLoc,
                                         builder.getIndexType(), value);
    sizes.push_back(value);
  }
  while (sizes.size() < 3)
    sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  tile::LaunchOp::create(builder, loc, function.getSymName(), sizes[0],
                         sizes[1], sizes[2], operands);
  func::ReturnOp::create(builder, loc);
}

OwningOpRef<ModuleOp> Emitter::emitModule() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      builder,
      getFileLoc(llvm::SMLoc::getFromPointer(
          sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart())));
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<std::pair<const Kernel *, func::FuncOp>> launched;
  for (const Kernel *kernel : program.kernels) {
    func::FuncOp function = emitKernel(*kernel);
    if (!kernel->grid.empty())
      launched.emplace_back(kernel, function);
  }
  // Names that a kernel has already get another one.
  SymbolTable symbols(*module);
  for (auto [kernel, function] : launched) {
    std::string name = "main";
    if (launched.size() > 1)
      name += "_" + kernel->name.str();
    while (symbols.lookup(name))
      name += "_";
    emitHost(*kernel, function, name);
  }
  return module;
}

} // namespace tileir::triton_c
