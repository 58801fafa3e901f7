//===- TritonFunctions.cpp - Functions, calls and barriers ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton;

ParseResult triton::FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, state, /*allowVariadic=*/false,
      getFunctionTypeAttrName(state.name), buildType,
      getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

void triton::FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult triton::CallOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto callee = tables.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expects ")
           << getCalleeAttr() << " to be a tt.func of the module (TT10)";
  if (!llvm::equal(callee.getArgumentTypes(), getArguments().getTypes()) ||
      !llvm::equal(callee.getResultTypes(), getResultTypes()))
    return emitOpError("expects operands and results of ")
           << callee.getFunctionType() << ", found "
           << FunctionType::get(getContext(), getArguments().getTypes(),
                                getResultTypes())
           << " (TT10)";
  return success();
}

LogicalResult triton::ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!llvm::equal(function.getResultTypes(), getSrcs().getTypes()))
    return emitOpError("expects what @")
           << function.getName() << " returns, (" << function.getResultTypes()
           << "), found (" << getSrcs().getTypes() << ") (TT11)";
  return success();
}

// `all`, or names of memory with `|` between them.
ParseResult triton::BarrierOp::parse(OpAsmParser &parser,
                                     OperationState &state) {
  std::string spaces;
  do {
    StringRef space;
    if (parser.parseKeyword(&space))
      return failure();
    spaces += (spaces.empty() ? "" : "|") + space.str();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  state.getOrAddProperties<Properties>().space =
      parser.getBuilder().getStringAttr(spaces);
  return parser.parseOptionalAttrDict(state.attributes);
}

void triton::BarrierOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSpace();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getSpaceAttrName()});
}
