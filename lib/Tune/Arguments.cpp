//===- Arguments.cpp - What programs are tuned on -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Arguments.h"

#include "tileir/Execution/Inputs.h"
#include "tileir/Runtime/NumPy.h"

#include "llvm/ADT/STLExtras.h"

using namespace tileir;
using llvm::StringRef;

llvm::Expected<std::map<std::string, std::string>>
tune::describeArguments(llvm::ArrayRef<std::string> items) {
  std::map<std::string, std::string> arguments;
  for (auto [number, text] : llvm::enumerate(items)) {
    StringRef item = text;
    std::string &what = arguments[std::to_string(number)];
    if (item.ends_with(".npy")) {
      auto array = runtime::readNumPy(item, runtime::UnsignedIntegers::Bits);
      if (!array)
        return array.takeError();
      for (int64_t size : array->getShape())
        what += std::to_string(size) + "x";
      what += runtime::getElementName(array->getKind());
    } else if (execution::isScalarInput(item) || !item.contains(':')) {
      what = text;
    } else {
      what = item.split(':').second.str();
    }
  }
  return arguments;
}
