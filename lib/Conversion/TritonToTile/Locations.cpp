//===- Locations.cpp - Places in Python that every pass takes -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Triton names values by locations, and has call sites of unknown callees.
// Upstream's pass for debug information crashes where a call site has no file.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

/// A location without names, in which each call site has a file; unknown if
/// nothing is left.
static Location simplify(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return simplify(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    Location callee = simplify(call.getCallee()),
             caller = simplify(call.getCaller());
    if (isa<UnknownLoc>(callee))
      return caller;
    if (isa<UnknownLoc>(caller))
      return callee;
    return CallSiteLoc::get(callee, caller);
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (Location simple = simplify(part); !isa<UnknownLoc>(simple))
        return simple;
    return UnknownLoc::get(loc.getContext());
  }
  return loc;
}

void triton_to_tile::simplifyLocations(Operation *function) {
  function->walk([&](Operation *op) {
    op->setLoc(simplify(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (op != function || !block.isEntryBlock())
            argument.setLoc(simplify(argument.getLoc()));
  });
}
