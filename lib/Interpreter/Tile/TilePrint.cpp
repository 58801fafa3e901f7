//===- TilePrint.cpp - What programs print --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.print, and gpu.printf, which its elements become. An element that is
// poison is told of by name: to print it is to look at it, not to depend on it.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileElements.h"

#include "tileir/Dialect/Tile/IR/PrintFormat.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Format.h"

#include <deque>

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

static void printScalar(raw_ostream &os, const tile::PrintPart &part,
                        Type element, Scalar scalar) {
  if (scalar.isPoison) {
    os << "undefined";
    return;
  }
  std::string conversion = part.getConversion(element);
  if (part.isFloat()) {
    os << llvm::format(conversion.c_str(), toDouble(scalar));
    return;
  }
  bool isSigned = part.isSigned() && !element.isInteger(1);
  int64_t value = isSigned ? toSigned(scalar) : int64_t(toUnsigned(scalar));
  if (tile::getPrintedType(element).isInteger(64))
    os << llvm::format(conversion.c_str(), static_cast<long long>(value));
  else
    os << llvm::format(conversion.c_str(), static_cast<int>(value));
}

static LogicalResult print(Evaluator &evaluator, Operation *op,
                           StringRef format) {
  auto parts = tile::parsePrintFormat(format);
  if (!parts)
    return op->emitError("expects ") << llvm::toString(parts.takeError());
  std::deque<Elements> values;
  int64_t numElements = 1;
  for (Value operand : op->getOperands()) {
    values.emplace_back(evaluator, operand);
    if (isa<RankedTensorType>(operand.getType()))
      numElements = values.back().getNumElements();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t i = 0; i < numElements; ++i)
    for (auto [number, part] : llvm::enumerate(*parts)) {
      os << part.text;
      if (part.kind)
        printScalar(os, part,
                    tile::getElement(op->getOperand(number).getType()),
                    values[number][i]);
    }
  if (evaluator.options.print)
    evaluator.options.print(text);
  else
    llvm::outs() << text;
  return success();
}

static LogicalResult runTilePrint(Evaluator &evaluator, tile::PrintOp op) {
  return print(evaluator, op, op.getFormat());
}

static LogicalResult runPrintf(Evaluator &evaluator, gpu::PrintfOp op) {
  return print(evaluator, op, op.getFormat());
}

void interp::addTilePrintHandlers(HandlerTable &table) {
  table.add(runTilePrint);
  table.add(runPrintf);
}
