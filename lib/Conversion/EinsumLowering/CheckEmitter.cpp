//===- CheckEmitter.cpp - Run-time checks ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failed check must not end the process (the program runs inside a compiler
// or a tool) and cannot throw (it may be inside a parallel loop): it reports
// values to a function and the loop goes on with a harmless one.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;

/// "file:line:col: ", or the location as MLIR prints it.
static std::string getPrefix(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    os << loc;
  os << ": ";
  return text;
}

void CheckEmitter::emitReport(OpBuilder &builder, Location loc,
                              const Twine &message, ValueRange values) {
  Value site = arith::ConstantIntOp::create(builder, loc, sites.size(), 64);
  sites.push_back(getPrefix(loc) + message.str());
  module->setAttr(kCheckSitesAttr, builder.getStrArrayAttr(
                                       llvm::to_vector_of<StringRef>(sites)));
  // Its own scope frees the buffer even where a loop fails again and again.
  auto scope = memref::AllocaScopeOp::create(builder, loc, TypeRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&scope.getBodyRegion());
  Type i64 = builder.getI64Type();
  int64_t size = values.size();
  Value buffer =
      memref::AllocaOp::create(builder, loc, MemRefType::get({size}, i64));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value index = arith::ConstantIndexOp::create(builder, loc, i);
    Value cast = arith::IndexCastOp::create(builder, loc, i64, value);
    memref::StoreOp::create(builder, loc, cast, buffer, index);
  }
  auto dynamicType = MemRefType::get({ShapedType::kDynamic}, i64);
  Value dynamic = memref::CastOp::create(builder, loc, dynamicType, buffer);
  func::CallOp::create(builder, loc, kReportCheckFunction, TypeRange(),
                       ValueRange{site, dynamic});
  memref::AllocaScopeReturnOp::create(builder, loc, ValueRange());
}

void CheckEmitter::emitCheck(OpBuilder &builder, Location loc, Value condition,
                             const Twine &message, ValueRange values) {
  Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value failed = arith::XOrIOp::create(builder, loc, condition, isTrue);
  auto ifOp = scf::IfOp::create(builder, loc, failed, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emitReport(builder, loc, message, values);
}

Value CheckEmitter::both(OpBuilder &builder, Location loc, Value lhs,
                         Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

CheckEmitter::CheckEmitter(ModuleOp module, RuntimeChecks level)
    : module(module), level(level) {
  // An earlier run may have left sites, which keep their numbers.
  if (auto earlier = module->getAttrOfType<ArrayAttr>(kCheckSitesAttr))
    for (auto site : earlier.getAsRange<StringAttr>())
      sites.push_back(site.str());
}

void CheckEmitter::finish() {
  if (sites.empty() || module.lookupSymbol(kReportCheckFunction))
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto type = builder.getFunctionType(
      {builder.getI64Type(),
       MemRefType::get({ShapedType::kDynamic}, builder.getI64Type())},
      {});
  func::FuncOp::create(builder, module.getLoc(), kReportCheckFunction, type)
      .setPrivate();
}
