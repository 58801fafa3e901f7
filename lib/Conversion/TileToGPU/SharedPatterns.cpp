//===- SharedPatterns.cpp - Shared memory ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tile.alloc, local_store, local_load, barrier. An address is
//
//     (buffer + (thread ^ register)) + stage
//
// in bytes. What a thread and a register add is the inverse of the buffer's
// layout after that of the registers; what a register adds, and where a part of
// the tile begins, is a constant. Its bits that no lane and no warp has are
// added to the pointer, where instructions have a field for it, and the others
// need a pointer of their own. Where the target has ldmatrix or stmatrix and
// the layouts allow it, that is the address of a row of matrices that the warp
// moves together.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"
#include "SharedAccess.h"

#include "tileir/Conversion/TileLowering/PointerAccess.h"
#include "tileir/Layout/Shared/MatrixAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::to_gpu;

static constexpr unsigned kSharedSpace = 3;

Value to_gpu::emitShared(OpBuilder &builder, Location loc, Value offset) {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
  Value base = LLVM::AddressOfOp::create(builder, loc, space, kSharedMemory);
  return LLVM::GEPOp::create(builder, loc, space, builder.getI8Type(), base,
                             LLVM::GEPArg(offset));
}

namespace {

/// The accesses of a thread to a stage of a buffer.
class LocalAccess {
public:
  /// `buffer` is where the buffer begins, and `stageBegin` (null: 0) how far
  /// behind that the stage does, in bytes; `origin` is the element of the stage
  /// that the registers count from.
  LocalAccess(OpBuilder &builder, Location loc, const LinearLayout &registers,
              const LinearLayout &stage, Type element, Value buffer,
              Value stageBegin, uint64_t origin)
      : builder(builder), loc(loc), buffer(buffer), stageBegin(stageBegin) {
    unsigned bits = element.getIntOrFloatBitWidth();
    access = getWidestAccess(registers, stage, bits);
    alignment = access.vector * bits / 8;
    type = access.vector == 1
               ? element
               : VectorType::get(int64_t(access.vector), element);

    LinearLayout toPlace = *stage.invert(), places = registers.compose(toPlace);
    uint64_t bytes = bits / 8;
    begin = toPlace.getElementAt({{InDim::Offset, origin}}) * bytes;
    offsets = LinearLayout({int64_t(stage.getSize(InDim::Offset) * bytes)});
    for (InDim in : kInDims)
      for (uint64_t offset : places.getBases(in))
        offsets.addBasis(in, offset * bytes);
    threadBits = getThreadBits(offsets, 0);
    thread = emitThreadPart(builder, loc, offsets).front();
  }

  /// A vector that one access moves, or an element.
  Type getType() const { return type; }
  unsigned getAlignment() const { return alignment; }

  /// Goes through all accesses, but for those of registers that have a bit of
  /// `left`: a pointer, and the registers in the order of memory.
  void forEach(uint64_t left,
               function_ref<void(Value, ArrayRef<int64_t>)> visit) {
    for (unsigned bit : access.vectorBits)
      left |= uint64_t(1) << bit;
    for (uint64_t first = 0; first < offsets.getSize(InDim::Register);
         ++first) {
      if (first & left)
        continue;
      SmallVector<int64_t> registers{int64_t(first)};
      for (unsigned bit : access.vectorBits)
        for (size_t i = 0, size = registers.size(); i < size; ++i)
          registers.push_back(registers[i] | int64_t(1) << bit);
      visit(getPointer(begin ^ getRegisterPart(offsets, first).front()),
            registers);
    }
  }

private:
  Value createPointer(Value base, LLVM::GEPArg offset) {
    return LLVM::GEPOp::create(builder, loc, base.getType(),
                               builder.getI8Type(), base, offset);
  }

  /// Returns a pointer `constant` away from the access of register 0.
  Value getPointer(int32_t constant) {
    int32_t flipped = constant & threadBits;
    Value &pointer = pointers[flipped];
    if (!pointer) {
      Value offset = emitCombine(builder, loc, thread, flipped);
      offset = arith::AddIOp::create(builder, loc, buffer, offset);
      pointer = emitShared(builder, loc, offset);
      // Last, for in a loop all else stays the same.
      if (stageBegin)
        pointer = createPointer(pointer, stageBegin);
    }
    return constant == flipped ? pointer
                               : createPointer(pointer, constant ^ flipped);
  }

  OpBuilder &builder;
  Location loc;
  Value buffer, stageBegin, thread;
  SharedAccess access;
  unsigned alignment;
  Type type;
  /// In bytes, and the bits that depend on the thread.
  LinearLayout offsets;
  uint32_t threadBits = 0;
  /// Of register 0, without the thread.
  int32_t begin = 0;
  /// The pointers, by the bits that they flip of what the thread adds.
  llvm::SmallDenseMap<int32_t, Value> pointers;
};

} // namespace

/// Returns where in its buffer the stage that the indices choose begins; null
/// if there is one.
static Value emitStage(OpBuilder &builder, Location loc, BufferType type,
                       ValueRange indices, int64_t stageBytes) {
  Value number;
  for (auto [index, size] : llvm::zip(indices, type.getShape())) {
    Value next =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
    if (number)
      next = arith::AddIOp::create(
          builder, loc,
          arith::MulIOp::create(builder, loc, number,
                                createI32(builder, loc, size)),
          next);
    number = next;
  }
  if (!number)
    return {};
  return arith::MulIOp::create(builder, loc, number,
                               createI32(builder, loc, stageBytes));
}

/// The accesses of an op at `loc` to a buffer, for `registers` of the tile that
/// its stages hold, or of a part of it that begins at `offsets`.
static LocalAccess getAccess(OpBuilder &builder, Location loc, BufferType type,
                             Value buffer, ValueRange indices,
                             const LinearLayout &registers,
                             std::optional<ArrayRef<int64_t>> offsets = {}) {
  ArrayRef<int64_t> shape = type.getShape().drop_front(indices.size());
  LinearLayout stage = *getStageLayout(type, shape);
  Type element = type.getElementType();
  int64_t bytes =
      stage.getSize(InDim::Offset) * element.getIntOrFloatBitWidth() / 8;
  Value stageBegin = emitStage(builder, loc, type, indices, bytes);
  uint64_t origin =
      offsets ? stage.getElement(SmallVector<int32_t>(*offsets)) : 0;
  return LocalAccess(builder, loc, registers.embed(shape), stage, element,
                     buffer, stageBegin, origin);
}

/// Returns `first` with each set of `bits` added.
static SmallVector<int64_t> listNumbers(int64_t first,
                                        ArrayRef<unsigned> bits) {
  SmallVector<int64_t> numbers = {first};
  for (unsigned bit : bits)
    for (size_t i = 0, size = numbers.size(); i < size; ++i)
      numbers.push_back(numbers[i] | int64_t(1) << bit);
  return numbers;
}

/// Goes through the matrices that a warp moves together: the pointer to a row,
/// and for each matrix the registers of a word.
static void forEachMatrices(
    LocalAccess &rows, const MatrixAccess &matrices,
    function_ref<void(Value, ArrayRef<SmallVector<int64_t>>)> visit) {
  unsigned rowBits =
      matrices.rows.getNumBits(InDim::Register) - matrices.otherBits.size();
  SmallVector<int64_t> others = listNumbers(0, matrices.otherBits);
  rows.forEach(0, [&](Value pointer, ArrayRef<int64_t> inRow) {
    SmallVector<SmallVector<int64_t>> words;
    int64_t first = others[inRow.front() >> rowBits];
    for (int64_t inMatrix : listNumbers(first, matrices.matrixBits))
      words.push_back(listNumbers(inMatrix, matrices.wordBits));
    visit(pointer, words);
  });
}

static NVVM::MMALayout getMatrixOrder(const MatrixAccess &matrices) {
  return matrices.isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
}

/// Fills the registers of a tile by ldmatrix.
static void loadMatrices(OpBuilder &builder, LocalLoadOp op,
                         LocalLoadOpAdaptor adaptor,
                         const MatrixAccess &matrices,
                         MutableArrayRef<Value> loaded) {
  Location loc = op.getLoc();
  auto tile = cast<RankedTensorType>(op.getType());
  LocalAccess rows =
      getAccess(builder, loc, op.getBuffer().getType(), adaptor.getBuffer(),
                adaptor.getIndices(), matrices.rows, op.getOffsets());
  Type word = builder.getI32Type(), result = word;
  unsigned numMatrices = matrices.getNumMatrices();
  if (numMatrices > 1)
    result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(numMatrices, word));
  auto elements = VectorType::get(int64_t(1) << matrices.wordBits.size(),
                                  tile.getElementType());
  auto loadTogether = [&](Value pointer, ArrayRef<SmallVector<int64_t>> words) {
    Value read = NVVM::LdMatrixOp::create(
        builder, loc, result, pointer, numMatrices, getMatrixOrder(matrices),
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    for (auto [matrix, numbers] : llvm::enumerate(words)) {
      Value value = read;
      if (numMatrices > 1)
        value = LLVM::ExtractValueOp::create(builder, loc, read, matrix);
      value = vector::BroadcastOp::create(builder, loc,
                                          VectorType::get(1, word), value);
      value = vector::BitCastOp::create(builder, loc, elements, value);
      for (auto [position, number] : llvm::enumerate(numbers))
        loaded[number] =
            vector::ExtractOp::create(builder, loc, value, position);
    }
  };
  forEachMatrices(rows, matrices, loadTogether);
}

/// Stores the registers of a tile by stmatrix.
static void storeMatrices(OpBuilder &builder, LocalStoreOp op,
                          LocalStoreOpAdaptor adaptor,
                          const MatrixAccess &matrices) {
  Location loc = op.getLoc();
  LocalAccess rows =
      getAccess(builder, loc, op.getBuffer().getType(), adaptor.getBuffer(),
                adaptor.getIndices(), matrices.rows);
  auto word = VectorType::get(1, builder.getI32Type());
  auto storeTogether = [&](Value pointer,
                           ArrayRef<SmallVector<int64_t>> words) {
    SmallVector<Value> stored;
    for (ArrayRef<int64_t> numbers : words) {
      Value value = pickRegisters(builder, loc, adaptor.getValue(), numbers);
      value = vector::BitCastOp::create(builder, loc, word, value);
      stored.push_back(vector::ExtractOp::create(builder, loc, value, 0));
    }
    NVVM::StMatrixOp::create(
        builder, loc, pointer, stored, getMatrixOrder(matrices),
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
  };
  forEachMatrices(rows, matrices, storeTogether);
}

void to_gpu::forEachSharedAccess(
    OpBuilder &builder, Location loc, const SharedPlace &place,
    function_ref<void(Value, ArrayRef<int64_t>)> visit) {
  LinearLayout layout = getTileLayout(place.tile);
  getAccess(builder, loc, place.type, place.buffer, place.stages, layout)
      .forEach(layout.getFreeBits(InDim::Register), visit);
}

namespace {

struct ConvertAlloc : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, createI32(rewriter, op.getLoc(), *op.getOffset()));
    return success();
  }
};

struct ConvertLocalStore : OpConversionPattern<LocalStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LocalStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType tile = op.getValue().getType();
    LinearLayout layout = getTileLayout(tile);
    Value value = adaptor.getValue();
    // Of several copies, only one is stored: others would race with it.
    if (Value isFirst = emitIsFirst(rewriter, loc, layout)) {
      auto guard = scf::IfOp::create(rewriter, loc, isFirst);
      rewriter.setInsertionPoint(guard.thenYield());
    }
    TargetAttr target = TargetAttr::find(op);
    if (target && target.getStmatrix())
      if (auto matrices = findMatrixStore(
              layout,
              *getStageLayout(op.getBuffer().getType(), tile.getShape()),
              tile.getElementTypeBitWidth())) {
        storeMatrices(rewriter, op, adaptor, *matrices);
        rewriter.eraseOp(op);
        return success();
      }
    LocalAccess access =
        getAccess(rewriter, loc, op.getBuffer().getType(), adaptor.getBuffer(),
                  adaptor.getIndices(), layout);
    access.forEach(layout.getFreeBits(InDim::Register),
                   [&](Value pointer, ArrayRef<int64_t> registers) {
                     Value stored =
                         registers.size() == 1
                             ? rewriter.createOrFold<vector::ExtractOp>(
                                   loc, value, registers.front())
                             : pickRegisters(rewriter, loc, value, registers);
                     tile_lowering::createStore(rewriter, loc, stored, pointer,
                                                access.getAlignment());
                   });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertLocalLoad : OpConversionPattern<LocalLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LocalLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto tile = cast<RankedTensorType>(op.getType());
    LinearLayout layout = getTileLayout(tile);
    SmallVector<Value> loaded(getNumRegisters(tile));
    TargetAttr target = TargetAttr::find(op);
    if (target && target.getLdmatrix())
      if (auto matrices = findMatrixAccess(
              layout.embed(op.getStageShape()),
              *getStageLayout(op.getBuffer().getType(), op.getStageShape()),
              tile.getElementTypeBitWidth())) {
        loadMatrices(rewriter, op, adaptor, *matrices, loaded);
        rewriter.replaceOp(op, packRegisters(rewriter, loc, loaded));
        return success();
      }
    LocalAccess access =
        getAccess(rewriter, loc, op.getBuffer().getType(), adaptor.getBuffer(),
                  adaptor.getIndices(), layout, op.getOffsets());
    access.forEach(0, [&](Value pointer, ArrayRef<int64_t> registers) {
      Value value = tile_lowering::createLoad(rewriter, loc, access.getType(),
                                              pointer, access.getAlignment());
      if (registers.size() == 1)
        loaded[registers.front()] = value;
      else
        for (auto [number, element] :
             llvm::zip_equal(registers, unpackRegisters(rewriter, loc, value)))
          loaded[number] = element;
    });
    rewriter.replaceOp(op, packRegisters(rewriter, loc, loaded));
    return success();
  }
};

struct ConvertBarrier : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<gpu::BarrierOp>(op);
    return success();
  }
};

} // namespace

void to_gpu::populateThreadSharedPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns
      .add<ConvertAlloc, ConvertLocalStore, ConvertLocalLoad, ConvertBarrier>(
          converter, patterns.getContext());
}
