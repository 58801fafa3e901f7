//===- SpecHover.h - Hover over specifications ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an editor shows while the mouse is over an einsum specification.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILE_LSP_SERVER_SPECHOVER_H
#define TILEIR_TOOLS_TILE_LSP_SERVER_SPECHOVER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <optional>

namespace tileir {

/// Describes the specification at `position` of a document, if there is one
/// that can be parsed. Its sizes are told if all of its part of the document,
/// which `// -----` separates from others, can be.
std::optional<llvm::lsp::Hover>
getSpecHover(llvm::StringRef document, llvm::lsp::Position position,
             const mlir::DialectRegistry &registry);

} // namespace tileir

#endif // TILEIR_TOOLS_TILE_LSP_SERVER_SPECHOVER_H
