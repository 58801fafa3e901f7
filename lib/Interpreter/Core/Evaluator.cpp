//===- Evaluator.cpp - Execution of ops -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The environment, dispatch, regions and calls. Every array that an op gives is
// checked against its type here, so handlers only compute.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "tileir/Dialect/Einsum/IR/ArgumentAttributes.h"
#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Runtime/CheckReports.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Regions and calls within each other. Each takes some KiB of the stack, more
/// than 10 in instrumented builds, and a thread may have as little as 4 MiB.
static constexpr unsigned kMaxDepth = 256;

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

const RuntimeValue &Evaluator::get(Value value) const {
  auto it = frames.back().find(value);
  assert(it != frames.back().end() && "a value is set before it is used");
  return it->second;
}

SmallVector<RuntimeValue> Evaluator::get(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value value) { return get(value); });
}

Scalar Evaluator::getScalar(Value value) const {
  Scalar scalar = std::get<Scalar>(get(value));
  dependsOnPoison |= scalar.isPoison;
  return scalar;
}

const Array &Evaluator::getArray(Value value) const {
  return std::get<Array>(get(value));
}

int64_t Evaluator::getInt(Value value) const {
  return toSigned(getScalar(value));
}

int64_t Evaluator::getInt(OpFoldResult value) const {
  if (auto attr = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attr).getInt();
  return getInt(cast<Value>(value));
}

SmallVector<int64_t> Evaluator::getInts(ValueRange values) const {
  return llvm::map_to_vector(values,
                             [&](Value value) { return getInt(value); });
}

SmallVector<int64_t> Evaluator::getInts(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector(values,
                             [&](OpFoldResult value) { return getInt(value); });
}

void Evaluator::set(Value value, RuntimeValue runtimeValue) {
  frames.back()[value] = std::move(runtimeValue);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static const HandlerTable &getHandlers() {
  static const HandlerTable handlers = [] {
    HandlerTable table;
    addAMXHandlers(table);
    addAddressHandlers(table);
    addAffineHandlers(table);
    addArithHandlers(table);
    addArithFloatHandlers(table);
    addBufferizationHandlers(table);
    addControlHandlers(table);
    addEinsumHandlers(table);
    addElementwiseHandlers(table);
    addLinalgHandlers(table);
    addMathHandlers(table);
    addMemRefHandlers(table);
    addMemRefViewHandlers(table);
    addTensorHandlers(table);
    addTensorSliceHandlers(table);
    addTileBulkStoreHandlers(table);
    addTileChannelHandlers(table);
    addTileHandlers(table);
    addTileMachineHandlers(table);
    addTileMathHandlers(table);
    addTileMemoryHandlers(table);
    addTilePredicateHandlers(table);
    addTilePrintHandlers(table);
    addTileRoleHandlers(table);
    addTileViewHandlers(table);
    addVectorHandlers(table);
    addVectorMemoryHandlers(table);
    return table;
  }();
  return handlers;
}

static LogicalResult unknown(Operation *op) {
  return op->emitError(kUnknownToInterpreter)
         << "this op: '" << op->getName() << "'";
}

LogicalResult Evaluator::run(Operation *op) {
  const Handler *handler = getHandlers().lookup(op);
  if (!handler && !isStructured(op))
    return unknown(op);
  if (failed(handler ? (*handler)(*this, op) : runStructured(*this, op)))
    return failure();
  return success(succeeded(checkDependence(op)) && succeeded(checkResults(op)));
}

LogicalResult Evaluator::checkDependence(Operation *op) {
  if (!dependsOnPoison)
    return success();
  return emitPoison(op, "a value");
}

LogicalResult Evaluator::checkResults(Operation *op) {
  for (OpResult result : op->getResults())
    if (auto *array = std::get_if<Array>(&get(result)))
      if (failed(checkType(op, *array, result.getType(),
                           "result " + Twine(result.getResultNumber()))))
        return failure();
  return success();
}

/// Whether `op` ends a region, and its operands are what the op around it gets.
static bool leavesRegion(Operation *op) {
  return op->hasTrait<OpTrait::ReturnLike>() ||
         isa<RegionBranchTerminatorOpInterface, scf::ReduceReturnOp,
             scf::InParallelOp>(op);
}

FailureOr<Operation *> Evaluator::run(Region &region,
                                      ArrayRef<RuntimeValue> arguments) {
  Operation *parent = region.getParentOp();
  if (depth == kMaxDepth)
    return parent->emitError("nested too deeply: ")
           << kMaxDepth << " regions or calls are within each other";
  if (region.empty() || region.front().getNumArguments() != arguments.size())
    return unknown(parent);
  if (failed(checkDependence(parent))) // before an op in it takes the blame
    return failure();
  ++depth;
  llvm::scope_exit leave([&] { --depth; });

  Block *block = &region.front();
  for (auto [argument, value] :
       llvm::zip_equal(block->getArguments(), arguments))
    set(argument, value);
  while (true) {
    if (!block->mightHaveTerminator())
      return unknown(parent);
    for (Operation &op : block->without_terminator())
      if (failed(run(&op)))
        return failure();
    Operation *terminator = block->getTerminator();
    if (leavesRegion(terminator))
      return terminator;
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    if (!branch)
      return unknown(terminator);
    SmallVector<Attribute> operands;
    bool hasPoison = false;
    for (Value operand : terminator->getOperands()) {
      auto *scalar = std::get_if<Scalar>(&get(operand));
      auto type = dyn_cast<IntegerType>(operand.getType());
      bool isPoison = scalar && scalar->isPoison;
      hasPoison |= isPoison;
      operands.push_back(
          scalar && type && !isPoison
              ? IntegerAttr::get(type, APInt(type.getWidth(), scalar->bits,
                                             /*isSigned=*/false,
                                             /*implicitTrunc=*/true))
              : Attribute());
    }
    block = branch.getSuccessorForOperands(operands);
    if (!block && hasPoison)
      return emitPoison(terminator, "a condition");
    if (!block)
      return unknown(terminator);
    unsigned successor = llvm::find(terminator->getSuccessors(), block) -
                         terminator->getSuccessors().begin();
    // All operands are read before an argument changes.
    SuccessorOperands passed = branch.getSuccessorOperands(successor);
    SmallVector<RuntimeValue> values = get(passed.getForwardedOperands());
    for (auto [argument, value] :
         llvm::zip_equal(block->getArguments(), values))
      set(argument, value);
  }
}

/// The call by which lowered code reports a failed check: here an error.
static LogicalResult reportCheck(Operation *caller,
                                 ArrayRef<RuntimeValue> arguments) {
  std::vector<std::string> sites;
  auto module = caller->getParentOfType<ModuleOp>();
  if (auto attr = module->getAttrOfType<ArrayAttr>(einsum::kCheckSitesAttr))
    for (auto site : attr.getAsRange<StringAttr>())
      sites.push_back(site.str());
  SmallVector<int64_t> values;
  const Array &array = std::get<Array>(arguments[1]);
  for (int64_t i = 0; i < array.getNumElements(); ++i)
    values.push_back(array.read(array.getPosition(i)).bits);
  return caller->emitError(
      formatCheckMessage(sites, std::get<Scalar>(arguments[0]).bits, values));
}

FailureOr<SmallVector<RuntimeValue>>
Evaluator::call(Operation *caller, func::FuncOp callee,
                ArrayRef<RuntimeValue> arguments) {
  if (callee.getSymName() == einsum::kReportCheckFunction &&
      callee.isExternal() && arguments.size() == 2)
    return reportCheck(caller, arguments);
  if (callee.isExternal())
    return caller->emitError("cannot call '")
           << callee.getSymName() << "': it has no body";
  for (const einsum::SizePromise &promise : einsum::listSizePromises(callee)) {
    int64_t size =
        std::get<Array>(arguments[promise.argument]).shape[promise.axis];
    if (!promise.isKept(size))
      return caller->emitError(promise.getError(callee, std::to_string(size)));
  }
  frames.emplace_back();
  llvm::scope_exit leave([&] { frames.pop_back(); });
  auto terminator = run(callee.getBody(), arguments);
  if (failed(terminator))
    return failure();
  return get((*terminator)->getOperands());
}

const Handler *HandlerTable::lookup(Operation *op) const {
  auto it = table.find(op->getName().getTypeID());
  return it == table.end() ? nullptr : &it->second;
}
