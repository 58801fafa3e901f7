//===- PlantBug.cpp - A pass that breaks programs -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `test-plant-bug{op=... ...}` changes operands of all ops of a name, so that
// the program still verifies and is another one: what the tests of
// `tile-run --bisect` look for. Ops are known by their names, so the plugin
// needs none of our libraries.
//
//   swap=i,j      exchange operands i and j
//   erase=i       remove operand i, as a mask of a store
//   subtract=i,j  subtract operand j from operand i, as the step of a loop from
//                 its upper bound
//   hide=i        pass operand i through casts that mean nothing, and that the
//                 interpreter does not know: not a bug, but not to be executed
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace llvm;
using namespace mlir;

namespace {

class PlantBugPass : public PassWrapper<PlantBugPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantBugPass)

  PlantBugPass() = default;
  PlantBugPass(const PlantBugPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-plant-bug"; }
  StringRef getDescription() const override {
    return "Change operands of ops, so that the program is another one";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == name)
        found.push_back(op);
    });
    // A test that plants nothing would pass for the wrong reason.
    if (found.empty()) {
      getOperation()->emitError("test-plant-bug: there is no op '")
          << name << "'";
      return signalPassFailure();
    }
    for (Operation *op : found)
      change(op);
  }

private:
  void change(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (swap.size() == 2) {
      Value first = op->getOperand(swap[0]);
      op->setOperand(swap[0], op->getOperand(swap[1]));
      op->setOperand(swap[1], first);
    }
    if (subtract.size() == 2)
      op->setOperand(subtract[0], arith::SubIOp::create(
                                      builder, loc, op->getOperand(subtract[0]),
                                      op->getOperand(subtract[1])));
    for (unsigned i : hide) {
      Value value = op->getOperand(i);
      Value hidden = UnrealizedConversionCastOp::create(
                         builder, loc, builder.getNoneType(), value)
                         .getResult(0);
      op->setOperand(i, UnrealizedConversionCastOp::create(
                            builder, loc, value.getType(), hidden)
                            .getResult(0));
    }
    for (unsigned i : erase)
      op->eraseOperand(i);
  }

  Option<std::string> name{*this, "op", cl::desc("Name of the ops to change")};
  ListOption<unsigned> swap{*this, "swap",
                            cl::desc("Two operands to exchange")};
  ListOption<unsigned> erase{*this, "erase", cl::desc("Operands to remove")};
  ListOption<unsigned> subtract{
      *this, "subtract", cl::desc("Operand to change, operand to subtract")};
  ListOption<unsigned> hide{*this, "hide",
                            cl::desc("Operands to hide by casts")};
};

} // namespace

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TileIRTest", LLVM_VERSION_STRING,
          [] { PassRegistration<PlantBugPass>(); }};
}
