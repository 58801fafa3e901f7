//===- Purpose.cpp - What a result of tuning is for -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Purpose.h"

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
