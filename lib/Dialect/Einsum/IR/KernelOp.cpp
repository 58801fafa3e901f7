//===- KernelOp.cpp - einsum.kernel ---------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text form and verifier (C20 to C22 of EinsumOps.td).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir::einsum;

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand input;
    return failure(
        parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(input) || parser.parseColonType(argument.type) ||
        parser.resolveOperand(input, argument.type, result.operands));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          auto [argument, input] = pair;
                          printer << argument << " = " << input << " : "
                                  << input.getType();
                        });
  printer << ") -> " << getResult().getType();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verifyRegions() {
  TypeRange arguments = getBody().getArgumentTypes();
  if (arguments != getInputs().getTypes())
    return emitOpError("expects the arguments of its body to have the types "
                       "of its operands (")
           << getInputs().getTypes() << "), found " << arguments;
  for (Operation &op : getBody().front().without_terminator()) {
    auto contract = dyn_cast<ContractOp>(op);
    if ((contract && contract.hasTensorForm()) ||
        isa<arith::ConstantOp, tensor::EmptyOp>(op) || PointwiseOp::get(&op))
      continue;
    InFlightDiagnostic error =
        op.emitOpError("stands in an einsum.kernel, which takes contractions "
                       "and pointwise ops on tensors, constants and "
                       "tensor.empty: move it out of the kernel");
    error.attachNote(getLoc()) << "the kernel";
    return error;
  }
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("expects its body to end with einsum.yield");
  if (yield.getValue().getType() != getResult().getType())
    return yield.emitOpError("expects a value of the kernel's result type ")
           << getResult().getType() << ", found " << yield.getValue().getType();
  return success();
}
