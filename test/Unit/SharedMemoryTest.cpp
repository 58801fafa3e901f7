//===- SharedMemoryTest.cpp - Tests of places and barriers ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels thread by thread, as far as shared memory goes: which thread
// touches which byte, between which barriers. Two accesses of different threads
// to one byte without a barrier in between, of which one writes, are a race;
// and a tile that is not read as it was written has been overwritten by another
// buffer. The passes are right if neither happens, whichever way branches and
// loops go, and if no barrier can be left out.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;

//===----------------------------------------------------------------------===//
// Running a kernel
//===----------------------------------------------------------------------===//

namespace {

/// A block of up to 64 threads.
class Machine {
public:
  /// Branches and the numbers of iterations are drawn.
  void run(func::FuncOp kernel, unsigned seed) {
    random.seed(seed);
    values.clear();
    memory.clear();
    expected.clear();
    numRaces = numOverwritten = numWrites = 0;
    run(kernel.getBody().front());
  }

  unsigned numRaces = 0, numOverwritten = 0;

private:
  void run(Block &block);
  void run(Operation &op);
  void runLoop(scf::ForOp loop);
  void access(Value buffer, ValueRange indices, RankedTensorType tile,
              bool isWrite);
  int64_t evaluate(Value value);
  ArrayRef<int64_t> getOffsets(AllocOp alloc);
  ArrayRef<std::pair<unsigned, uint64_t>> getElements(RankedTensorType tile);

  /// A write and the element that it wrote.
  using Content = std::pair<unsigned, uint64_t>;
  struct Byte {
    uint64_t readers = 0, writers = 0; // threads, since the last barrier
    Content content = {0, 0};
  };
  std::mt19937 random;
  llvm::DenseMap<Value, int64_t> values;
  std::vector<Byte> memory;
  /// What each element of each buffer should be.
  llvm::DenseMap<Operation *, std::vector<Content>> expected;
  unsigned numWrites = 0;

  llvm::DenseMap<Operation *, std::vector<int64_t>> offsets;
  llvm::DenseMap<Type, std::vector<std::pair<unsigned, uint64_t>>> elements;
};

} // namespace

/// The offset of each element of a buffer.
ArrayRef<int64_t> Machine::getOffsets(AllocOp alloc) {
  std::vector<int64_t> &result = offsets[alloc];
  if (!result.empty())
    return result;
  BufferType type = alloc.getBuffer().getType();
  uint64_t count = 1;
  for (int64_t size : type.getShape())
    count *= size;
  result.resize(count);
  std::iota(result.begin(), result.end(), 0);
  LayoutAttr layout = type.getLayout();
  if (!layout)
    return result;
  // The layout is that of each stage.
  auto stage = layout.getLayout(type.getShape().take_back(layout.getRank()));
  uint64_t size = stage.getSize(InDim::Offset);
  for (uint64_t i = 0; i < count; ++i)
    result[i / size * size + stage.getElementAt({{InDim::Offset, i % size}})] =
        i;
  return result;
}

/// The threads that have elements, and these.
ArrayRef<std::pair<unsigned, uint64_t>>
Machine::getElements(RankedTensorType tile) {
  auto &result = elements[tile];
  if (!result.empty())
    return result;
  auto layout = cast<LayoutAttr>(tile.getEncoding()).getLayout(tile.getShape());
  for (uint64_t warp = 0; warp < layout.getSize(InDim::Warp); ++warp)
    for (uint64_t lane = 0; lane < layout.getSize(InDim::Lane); ++lane)
      for (uint64_t r = 0; r < layout.getSize(InDim::Register); ++r)
        result.emplace_back(warp * 32 + lane,
                            layout.getElementAt({{InDim::Register, r},
                                                 {InDim::Lane, lane},
                                                 {InDim::Warp, warp}}));
  return result;
}

int64_t Machine::evaluate(Value value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  EXPECT_TRUE(op && op->getNumOperands() == 2) << "not an index";
  int64_t lhs = evaluate(op->getOperand(0)), rhs = evaluate(op->getOperand(1));
  if (isa<arith::AndIOp>(op))
    return lhs & rhs;
  EXPECT_TRUE(isa<arith::XOrIOp>(op));
  return lhs ^ rhs;
}

void Machine::access(Value buffer, ValueRange indices, RankedTensorType tile,
                     bool isWrite) {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  BufferType type = alloc.getBuffer().getType();
  uint64_t first = 0; // element of the buffer
  for (auto [index, size] : llvm::zip(indices, type.getShape()))
    first = first * size + evaluate(index);
  first *= tile.getNumElements();
  ArrayRef<int64_t> places = getOffsets(alloc);
  std::vector<Content> &contents = expected[alloc];
  contents.resize(places.size());
  int64_t size = type.getElementType().getIntOrFloatBitWidth() / 8;
  memory.resize(std::max<size_t>(memory.size(),
                                 *alloc.getOffset() + places.size() * size));
  auto forEachByte = [&](auto visit) {
    for (auto [thread, element] : getElements(tile)) {
      int64_t begin = *alloc.getOffset() + places[first + element] * size;
      for (int64_t at = begin; at < begin + size; ++at)
        visit(memory[at], uint64_t(1) << thread, contents[first + element],
              Content(numWrites, element));
    }
  };
  // Threads that hold copies write the same at the same time.
  numWrites += isWrite;
  forEachByte([&](Byte &byte, uint64_t thread, Content &content, Content) {
    uint64_t others = byte.writers | (isWrite ? byte.readers : 0);
    numRaces += (others & ~thread) != 0;
    if (!isWrite && content.first)
      numOverwritten += byte.content != content;
  });
  forEachByte([&](Byte &byte, uint64_t thread, Content &content, Content now) {
    (isWrite ? byte.writers : byte.readers) |= thread;
    if (isWrite)
      byte.content = content = now;
  });
}

void Machine::runLoop(scf::ForOp loop) {
  unsigned numIterations = random() % 5;
  SmallVector<int64_t> carried;
  for (Value init : loop.getInitArgs())
    carried.push_back(init.getType().isIndex() ? evaluate(init) : 0);
  for (unsigned i = 0; i < numIterations; ++i) {
    values[loop.getInductionVar()] = i;
    for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), carried))
      values[argument] = value;
    run(*loop.getBody());
    for (auto [yielded, value] : llvm::zip(loop.getYieldedValues(), carried))
      value = yielded.getType().isIndex() ? evaluate(yielded) : 0;
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), carried))
    values[result] = value;
}

void Machine::run(Operation &op) {
  if (auto store = dyn_cast<LocalStoreOp>(op))
    return access(store.getBuffer(), store.getIndices(),
                  cast<RankedTensorType>(store.getValue().getType()),
                  /*isWrite=*/true);
  if (auto load = dyn_cast<LocalLoadOp>(op))
    return access(load.getBuffer(), load.getIndices(),
                  cast<RankedTensorType>(load.getType()), /*isWrite=*/false);
  if (isa<BarrierOp>(op))
    for (Byte &byte : memory)
      byte.readers = byte.writers = 0;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Region &taken =
        random() % 2 ? branch.getThenRegion() : branch.getElseRegion();
    if (!taken.empty())
      run(taken.front());
  }
}

void Machine::run(Block &block) {
  for (Operation &op : block)
    run(op);
}

//===----------------------------------------------------------------------===//
// Passes on kernels
//===----------------------------------------------------------------------===//

namespace {

class SharedMemory : public testing::Test {
protected:
  SharedMemory() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect, scf::SCFDialect, TileDialect>();
  }

  /// The kernel of `text`, after tile-promote-shared, tile-allocate-shared and
  /// tile-insert-barriers.
  func::FuncOp lower(const std::string &text, unsigned stages = 1) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << text;
      return {};
    }
    PassManager passes(&context);
    layout::TileConfig config;
    config.stages = stages;
    for (auto kernel : module->getOps<func::FuncOp>())
      kernel->setAttr(TileDialect::kConfig, ConfigAttr::get(&context, config));
    passes.addPass(createTilePromoteSharedPass());
    TileAllocateSharedPassOptions allocate;
    allocate.shareAbove = 0;
    passes.addPass(createTileAllocateSharedPass(allocate));
    passes.addPass(createTileInsertBarriersPass());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return *module->getOps<func::FuncOp>().begin();
  }

  static SmallVector<BarrierOp> getBarriers(Operation *op) {
    SmallVector<BarrierOp> barriers;
    op->walk([&](BarrierOp barrier) { barriers.push_back(barrier); });
    return barriers;
  }

  /// Whether some way through the kernel has a race.
  static bool hasRace(func::FuncOp kernel) {
    Machine machine;
    for (unsigned seed = 0; seed < 40; ++seed) {
      machine.run(kernel, seed);
      EXPECT_EQ(machine.numOverwritten, 0u);
      if (machine.numRaces)
        return true;
    }
    return false;
  }

  /// How many barriers can be left out, one at a time.
  static unsigned countNeedless(func::FuncOp kernel) {
    unsigned count = 0;
    for (BarrierOp barrier : getBarriers(kernel)) {
      Operation *next = barrier->getNextNode();
      barrier->remove();
      count += !hasRace(kernel);
      next->getBlock()->getOperations().insert(Block::iterator(next), barrier);
    }
    return count;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

/// A product in steps; an operand goes through shared memory in one step, and
/// is read by other warps.
static const char *const kProduct = R"(
#rows = #tile.layout<blocked shape = [16, 16], register = [1, 4], lane = [8, 4], warp = [2, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [16, 16], register = [4, 1], lane = [4, 8], warp = [1, 2], order = [0, 1]>
func.func @kernel(%a: memref<16x16xf32>, %n: index) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #columns>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x16xf32, #columns> {
    %x = tile.load_view %a[%k, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #rows>
    %y = tile.load_view %a[%c0, %k] : memref<16x16xf32> -> tensor<16x16xf32, #rows>
    %u = tile.convert_layout %x : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #columns>
    %v = tile.convert_layout %y : tensor<16x16xf32, #rows> -> tensor<16x16xf32, #columns>
    %p = arith.mulf %u, %v : tensor<16x16xf32, #columns>
    %sum = arith.addf %acc, %p : tensor<16x16xf32, #columns>
    scf.yield %sum : tensor<16x16xf32, #columns>
  }
  %out = tile.convert_layout %r : tensor<16x16xf32, #columns> -> tensor<16x16xf32, #rows>
  tile.store_view %out, %a[%c0, %c0] : tensor<16x16xf32, #rows>, memref<16x16xf32>
  return
})";

TEST_F(SharedMemory, AStepOfAProductHasTwoBarriersWithOneBuffer) {
  func::FuncOp kernel = lower(kProduct);
  scf::ForOp loop = *kernel.getOps<scf::ForOp>().begin();
  EXPECT_EQ(getBarriers(loop).size(), 2u);
  EXPECT_EQ(getBarriers(kernel).size(), 4u);
  EXPECT_FALSE(hasRace(kernel));
  EXPECT_EQ(countNeedless(kernel), 0u);
}

TEST_F(SharedMemory, AStepOfAProductHasOneBarrierWithTwoBuffers) {
  func::FuncOp kernel = lower(kProduct, /*stages=*/2);
  scf::ForOp loop = *kernel.getOps<scf::ForOp>().begin();
  EXPECT_EQ(getBarriers(loop).size(), 1u);
  EXPECT_EQ(getBarriers(kernel).size(), 3u);
  EXPECT_FALSE(hasRace(kernel));
  EXPECT_EQ(countNeedless(kernel), 0u);
}

//===----------------------------------------------------------------------===//
// Kernels at random
//===----------------------------------------------------------------------===//

namespace {

/// Writes kernels of stores and loads in loops and branches.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string make() {
    text = R"(
#l0 = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]]>
#l1 = #tile.layout<register = [], lane = [[1], [2], [4], [8], [32]], warp = [[16]]>
#l2 = #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
func.func @kernel(%p: i1, %n: index) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = arith.constant dense<1> : tensor<64xi8, #l0>
  %x1 = arith.constant dense<1> : tensor<64xi8, #l1>
  %x2 = arith.constant dense<1> : tensor<64xi8, #l2>
)";
    for (unsigned i = 0; i < kNumBuffers; ++i)
      text +=
          "  %b" + std::to_string(i) + " = tile.alloc : " + getType(i) + "\n";
    SmallVector<std::string> indices = {"%c0", "%c1"};
    makeBlock(indices, /*depth=*/0);
    return text + "  return\n}\n";
  }

private:
  static constexpr unsigned kNumBuffers = 4;
  static bool isStaged(unsigned buffer) { return buffer % 2; }
  static std::string getType(unsigned buffer) {
    return isStaged(buffer) ? "!tile.buffer<2x64xi8>" : "!tile.buffer<64xi8>";
  }
  unsigned draw(unsigned count) { return random() % count; }
  std::string fresh() { return "%v" + std::to_string(number++); }

  void makeBlock(SmallVector<std::string> indices, unsigned depth) {
    for (unsigned i = 0, e = 1 + draw(6); i < e; ++i)
      if (unsigned kind = draw(8); depth < 3 && kind == 0)
        makeIf(indices, depth);
      else if (depth < 3 && kind <= 2)
        makeLoop(indices, depth);
      else if (kind == 3)
        makeIndex(indices);
      else
        makeAccess(indices);
  }

  void makeAccess(ArrayRef<std::string> indices) {
    unsigned buffer = draw(kNumBuffers);
    std::string layout = std::to_string(draw(3)),
                tile = "tensor<64xi8, #l" + layout + ">",
                place = "%b" + std::to_string(buffer);
    if (isStaged(buffer))
      place += "[" + indices[draw(indices.size())] + "]";
    if (draw(2))
      text += "tile.local_store %x" + layout + ", " + place + " : " + tile +
              ", " + getType(buffer) + "\n";
    else
      text += fresh() + " = tile.local_load " + place + " : " +
              getType(buffer) + " -> " + tile + "\n";
  }

  void makeIndex(SmallVector<std::string> &indices) {
    std::string name = fresh();
    text += name + " = arith." + (draw(4) ? "xori " : "andi ") +
            indices[draw(indices.size())] + ", %c1 : index\n";
    indices.push_back(name);
  }

  void makeIf(ArrayRef<std::string> indices, unsigned depth) {
    text += "scf.if %p {\n";
    makeBlock(SmallVector<std::string>(indices), depth + 1);
    if (draw(2)) {
      text += "} else {\n";
      makeBlock(SmallVector<std::string>(indices), depth + 1);
    }
    text += "}\n";
  }

  void makeLoop(SmallVector<std::string> &indices, unsigned depth) {
    std::string result = fresh(), variable = fresh(), first = fresh(),
                second = fresh(), parity = fresh(), next = fresh();
    text += result + ":2 = scf.for " + variable +
            " = %c0 to %n step %c1 iter_args(" + first + " = " +
            indices[draw(indices.size())] + ", " + second + " = " +
            indices[draw(indices.size())] + ") -> (index, index) {\n" + parity +
            " = arith.andi " + variable + ", %c1 : index\n" + next +
            " = arith.xori " + first + ", %c1 : index\n";
    SmallVector<std::string> inside(indices);
    llvm::append_range(inside, std::vector{first, second, parity, next});
    makeBlock(inside, depth + 1);
    text += "scf.yield " + (draw(4) ? next : inside[draw(inside.size())]) +
            ", " + inside[draw(inside.size())] + " : index, index\n}\n";
    indices.push_back(result + "#" + std::to_string(draw(2)));
  }

  std::mt19937 random;
  std::string text;
  unsigned number = 0;
};

} // namespace

TEST_F(SharedMemory, RandomKernelsHaveNoRaces) {
  unsigned numShared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    func::FuncOp kernel = lower(Generator(seed).make());
    ASSERT_TRUE(kernel);
    if (hasRace(kernel) || HasFailure()) {
      kernel.dump();
      FAIL() << "seed " << seed;
    }
    auto bytes = kernel->getAttrOfType<IntegerAttr>(TileDialect::kSharedBytes);
    numShared += bytes.getInt() < 2 * 64 + 2 * 128; // of all buffers
  }
  EXPECT_GT(numShared, 200u);
}

// Some barriers are for bytes of which the pass does not know that nobody wrote
// them.
TEST_F(SharedMemory, MostBarriersOfRandomKernelsAreNeeded) {
  unsigned numBarriers = 0, numNeedless = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    func::FuncOp kernel = lower(Generator(seed).make());
    ASSERT_TRUE(kernel);
    numBarriers += getBarriers(kernel).size();
    numNeedless += countNeedless(kernel);
  }
  EXPECT_GT(numBarriers, 1000u);
  EXPECT_LT(numNeedless * 10, numBarriers);
  RecordProperty("barriers", int(numBarriers));
  RecordProperty("needless", int(numNeedless));
}
