//===- Purpose.cpp - What a result of tuning is for -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Purpose.h"

#include "tileir/Execution/Inputs.h"
#include "tileir/Runtime/NumPy.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

using namespace tileir;
using namespace tileir::tune;
using llvm::StringRef;

bool Purpose::serves(const Purpose &run) const {
  return program == run.program && target == run.target &&
         llvm::all_of(arguments, [&](const auto &argument) {
           auto it = run.arguments.find(argument.first);
           return it != run.arguments.end() && it->second == argument.second;
         });
}

std::string tune::getHash(StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

std::string tune::getTarget(StringRef backend, StringRef chip) {
  if (backend == "cpu")
    return "cpu " + llvm::sys::getHostCPUName().str();
  if (backend == "sim")
    return "sim " +
           (chip.empty() ? StringRef(machine::kDefaultGpu) : chip).str();
  return backend.str();
}

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
