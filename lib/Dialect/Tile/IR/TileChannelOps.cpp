//===- TileChannelOps.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of roles, channels and products of warpgroups (TileChannelOps.td).
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

std::pair<RolesOp, unsigned> RolesOp::find(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto roles = dyn_cast_if_present<RolesOp>(op->getParentOp()))
      return {roles, op->getParentRegion()->getRegionNumber()};
  return {};
}

int64_t RolesOp::getFirstWarp(unsigned role) {
  ArrayRef<int64_t> before = getWarps().take_front(role);
  return std::accumulate(before.begin(), before.end(), int64_t(0));
}

int64_t RolesOp::getNumWarps() { return getFirstWarp(getWarps().size()); }

int64_t tile::countWarps(Operation *kernel) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(TileDialect::kNumWarps);
  int64_t count = attr ? attr.getInt() : 0;
  kernel->walk([&](RolesOp op) { count = op.getNumWarps(); });
  return count;
}

void RolesOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (!point.isParent()) {
    regions.emplace_back(getOperation(), getOperation()->getResults());
    return;
  }
  for (Region &role : getRoles())
    regions.emplace_back(&role);
}

/// T40.
static LogicalResult verifyWarps(RolesOp op) {
  ArrayRef<int64_t> warps = op.getWarps();
  if (op.getRoles().size() < 2 || warps.size() != op.getRoles().size())
    return op.emitOpError("expects at least two roles, each with a number of "
                          "warps, found ")
           << op.getRoles().size() << " roles and [" << warps << "] (T40)";
  for (int64_t count : warps)
    if (count < 4 || count > 32 || count % 4 != 0)
      return op.emitOpError("expects positive multiples of 4 warps, found ")
             << count << " (T40)";
  if (op.getNumWarps() > 32)
    return op.emitOpError("expects at most 32 warps in all roles together, "
                          "found ")
           << op.getNumWarps() << " (T40)";
  if (!getKernel(op))
    return op.emitOpError("expects to stand in a kernel (T40)");
  if (RolesOp::find(op).first)
    return op.emitOpError("expects not to be in a role (T40)");
  return success();
}

/// T41.
static LogicalResult verifyRegisters(RolesOp op) {
  auto registers = op.getRegisters();
  if (!registers)
    return success();
  if (registers->size() != op.getWarps().size())
    return op.emitOpError("expects registers for each of the ")
           << op.getWarps().size() << " roles, found [" << *registers
           << "] (T41)";
  int64_t all = 0;
  for (auto [count, warps] : llvm::zip_equal(*registers, op.getWarps())) {
    if (count < 24 || count > 240 || count % 8 != 0)
      return op.emitOpError("expects multiples of 8 registers from 24 to 240, "
                            "found ")
             << count << " (T41)";
    all += count * warps * 32;
  }
  int64_t threads = op.getNumWarps() * 32;
  int64_t share = llvm::alignDown(65536 / threads, 8);
  if (all > share * threads)
    return op.emitOpError("expects at most ")
           << share * threads << " registers for " << threads
           << " threads, which begin with " << share << " each, found " << all
           << " (T41)";
  return success();
}

LogicalResult RolesOp::verify() {
  return failure(failed(verifyWarps(*this)) || failed(verifyRegisters(*this)));
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// T42.
LogicalResult ChannelOp::verify() {
  if (int64_t stages = getStages(); stages < 1 || stages > 64)
    return emitOpError("expects 1 to 64 stages, found ") << stages << " (T42)";
  if (!getKernel(*this) || RolesOp::find(*this).first)
    return emitOpError("expects to stand in a kernel, and in no role (T42)");
  return success();
}

LogicalResult tile::verifySide(Operation *op, Value channel) {
  auto fills = llvm::IsaPred<ChannelAcquireOp, BulkLoadOp>;
  auto [roles, role] = RolesOp::find(op);
  if (!roles)
    return op->emitOpError("expects to stand in a role (T43)");
  for (Operation *user : channel.getUsers()) {
    auto [otherRoles, otherRole] = RolesOp::find(user);
    bool isOther = fills(user) != fills(op);
    if (otherRoles && (otherRoles != roles || (otherRole == role) == isOther)) {
      InFlightDiagnostic diagnostic =
          op->emitOpError("expects one role to acquire the stages of a "
                          "channel, and another one to wait for them and to "
                          "release them, found accesses in ")
          << (isOther ? "the same role" : "two roles") << " (T43)";
      diagnostic.attachNote(user->getLoc()) << "found here";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult ChannelAcquireOp::verify() {
  if (getBytesAttr().getInt() < 0)
    return emitOpError("expects 'bytes' not to be negative, found ")
           << getBytesAttr().getInt() << " (T43)";
  return verifySide(*this, getChannel());
}

LogicalResult ChannelWaitOp::verify() {
  return verifySide(*this, getChannel());
}

LogicalResult ChannelReleaseOp::verify() {
  return verifySide(*this, getChannel());
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

bool tile::isInTurn(Operation *op) {
  return op->getNumRegions() == 0 &&
         !isa<TakeTurnOp, PassTurnOp, ChannelAcquireOp, ChannelWaitOp,
              MmaWaitOp, BulkStoreWaitOp, AsyncWaitOp, BarrierOp>(op);
}

/// T55: the other end of a turn is in this direction.
template <typename Other>
static LogicalResult verifyTurn(Operation *op, bool isBehind) {
  if (!RolesOp::find(op).first)
    return op->emitOpError("expects to stand in a role (T55)");
  auto advance = [&](Operation *from) {
    return isBehind ? from->getNextNode() : from->getPrevNode();
  };
  Operation *next = advance(op);
  while (next && isInTurn(next))
    next = advance(next);
  if (isa_and_present<Other>(next))
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expects a '")
      << Other::getOperationName() << "' " << (isBehind ? "behind" : "before")
      << " it in its block, and nothing in between that waits, found ";
  if (!next)
    return diagnostic << "the " << (isBehind ? "end" : "beginning") << " (T55)";
  return diagnostic << '\'' << next->getName() << "' (T55)";
}

LogicalResult TakeTurnOp::verify() {
  return verifyTurn<PassTurnOp>(*this, /*isBehind=*/true);
}

LogicalResult PassTurnOp::verify() {
  return verifyTurn<TakeTurnOp>(*this, /*isBehind=*/false);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The shape of a matrix of which a buffer has stages, in row order.
static std::array<int64_t, 2> getMatrixShape(BufferType buffer, Major order) {
  ArrayRef<int64_t> sizes = buffer.getShape();
  if (order == Major::Row)
    return {sizes[1], sizes[2]};
  return {sizes[2], sizes[1]};
}

TypedValue<BufferType> MmaAsyncOp::getBufferA() {
  return dyn_cast<TypedValue<BufferType>>(getA());
}

std::array<int64_t, 2> MmaAsyncOp::getShapeA() {
  if (auto buffer = getBufferA())
    return getMatrixShape(buffer.getType(), getAOrder());
  auto tile = cast<RankedTensorType>(getA().getType());
  return {tile.getDimSize(0), tile.getDimSize(1)};
}

std::array<int64_t, 2> MmaAsyncOp::getShapeB() {
  return getMatrixShape(getB().getType(), getBOrder());
}

layout::MmaGrid MmaAsyncOp::getGrid() {
  return {getAtom().getAtom(), getShapeA()[0] / getAtom().getAtom()->m, 1};
}

layout::LinearLayout MmaAsyncOp::getAccLayout() {
  auto acc = cast<RankedTensorType>(getAcc().getType());
  return layout::getOperand(
      getGrid(), {layout::Matrix::Acc, *getScalar(acc.getElementType())},
      acc.getShape());
}

layout::LinearLayout MmaAsyncOp::getLayoutA() {
  auto a = cast<RankedTensorType>(getA().getType());
  return layout::getOperand(getGrid(),
                            {layout::Matrix::A, *getScalar(a.getElementType())},
                            a.getShape());
}

LogicalResult MmaAsyncOp::verify() {
  auto acc = cast<RankedTensorType>(getAcc().getType());
  Type a = getA().getType();
  BufferType b = getB().getType();
  auto bufferA = dyn_cast<BufferType>(a);
  auto tileA = dyn_cast<RankedTensorType>(a);
  if (bool(bufferA) != bool(getAStage()) ||
      (tileA && getAOrder() != Major::Row))
    return emitOpError("expects a stage and an order of a buffer, and neither "
                       "of a tile, for ")
           << a << " (T46)";
  if ((bufferA && bufferA.getShape().size() != 3) ||
      (tileA && tileA.getRank() != 2) || b.getShape().size() != 3 ||
      acc.getRank() != 2 || getShapeA()[1] != getShapeB()[0] ||
      getShapeA()[0] != acc.getDimSize(0) ||
      getShapeB()[1] != acc.getDimSize(1))
    return emitOpError("expects stages of M x K and K x N, or of their "
                       "transposes in column order, and an accumulator of "
                       "M x N, found ")
           << a << ", " << b << " and " << acc << " (T46)";
  const layout::MmaAtom &atom = *getAtom().getAtom();
  std::string reason;
  Type elementA = bufferA ? bufferA.getElementType() : tileA.getElementType();
  if (selectAtoms(&atom, elementA, b.getElementType(), acc.getElementType(),
                  /*allowTf32=*/true, reason,
                  /*ofWarpgroups=*/true)
          .empty()) {
    if (!atom.isWarpgroup)
      return emitOpError("expects an atom of warpgroups, found ")
             << atom.name << " (T47)";
    return emitOpError("expects ")
           << layout::describeTypes(atom) << ", found " << a << ", " << b
           << " and " << acc << " (T47)";
  }
  auto takes = [&](layout::Matrix matrix, Type element, Major order) {
    return isSharedOperand(
        atom, {matrix, *getScalar(element), static_cast<layout::Major>(order)});
  };
  if (!takes(layout::Matrix::A, elementA, getAOrder()) ||
      !takes(layout::Matrix::B, b.getElementType(), getBOrder()))
    return emitOpError("expects elements of ")
           << elementA << " in row order of A and column order of B, "
           << "found " << stringifyMajor(getAOrder()) << " and "
           << stringifyMajor(getBOrder()) << " (T47)";
  auto [m, k] = getShapeA();
  int64_t n = getShapeB()[1];
  if (m < 64 || !llvm::isPowerOf2_64(m) || n < 8 || n > 256 ||
      !llvm::isPowerOf2_64(n) || k % atom.k != 0)
    return emitOpError("expects 64 times a power of two of M, a power of two "
                       "of N from 8 to 256, and a multiple of ")
           << atom.k << " of K, found " << m << " x " << n << " x " << k
           << " (T47)";
  auto expected = LayoutAttr::get(getContext(), getAccLayout());
  if (acc.getEncoding() && acc.getEncoding() != expected)
    return emitOpError("expects an accumulator with the layout ")
           << expected << ", found " << acc << " (T47)";
  if (tileA && tileA.getEncoding()) {
    auto expectedA = LayoutAttr::get(getContext(), getLayoutA());
    if (tileA.getEncoding() != expectedA)
      return emitOpError("expects an operand A with the layout ")
             << expectedA << ", found " << a << " (T47)";
  }
  return success();
}

/// T37.
LogicalResult MmaWaitOp::verify() {
  if (getPendingAttr().getInt() >= 0)
    return success();
  return emitOpError("expects 'pending' not to be negative, found ")
         << getPendingAttr().getInt() << " (T37)";
}
