//===- HostFunctions.cpp - Functions that compiled code calls -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP's functions are named here, so that the runtime library is linked and
// is found however this library was loaded: a library that a language opens by
// itself is not searched by name. All else is searched in the process.
//
//===----------------------------------------------------------------------===//

#include "CopySupport.h"
#include "HalfSupport.h"
#include "ThreadLimit.h"
#include "tileir/Runtime/Jit.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/DynamicLibrary.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

#define TILEIR_OPENMP_FUNCTIONS(X)                                             \
  X(__kmpc_barrier)                                                            \
  X(__kmpc_dispatch_init_4u)                                                   \
  X(__kmpc_dispatch_init_8u)                                                   \
  X(__kmpc_dispatch_next_4u)                                                   \
  X(__kmpc_dispatch_next_8u)                                                   \
  X(__kmpc_dispatch_fini_4u)                                                   \
  X(__kmpc_dispatch_fini_8u)                                                   \
  X(__kmpc_for_static_init_4u)                                                 \
  X(__kmpc_for_static_init_8u)                                                 \
  X(__kmpc_for_static_fini)                                                    \
  X(__kmpc_global_thread_num)

extern "C" {
#define TILEIR_DECLARE(name) void name();
TILEIR_OPENMP_FUNCTIONS(TILEIR_DECLARE)
#undef TILEIR_DECLARE
int kmp_get_blocktime();
void kmp_set_defaults(const char *);
}

/// Has threads that wait for the next parallel loop sleep after 100 us, rather
/// than after 200 ms: the loops of a network are closer, calls are not, and who
/// spins has the core that another program's thread, or the one that is waited
/// for, should run on. What the user or the program has set stays.
static void limitSpinning() {
  constexpr int kDefault = 200; // ms
  if (!std::getenv("KMP_BLOCKTIME") && !std::getenv("OMP_WAIT_POLICY") &&
      kmp_get_blocktime() == kDefault)
    kmp_set_defaults("KMP_BLOCKTIME=100us");
}

static StringMap<void *> makeFunctions() {
  limitSpinning();
  // Makes the process itself searched.
  sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  StringMap<void *> functions;
  auto add = [&](StringRef name, auto *function) {
    functions[name] = reinterpret_cast<void *>(function);
  };
#define TILEIR_ADD(name) add(#name, &name);
  TILEIR_OPENMP_FUNCTIONS(TILEIR_ADD)
#undef TILEIR_ADD
  addParallelRegions(add);
  add("memcpy", &std::memcpy);
  add("memset", &std::memset);
  add("memmove", &std::memmove);
  addCopySupport(add);
  addHalfSupport(add);
  return functions;
}

void *runtime::findHostFunction(StringRef name) {
  static const StringMap<void *> functions = makeFunctions();
  if (void *function = functions.lookup(name))
    return function;
  return sys::DynamicLibrary::SearchForAddressOfSymbol(name.str());
}
