//===- PrintPatterns.cpp - What kernels print -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line for each element, with the program and the place: "pid (0, 1, 0)
// idx (12, 3) x: 0.5", as Triton prints it on a GPU.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "tileir/Dialect/Tile/IR/PrintFormat.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

namespace {

/// The format of a line, and its values.
struct Line {
  std::string format;
  SmallVector<Value> values;

  void add(StringRef conversion, Value value) {
    format += conversion;
    values.push_back(value);
  }

  void addProgram(OpBuilder &builder, Location loc) {
    format += "pid (";
    for (tile::Axis axis : {tile::Axis::X, tile::Axis::Y, tile::Axis::Z}) {
      format += axis == tile::Axis::X ? "" : ", ";
      add("%d", tile::ProgramIdOp::create(builder, loc, axis));
    }
    format += ")";
  }

  /// Numbers of one axis have the same width.
  void addPlace(OpBuilder &builder, Location loc, Value value) {
    ArrayRef<int64_t> shape;
    if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
      shape = tile.getShape();
    format += " idx (";
    for (auto [axis, size] : llvm::enumerate(shape)) {
      format += axis ? ", " : "";
      size_t digits = std::to_string(size - 1).size();
      add(llvm::formatv("%{0}d", digits).str(),
          emitPosition(builder, loc, shape, axis));
    }
    format += ")";
  }

  void addValue(OpBuilder &builder, Location loc, Value value, bool isHex,
                bool isSigned) {
    Type element = tile::getElement(value.getType());
    bool isPointer = isa<tile::PtrType>(element);
    if (isPointer) {
      Type type = tile::withElement(value.getType(), builder.getI64Type());
      value = tile::PtrToIntOp::create(builder, loc, type, value);
    }
    if (isHex && !isPointer) {
      unsigned digits = llvm::divideCeil(element.getIntOrFloatBitWidth(), 4);
      add(llvm::formatv("0x%0{0}x", digits).str(),
          emitBits(builder, loc, value));
      return;
    }
    add(isPointer                 ? "0x%x"
        : isa<FloatType>(element) ? "%f"
        : isSigned                ? "%d"
                                  : "%u",
        value);
  }
};

struct ConvertPrint : OpConversionPattern<triton::PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange values = adaptor.getArgs();
    auto create = [&](const Line &line) {
      tile::PrintOp::create(rewriter, loc, line.format + "\n", line.values);
    };
    for (auto [i, value] : llvm::enumerate(values)) {
      Line line;
      line.addProgram(rewriter, loc);
      line.addPlace(rewriter, loc, value);
      line.format += tile::escapePrintText(op.getPrefix());
      if (values.size() > 1)
        line.format += llvm::formatv("(operand {0}) ", i);
      bool isSigned = i < op.getIsSigned().size() && op.getIsSigned()[i];
      line.addValue(rewriter, loc, value, op.getHex(), isSigned);
      create(line);
    }
    if (values.empty()) {
      Line line;
      line.addProgram(rewriter, loc);
      line.format += tile::escapePrintText(op.getPrefix());
      create(line);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void triton_to_tile::populatePrintPatterns(const PointerConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<ConvertPrint>(converter, patterns.getContext());
}
