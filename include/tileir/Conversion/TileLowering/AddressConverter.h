//===- AddressConverter.h - Pointers become addresses -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a conversion of the tile dialect that does not depend on what
// tiles become.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_ADDRESSCONVERTER_H
#define TILEIR_CONVERSION_TILELOWERING_ADDRESSCONVERTER_H

#include "mlir/Transforms/DialectConversion.h"

namespace tileir::tile_lowering {

/// Converts pointers to addresses of i64 and keeps other types; values of types
/// that have not been converted yet are cast. What tiles become is added by
/// the conversion that derives from it.
class AddressConverter : public mlir::TypeConverter {
public:
  AddressConverter();
};

/// Adds the patterns that drop `tile.assume`, after the analyses that read it,
/// and casts of pointers, which leave addresses as they are.
void populateDropPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_ADDRESSCONVERTER_H
