//===- TileWarpSpecialize.cpp - tile-warp-specialize ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs a kernel without layouts whose only loop of products loads both
// operands. Afterwards two roles have its body: the first one all of it, with
// waits instead of loads; the second one the loads alone, as copies, and what
// says where they are. That is left before the roles, or, in the loop, is
// computed by both.
//
// The second role runs ahead of all that the first one does, so nothing that
// comes before the last load may write what is loaded.
//
//===----------------------------------------------------------------------===//

#include "RunAhead.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEWARPSPECIALIZEPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using llvm::formatv;

/// A warpgroup has 64 rows of the sum; the copies have a group of their own.
static constexpr int64_t kGroupRows = 64, kGroupWarps = 4, kMaxGroups = 2;
/// What the copies need, and the most that a thread may ask for.
static constexpr int64_t kCopyRegisters = 24, kMaxRegisters = 240;
static constexpr int64_t kMinRunBytes = 16;

namespace {
/// An operand of the product, as the loop loads it.
struct LoadedOperand {
  LoadViewOp load;
  Major order = Major::Row; ///< column: what is loaded is its transpose
  AllocOp buffer;

  int64_t getNumBytes() {
    auto tile = cast<RankedTensorType>(load.getType());
    return tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
  }
};

/// A kernel that is divided, or the reason why it is not.
class Specialization {
public:
  Specialization(func::FuncOp kernel, scf::ForOp loop, DotOp dot)
      : kernel(kernel), loop(loop), dot(dot), stages(getConfig(kernel).stages) {
  }

  /// The failure reason; empty if the kernel can be divided.
  std::string check();
  void apply(RewriterBase &rewriter);

  int64_t getStages() const { return stages; }
  int64_t getNumBytes() { return stages * (a.getNumBytes() + b.getNumBytes()); }

private:
  std::string checkOperand(Value value, layout::Matrix matrix,
                           LoadedOperand &operand);
  std::string checkAtom();
  std::string checkAddresses();
  std::string checkWrites();
  RolesOp createRoles(RewriterBase &rewriter);
  void fillCopies(RewriterBase &rewriter, Region &role);
  void fillProducts(RewriterBase &rewriter, Region &role);

  func::FuncOp kernel;
  scf::ForOp loop;
  DotOp dot;
  int64_t stages, groups = 0;
  LoadedOperand a, b;
  const layout::MmaAtom *atom = nullptr;
  /// What the loads depend on: in the loop, and before it.
  llvm::SetVector<Operation *> inside, before;
  ChannelOp channel;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which kernels
//===----------------------------------------------------------------------===//

std::string Specialization::checkOperand(Value value, layout::Matrix matrix,
                                         LoadedOperand &operand) {
  StringRef name = matrix == layout::Matrix::A ? "a" : "b";
  if (auto trans = value.getDefiningOp<TransOp>(); trans && value.hasOneUse()) {
    operand.order = Major::Column; // of two axes there is no other order
    value = trans.getSource();
  }
  operand.load = value.getDefiningOp<LoadViewOp>();
  if (!operand.load || operand.load->getBlock() != loop.getBody() ||
      !value.hasOneUse())
    return formatv("operand '{0}' of the product is not only loaded for it, by "
                   "a tile.load_view of the loop",
                   name);
  auto memref = cast<MemRefType>(operand.load.getMemref().getType());
  auto tile = cast<RankedTensorType>(value.getType());
  if (!memref.getLayout().isIdentity())
    return formatv("operand '{0}' is not of a memref in row-major order", name);
  if (auto axes = operand.load.getAxes();
      axes && axes->back() != memref.getRank() - 1)
    return formatv("no axis of operand '{0}' is the last one of its memref",
                   name);
  if (int64_t bytes =
          tile.getShape().back() * tile.getElementTypeBitWidth() / 8;
      bytes % kMinRunBytes != 0)
    return formatv("rows of operand '{0}' in memory have {1} bytes, and a bulk "
                   "copy moves multiples of {2}",
                   name, bytes, kMinRunBytes);
  auto scalar = getScalar(tile.getElementType());
  if (!isSharedOperand(
          *atom, {matrix, *scalar, static_cast<layout::Major>(operand.order)}))
    return formatv("{0} takes operand '{1}' in the other order only",
                   atom->name, name);
  return "";
}

std::string Specialization::checkAtom() {
  auto acc = cast<RankedTensorType>(dot.getType());
  if (acc.getRank() != 2)
    return "the product has batches";
  SmallVector<const layout::MmaAtom *> groupAtoms;
  for (const layout::MmaAtom &entry : layout::getAtoms())
    if (entry.isWarpgroup)
      groupAtoms.push_back(&entry);
  std::string reason;
  auto selected =
      selectAtoms(groupAtoms, getElementTypeOrSelf(dot.getA()),
                  getElementTypeOrSelf(dot.getB()), acc.getElementType(),
                  dot.isTF32(), reason, /*ofWarpgroups=*/true);
  if (selected.empty())
    return reason;
  atom = selected.front();
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1);
  int64_t k = cast<RankedTensorType>(dot.getA().getType()).getDimSize(1);
  groups = m / kGroupRows;
  if (m % kGroupRows != 0 || !llvm::isPowerOf2_64(m) || groups > kMaxGroups ||
      n < 8 || n > 256 || !llvm::isPowerOf2_64(n) || k % atom->k != 0)
    return formatv("a product of {0} x {1} x {2}: expected M of 64 or 128, N a "
                   "power of two from 8 to 256, K a multiple of {3}",
                   m, n, k, atom->k);
  return "";
}

/// Where the loads are must not depend on what the kernel loads or computes in
/// tiles.
std::string Specialization::checkAddresses() {
  auto checkOp = [](Operation *op) -> std::string {
    if (isa<AssumeOp>(op) ||
        (isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>)))
      return "";
    return formatv("where the operands are depends on '{0}'",
                   op->getName().getStringRef());
  };
  inside = getSources(loop, {a.load, b.load}, /*isCarried=*/true);
  SetVector<Value> values;
  for (Operation *op : inside) {
    values.insert(op->operand_begin(), op->operand_end());
    if (op == a.load || op == b.load)
      continue;
    if (std::string reason = checkOp(op); !reason.empty())
      return reason;
  }
  values.insert(loop.getLowerBound());
  values.insert(loop.getUpperBound());
  values.insert(loop.getStep());
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (OpOperand *init = argument.getOwner() == loop.getBody()
                                ? loop.getTiedLoopInit(argument)
                                : nullptr)
        values.insert(init->get());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != loop->getBlock())
      continue; // in the loop
    if (std::string reason = checkOp(op); !reason.empty())
      return reason;
    before.insert(op);
    values.insert(op->operand_begin(), op->operand_end());
  }
  return "";
}

std::string Specialization::checkWrites() {
  Operation *writer = nullptr;
  for (Operation &op : *loop->getBlock()) {
    op.walk([&](Operation *inner) {
      if (!writer && mayWrite(inner))
        writer = inner;
    });
    if (&op == loop.getOperation())
      break;
  }
  if (!writer)
    return "";
  return formatv("'{0}' may write what is loaded",
                 writer->getName().getStringRef());
}

std::string Specialization::check() {
  if (loop->getBlock() != &kernel.front() || !kernel.getBody().hasOneBlock())
    return "the loop is within others";
  auto acc = dyn_cast<BlockArgument>(dot.getAcc());
  OpOperand *carried =
      acc && acc.getOwner() == loop.getBody() && acc != loop.getInductionVar()
          ? loop.getTiedLoopYieldedValue(acc)
          : nullptr;
  if (!carried || carried->get() != dot.getResult() ||
      !dot.getResult().hasOneUse() || !acc.hasOneUse())
    return "the product does not only add to a sum that the loop carries";
  std::string reason = checkAtom();
  if (reason.empty())
    reason = checkOperand(dot.getA(), layout::Matrix::A, a);
  if (reason.empty())
    reason = checkOperand(dot.getB(), layout::Matrix::B, b);
  if (reason.empty())
    reason = checkAddresses();
  if (reason.empty())
    reason = checkWrites();
  if (!reason.empty())
    return reason;
  TargetAttr target = TargetAttr::find(kernel);
  if (target && getNumBytes() > target.getShared())
    return formatv("{0} stages take {1} bytes of shared memory, the chip has "
                   "{2}",
                   stages, getNumBytes(), target.getShared());
  return "";
}

//===----------------------------------------------------------------------===//
// The roles
//===----------------------------------------------------------------------===//

/// Makes the roles, with empty regions, at the end of the kernel.
RolesOp Specialization::createRoles(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(kernel.front().getTerminator());
  for (LoadedOperand *operand : {&a, &b}) {
    auto tile = cast<RankedTensorType>(operand->load.getType());
    SmallVector<int64_t> shape = {stages};
    llvm::append_range(shape, tile.getShape());
    operand->buffer =
        AllocOp::create(rewriter, operand->load.getLoc(),
                        BufferType::get(rewriter.getContext(), shape,
                                        tile.getElementType(), LayoutAttr()),
                        IntegerAttr());
  }
  channel =
      ChannelOp::create(rewriter, loc, ChannelType::get(rewriter.getContext()),
                        rewriter.getI64IntegerAttr(stages), IntegerAttr());
  DenseI64ArrayAttr registers;
  if (groups > 1) {
    int64_t share =
        llvm::alignDown(uint64_t(65536 / ((groups + 1) * kGroupWarps * 32)), 8);
    int64_t rest = (share * (groups + 1) - kCopyRegisters) / groups;
    registers = rewriter.getDenseI64ArrayAttr(
        {std::min<int64_t>(kMaxRegisters, llvm::alignDown(uint64_t(rest), 8)),
         kCopyRegisters});
  }
  auto roles = RolesOp::create(
      rewriter, loc,
      rewriter.getDenseI64ArrayAttr({groups * kGroupWarps, kGroupWarps}),
      registers, /*rolesCount=*/2);
  for (Region &role : roles.getRoles()) {
    rewriter.createBlock(&role);
    EndRoleOp::create(rewriter, loc);
  }
  return roles;
}

/// The loop over iterations of the channel that begins the copies.
void Specialization::fillCopies(RewriterBase &rewriter, Region &role) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPointToStart(&role.front());
  // What is carried to say where the loads are.
  SmallVector<BlockArgument> carried;
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (llvm::any_of(argument.getUsers(),
                     [&](Operation *user) { return inside.contains(user); }))
      carried.push_back(argument);
  SmallVector<Value> inits;
  for (BlockArgument argument : carried)
    inits.push_back(loop.getTiedLoopInit(argument)->get());
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  inits.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
  auto copies =
      scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits,
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  if (!copies.getBody()->empty())
    rewriter.eraseOp(copies.getBody()->getTerminator());
  rewriter.setInsertionPointToStart(copies.getBody());

  IRMapping mapping;
  mapping.map(loop.getInductionVar(), copies.getInductionVar());
  for (auto [from, to] : llvm::zip(carried, copies.getRegionIterArgs()))
    mapping.map(from, to);
  Value number = copies.getRegionIterArgs().back();
  auto acquire = ChannelAcquireOp::create(
      rewriter, loc, rewriter.getIndexType(), channel, number,
      rewriter.getI64IntegerAttr(a.getNumBytes() + b.getNumBytes()));
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!inside.contains(&op))
      continue;
    if (&op != a.load && &op != b.load) {
      rewriter.clone(op, mapping);
      continue;
    }
    LoadedOperand &operand = &op == a.load ? a : b;
    auto indices =
        llvm::map_to_vector(operand.load.getIndices(), [&](Value index) {
          return mapping.lookupOrDefault(index);
        });
    BulkLoadOp::create(rewriter, op.getLoc(), operand.load.getMemref(), indices,
                       operand.buffer, acquire.getStage(), channel,
                       operand.load.getAxesAttr());
  }
  SmallVector<Value> yielded;
  for (BlockArgument argument : carried)
    yielded.push_back(
        mapping.lookupOrDefault(loop.getTiedLoopYieldedValue(argument)->get()));
  yielded.push_back(arith::AddIOp::create(rewriter, loc, number, one));
  scf::YieldOp::create(rewriter, loc, yielded);
}

/// All of the kernel but what both roles need.
void Specialization::fillProducts(RewriterBase &rewriter, Region &role) {
  Operation *end = role.front().getTerminator();
  RolesOp roles = cast<RolesOp>(role.getParentOp());
  for (Operation &op :
       llvm::make_early_inc_range(kernel.front().without_terminator())) {
    bool isOfRoles =
        &op == roles || &op == channel || &op == a.buffer || &op == b.buffer;
    if (!isOfRoles && !before.contains(&op))
      rewriter.moveOpBefore(&op, end);
  }

  Location loc = dot.getLoc();
  rewriter.setInsertionPoint(loop);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  unsigned sum = cast<BlockArgument>(dot.getAcc()).getArgNumber() - 1;
  BlockArgument number;
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> added) {
        number = added.back();
        return SmallVector<Value>{
            arith::AddIOp::create(builder, loc, number, one)};
      }));

  // With one stage nothing can be on its way when the next copy begins.
  bool overlaps = stages > 1;
  rewriter.setInsertionPoint(dot);
  auto wait = ChannelWaitOp::create(rewriter, loc, rewriter.getIndexType(),
                                    channel, number);
  auto product = MmaAsyncOp::create(
      rewriter, loc, dot.getType(), a.buffer, wait.getStage(), a.order,
      b.buffer, wait.getStage(), b.order, dot.getAcc(),
      MmaAtomAttr::get(rewriter.getContext(), atom));
  auto arrived = MmaWaitOp::create(rewriter, loc, dot.getType(), product,
                                   uint64_t(overlaps ? 1 : 0));
  Value released = number;
  if (overlaps)
    released = arith::SubIOp::create(rewriter, loc, number, one);
  ChannelReleaseOp::create(rewriter, loc, channel, released);
  Value operands[] = {dot.getA(), dot.getB()};
  rewriter.replaceOp(dot, arrived);
  for (Value operand : operands)
    if (auto trans = operand.getDefiningOp<TransOp>())
      rewriter.eraseOp(trans);
  rewriter.eraseOp(a.load);
  rewriter.eraseOp(b.load);

  Value result = loop.getResult(sum);
  rewriter.setInsertionPointAfter(loop);
  auto all =
      MmaWaitOp::create(rewriter, loc, result.getType(), result, uint64_t(0));
  rewriter.replaceAllUsesExcept(result, all, all);
}

void Specialization::apply(RewriterBase &rewriter) {
  RolesOp roles = createRoles(rewriter);
  fillCopies(rewriter, roles.getRoles()[1]);
  fillProducts(rewriter, roles.getRoles()[0]);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileWarpSpecializePass
    : tileir::tile::impl::TileWarpSpecializePassBase<TileWarpSpecializePass> {
  using TileWarpSpecializePassBase::TileWarpSpecializePassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (isKernel(function) && !function.isExternal())
        run(function);
    });
  }

private:
  void run(func::FuncOp kernel);
};
} // namespace

void TileWarpSpecializePass::run(func::FuncOp kernel) {
  SmallVector<Operation *> products;
  kernel.walk([&](Operation *op) {
    if (isProduct(op))
      products.push_back(op);
  });
  if (products.empty())
    return;
  auto opts = remark::RemarkOpts::name("warp-specialize").category("tile");
  auto dot = dyn_cast<DotOp>(products.front());
  auto loop = dyn_cast<scf::ForOp>(products.front()->getParentOp());
  std::string reason;
  if (products.size() > 1)
    reason = formatv("the kernel has {0} products", products.size());
  else if (!dot || getLayout(dot.getType()))
    reason = "tiles have layouts already";
  else if (!loop)
    reason = "the product is in no loop";
  if (!reason.empty()) {
    ++numKept;
    remark::missed(products.front()->getLoc(), opts)
        << remark::reason("{0}", reason);
    return;
  }
  Specialization specialization(kernel, loop, dot);
  if (reason = specialization.check(); !reason.empty()) {
    ++numKept;
    remark::missed(dot.getLoc(), opts) << remark::reason("{0}", reason);
    return;
  }
  ++numSpecialized;
  remark::passed(loop.getLoc(), opts)
      << remark::metric("stages", specialization.getStages())
      << remark::metric("bytes", specialization.getNumBytes());
  IRRewriter rewriter(&getContext());
  specialization.apply(rewriter);
}
