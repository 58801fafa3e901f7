//===- WarpgroupPatterns.cpp - Products of warpgroups ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is one piece of assembly: a fence, the instructions along K, each
// on all registers of the accumulator, and the commit of their group. PTX ISA,
// "wgmma.mma_async". The registers go in and come out, also of waits, so that
// nothing can move or use them in between; there is no intrinsic (nvvm has an
// op, but with A by descriptor and B only, and no wait that is tied to them).
// A product that begins at zero reads no registers: its first instruction is
// told to add to nothing.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"

#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Layout/Shared/Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::to_gpu;
using llvm::formatv;

/// Registers of 32 bits that a thread has of A, 16 x 32 bytes of a warp.
static constexpr int64_t kWordsOfA = 4;

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

namespace {
/// The registers of an accumulator as assembly has them: f32 or i32, and pairs
/// of f16 in an i32.
class Accumulator {
public:
  Accumulator(OpBuilder &builder, Location loc, Value vector)
      : builder(builder), loc(loc), type(cast<VectorType>(vector.getType())) {
    Value packed = vector;
    if (isPacked())
      packed = vector::BitCastOp::create(
          builder, loc,
          VectorType::get(type.getNumElements() / 2, builder.getI32Type()),
          vector);
    registers = unpackRegisters(builder, loc, packed);
  }

  size_t size() const { return registers.size(); }

  /// Runs `assembly` on the registers, which are its operands from $0 on, and
  /// on `inputs`, integers of 32 or 64 bits, which come after them twice.
  Value run(StringRef assembly, ValueRange inputs) {
    bool isFloat = registers.front().getType().isF32();
    std::string constraints;
    for (size_t i = 0; i < size(); ++i)
      constraints += isFloat ? "=f," : "=r,";
    for (size_t i = 0; i < size(); ++i)
      constraints += std::to_string(i) + ",";
    for (Value input : inputs)
      constraints += input.getType().isInteger(32) ? "r," : "l,";
    constraints += "~{memory}";
    auto result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        SmallVector<Type>(size(), registers.front().getType()));
    SmallVector<Value> operands = registers;
    llvm::append_range(operands, inputs);
    Value all = LLVM::InlineAsmOp::create(
                    builder, loc, result, operands, assembly, constraints,
                    /*has_side_effects=*/true, /*is_align_stack=*/false,
                    LLVM::TailCallKind::None,
                    LLVM::AsmDialectAttr::get(builder.getContext(),
                                              LLVM::AsmDialect::AD_ATT),
                    /*operand_attrs=*/ArrayAttr())
                    .getResult(0);
    SmallVector<Value> results;
    for (size_t i = 0; i < size(); ++i)
      results.push_back(LLVM::ExtractValueOp::create(builder, loc, all, i));
    Value vector = packRegisters(builder, loc, results);
    if (isPacked())
      vector = vector::BitCastOp::create(builder, loc, type, vector);
    return vector;
  }

private:
  bool isPacked() const { return type.getElementTypeBitWidth() == 16; }

  OpBuilder &builder;
  Location loc;
  VectorType type;
  SmallVector<Value> registers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The operand as it lies in shared memory; it has no panels if their bytes
/// are 0. K is the second axis of A and the first one of B; in column order the
/// buffer has the transpose.
static PanelOperand getPanels(BufferType buffer, Matrix matrix,
                              tile::Major order) {
  ArrayRef<int64_t> shape = buffer.getShape().drop_front();
  unsigned bits = buffer.getElementType().getIntOrFloatBitWidth();
  bool isRow = order == tile::Major::Row;
  int64_t panelBytes = 0;
  if (LayoutAttr layout = buffer.getLayout())
    panelBytes = findPanelBytes(layout.getLayout(shape), shape, bits);
  return {
      {shape[0], shape[1]}, bits, panelBytes, (matrix == Matrix::A) == isRow};
}

/// The descriptor of the operand's beginning in a stage, an i64. Each group of
/// warps has its rows of A. Addresses have 18 bits and count by 16 bytes, and
/// the bits above them stay as they are: sums do not carry into these.
static Value emitDescriptor(OpBuilder &builder, Location loc,
                            const PanelOperand &panels, Value buffer,
                            Value stage, Value group) {
  uint64_t rest = panels.getDescriptor();
  int64_t bytes = panels.shape[0] * panels.shape[1] * panels.elementBits / 8;
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  };
  auto times = [&](Value factor, int64_t number) -> Value {
    return arith::MulIOp::create(builder, loc, factor,
                                 createI32(builder, loc, number));
  };
  Value begin = LLVM::PtrToIntOp::create(
      builder, loc, builder.getI32Type(),
      emitShared(builder, loc, createI32(builder, loc, 0)));
  begin = add(begin, buffer);
  if (group)
    begin = add(begin, times(group, panels.getOffset(1, 0)));
  begin = arith::AndIOp::create(builder, loc, begin,
                                createI32(builder, loc, 0x3ffff));
  begin =
      arith::ShRUIOp::create(builder, loc, begin, createI32(builder, loc, 4));
  begin = add(begin, createI32(builder, loc, int32_t(rest)));
  // Last, for in a loop all else stays the same.
  stage = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), stage);
  begin = add(begin, times(stage, bytes / 16));
  Value wide =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), begin);
  return arith::OrIOp::create(builder, loc, wide,
                              arith::ConstantIntOp::create(
                                  builder, loc, int64_t(rest >> 32 << 32), 64));
}

/// The registers of a tile, 32 bits each.
static SmallVector<Value> unpackWords(OpBuilder &builder, Location loc,
                                      Value vector) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  return unpackRegisters(builder, loc,
                         vector::BitCastOp::create(
                             builder, loc,
                             VectorType::get(bits / 32, builder.getI32Type()),
                             vector));
}

/// The type of elements as PTX names it.
static StringRef getPtxType(Type type, bool isTf32) {
  if (type.isF32())
    return isTf32 ? "tf32" : "f32";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  return type.isInteger(8) ? "s8" : "s32";
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct ConvertMmaAsync : OpConversionPattern<MmaAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaAsyncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const MmaAtom &atom = *op.getAtom().getAtom();
    BufferType typeB = op.getB().getType();
    PanelOperand b = getPanels(typeB, Matrix::B, op.getBOrder()), a = b;
    if (auto buffer = op.getBufferA())
      a = getPanels(buffer.getType(), Matrix::A, op.getAOrder());
    if (!a.panelBytes || !b.panelBytes)
      return op.emitError("expected operands in panels, as "
                          "tile-use-tensor-maps leaves them, found ")
             << op.getA().getType() << " and " << typeB;
    SmallVector<Value> fragments;
    Value beginA;
    if (!op.getBufferA()) {
      fragments = unpackWords(rewriter, loc, adaptor.getA());
    } else {
      Value group;
      if (op.getGrid().warpsM > kGroupWarps)
        group = emitGroup(rewriter, op);
      beginA = emitDescriptor(rewriter, loc, a, adaptor.getA(),
                              adaptor.getAStage(), group);
    }
    Value beginB = emitDescriptor(rewriter, loc, b, adaptor.getB(),
                                  adaptor.getBStage(), /*group=*/Value());

    Value sum = adaptor.getAcc();
    bool fromZero = matchPattern(op.getAcc(), m_AnyZeroFloat()) ||
                    matchPattern(op.getAcc(), m_Zero());
    if (fromZero)
      sum = ub::PoisonOp::create(rewriter, loc, sum.getType());
    Accumulator acc(rewriter, loc, sum);
    SmallVector<Value> inputs;
    std::string instructions = "wgmma.fence.sync.aligned;\n";
    for (int64_t k = 0, size = op.getShapeA()[1]; k < size; k += atom.k) {
      instructions += getInstruction(op, acc.size(), inputs.size(),
                                     /*adds=*/!fromZero || k > 0);
      auto addDescriptor = [&](Value begin, const PanelOperand &panels) {
        inputs.push_back(arith::AddIOp::create(
            rewriter, loc, begin,
            arith::ConstantIntOp::create(rewriter, loc,
                                         panels.getOffset(0, k) / 16, 64)));
      };
      if (beginA)
        addDescriptor(beginA, a);
      else
        llvm::append_range(inputs, ArrayRef(fragments).slice(
                                       k / atom.k * kWordsOfA, kWordsOfA));
      addDescriptor(beginB, b);
    }
    std::string assembly =
        "{\n.reg .pred p, z;\nsetp.ne.b32 p, 1, 0;\nsetp.ne.b32 z, 0, 0;\n" +
        instructions + "wgmma.commit_group.sync.aligned;\n}";
    rewriter.replaceOp(op, acc.run(assembly, inputs));
    return success();
  }

private:
  /// The number of this group of four warps, as of the beginning of the kernel:
  /// LLVM moves no shuffle out of a loop.
  static Value emitGroup(OpBuilder &builder, MmaAsyncOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &op->getParentOfType<gpu::GPUFuncOp>().getBody().front());
    return arith::DivUIOp::create(builder, op.getLoc(),
                                  emitUniformWarp(builder, op.getLoc()),
                                  createI32(builder, op.getLoc(), kGroupWarps));
  }

  /// One instruction on all registers, of inputs from number `first` on, which
  /// adds to what the registers have or is all that they have then.
  static std::string getInstruction(MmaAsyncOp op, size_t numRegisters,
                                    size_t first, bool adds) {
    const MmaAtom &atom = *op.getAtom().getAtom();
    auto buffer = op.getBufferA();
    Type a = buffer ? buffer.getType().getElementType()
                    : getElementTypeOrSelf(op.getA());
    Type b = op.getB().getType().getElementType();
    Type sum = getElementTypeOrSelf(op.getAcc());
    std::string registers;
    for (size_t i = 0; i < numRegisters; ++i)
      registers += (i ? ", $" : "$") + std::to_string(i);
    // Whether to scale by 1 or -1, and whether to transpose.
    std::string modes;
    if (!a.isInteger())
      modes = ", 1, 1";
    if (buffer && (a.isF16() || a.isBF16()))
      modes += formatv(", {0}", int(op.getAOrder() == tile::Major::Column));
    if (a.isF16() || a.isBF16())
      modes += formatv(", {0}", int(op.getBOrder() == tile::Major::Row));
    size_t next = 2 * numRegisters + first;
    std::string operandA = formatv("${0}", next++);
    if (!buffer) {
      operandA = "{" + operandA;
      for (int64_t i = 1; i < kWordsOfA; ++i)
        operandA += formatv(", ${0}", next++);
      operandA += "}";
    }
    return formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2}.{3}.{4} "
                   "{{{5}}, {6}, ${7}, {8}{9};\n",
                   op.getShapeB()[1], atom.k, getPtxType(sum, false),
                   getPtxType(a, atom.isTf32), getPtxType(b, atom.isTf32),
                   registers, operandA, next, adds ? 'p' : 'z', modes);
  }
};

struct ConvertMmaWait : OpConversionPattern<MmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MmaWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Accumulator acc(rewriter, op.getLoc(), adaptor.getSource());
    // Until then the product reads A, if that is in registers: these must not
    // get anything else.
    SmallVector<Value> inputs;
    if (auto product = op.getSource().getDefiningOp<MmaAsyncOp>();
        product && !product.getBufferA())
      inputs = unpackWords(rewriter, op.getLoc(),
                           rewriter.getRemappedValue(product.getA()));
    rewriter.replaceOp(op, acc.run(formatv("wgmma.wait_group.sync.aligned {0};",
                                           op.getPending())
                                       .str(),
                                   inputs));
    return success();
  }
};

} // namespace

void to_gpu::populateThreadWarpgroupPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertMmaAsync, ConvertMmaWait>(converter,
                                                patterns.getContext());
}
