//===- BufferizableOpInterfaceImpl.h - Bufferization ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileir::einsum {

/// Lets upstream's one-shot bufferization take the ops of this dialect.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
