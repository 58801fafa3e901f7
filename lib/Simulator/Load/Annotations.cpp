//===- Annotations.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What clang has no attribute of LLVM for comes as an annotation, an entry of
// llvm.global.annotations: {function, text, file, line, arguments}.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace tileir::sim {

/// "2,1,1" of the arguments 2, 1 and 1; "" if they are no numbers.
static std::string getNumbers(const Constant *arguments) {
  auto *variable = dyn_cast<GlobalVariable>(arguments->stripPointerCasts());
  if (!variable || !variable->hasInitializer())
    return "";
  std::string numbers;
  const Constant *all = variable->getInitializer();
  for (unsigned i = 0; Constant *element = all->getAggregateElement(i); ++i) {
    auto *number = dyn_cast<ConstantInt>(element);
    if (!number)
      return "";
    numbers += (i ? "," : "") + std::to_string(number->getZExtValue());
  }
  return numbers;
}

void readAnnotations(Module &module) {
  GlobalVariable *variable =
      module.getGlobalVariable("llvm.global.annotations");
  if (!variable || !variable->hasInitializer())
    return;
  const Constant *all = variable->getInitializer();
  for (unsigned i = 0; Constant *entry = all->getAggregateElement(i); ++i) {
    StringRef text;
    if (entry->getType()->isStructTy() && entry->getNumOperands() == 5 &&
        getConstantStringInfo(entry->getAggregateElement(1u), text) &&
        text == kClusterAnnotation)
      if (auto *function = dyn_cast<Function>(
              entry->getAggregateElement(0u)->stripPointerCasts()))
        function->addFnAttr("nvvm.cluster_dim",
                            getNumbers(entry->getAggregateElement(4u)));
  }
  // It would keep functions that nobody calls.
  variable->eraseFromParent();
}

} // namespace tileir::sim
