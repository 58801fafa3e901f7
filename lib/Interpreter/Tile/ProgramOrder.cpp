//===- ProgramOrder.cpp - What comes before the current program -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tile/ProgramOrder.h"

using namespace tileir::interp;

void ProgramOrder::beginProgram(uint32_t number) {
  programs.push_back(number);
  first = getSegment();
  before.clear();
}

void ProgramOrder::acquire(Place place) {
  if (auto found = released.find(place); found != released.end())
    acquired |= *found->second;
}

void ProgramOrder::release(Place place) {
  if (!own) {
    llvm::BitVector segments = before;
    segments.resize(getSegment() + 1);
    segments.set(first, getSegment() + 1);
    own = std::make_shared<const llvm::BitVector>(std::move(segments));
  }
  // An atomic access reads what it changes, so earlier releases are handed on.
  Segments &handedOn = released[place];
  if (handedOn != addedTo || !sum) {
    addedTo = handedOn;
    sum = own;
    if (handedOn) {
      llvm::BitVector segments = *own;
      segments |= *handedOn;
      sum = std::make_shared<const llvm::BitVector>(std::move(segments));
    }
  }
  handedOn = sum;
}

void ProgramOrder::endOp() {
  if (own)
    programs.push_back(programs.back());
  before |= acquired;
  acquired.clear();
  own = addedTo = sum = nullptr;
}
