//===- PrintFormat.h - The format of tile.print -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What verifier, interpreter and lowerings know of the text that a program
// prints for each element.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_PRINTFORMAT_H
#define TILEIR_DIALECT_TILE_IR_PRINTFORMAT_H

#include "mlir/IR/Types.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tileir::tile {

/// A text, and the conversion that follows it.
struct PrintPart {
  std::string text;  ///< as it is printed
  std::string flags; ///< with width and precision
  char kind = 0;     ///< of "duxXfFeEgGaA"; 0 at the end of the format

  bool isFloat() const;
  bool isSigned() const { return kind == 'd'; }
  /// The conversion as C has it, for a value of type getPrintedType(element).
  std::string getConversion(mlir::Type element) const;
};

/// The parts of a format; the last one has no conversion. Lengths are dropped.
/// An error says what is wrong.
llvm::Expected<llvm::SmallVector<PrintPart>>
parsePrintFormat(llvm::StringRef format);

/// A text as a part of a format, of tile.print or of C.
std::string escapePrintText(llvm::StringRef text);

/// The type in which C passes a value of a type: i32, i64 or f64.
mlir::Type getPrintedType(mlir::Type element);

/// `parts` as a format of C, for values of `elements`.
std::string getCFormat(llvm::ArrayRef<PrintPart> parts,
                       llvm::ArrayRef<mlir::Type> elements);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_IR_PRINTFORMAT_H
