//===- Wgmma.h --------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoding of wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_WGMMA_H
#define TILEIR_LIB_SIMULATOR_DECODE_WGMMA_H

#include "Decode/Decoder.h"

namespace tileir::sim {

/// Adds checks of what has to be fenced and waited for (WgmmaTickets.cpp).
void addWgmmaTickets(llvm::Function &function);

/// llvm.nvvm.wgmma.*, by what follows that (DecodeWgmma.cpp). False: it does
/// not know it.
bool decodeWgmma(Decoder &decoder, llvm::CallBase &call, llvm::StringRef name);
/// The calls that PTX/LiftWgmma.cpp and addWgmmaTickets make, by what follows
/// tileir.ptx.wgmma.
bool decodeOwnWgmma(Decoder &decoder, llvm::CallBase &call,
                    llvm::StringRef name);
/// llvm.nvvm.setmaxnreg.*, by what follows that (DecodeWgmma.cpp).
llvm::Expected<bool> decodeSetmaxnreg(Decoder &decoder, llvm::CallBase &call,
                                      llvm::StringRef name);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_WGMMA_H
