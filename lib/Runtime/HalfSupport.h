//===- HalfSupport.h - Conversions of 16-bit floats -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM calls compiler-rt functions for conversions that a processor lacks, and
// not every system's libgcc has those of bf16. Compiled code gets these.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_RUNTIME_HALFSUPPORT_H
#define TILEIR_LIB_RUNTIME_HALFSUPPORT_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <cstdint>

namespace tileir::runtime {

/// Rounds `value` to nearest even and returns the bits as the type `Half`.
template <typename Half, typename Float> Half roundToHalf(Float value) {
  const llvm::fltSemantics &semantics = std::is_same_v<Half, _Float16>
                                            ? llvm::APFloat::IEEEhalf()
                                            : llvm::APFloat::BFloat();
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<Half>(
      static_cast<uint16_t>(rounded.bitcastToAPInt().getZExtValue()));
}

/// Calls `add(name, function pointer)` for each conversion.
template <typename Add> void addHalfSupport(Add add) {
  add("__truncsfhf2", &roundToHalf<_Float16, float>);
  add("__truncdfhf2", &roundToHalf<_Float16, double>);
  add("__truncsfbf2", &roundToHalf<__bf16, float>);
  add("__truncdfbf2", &roundToHalf<__bf16, double>);
  add(
      "__extendhfsf2", +[](_Float16 value) -> float {
        llvm::APFloat wide(llvm::APFloat::IEEEhalf(),
                           llvm::APInt(16, llvm::bit_cast<uint16_t>(value)));
        bool losesInfo;
        wide.convert(llvm::APFloat::IEEEsingle(),
                     llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        return wide.convertToFloat();
      });
}

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_HALFSUPPORT_H
