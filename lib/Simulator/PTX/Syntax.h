//===- Syntax.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX as it is written: statements, their operands, declarations, and whole
// files. Names are parts of the text, which has to outlive what is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_SYNTAX_H
#define TILEIR_LIB_SIMULATOR_PTX_SYNTAX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tileir::sim::ptx {

/// An operand of an instruction.
struct Operand {
  enum class Kind {
    Name,    ///< a register, a variable, a label; "name + offset" too
    Integer, ///< `bits`
    Float,   ///< `bits` of an f64, or of an f32 if `isSingle`
    Address, ///< [name + offset], [offset], [name, {...}]
    List,    ///< {a, b} or (a, b)
    Pair,    ///< p|q
    Discard, ///< _
  };
  Kind kind = Kind::Discard;
  llvm::StringRef name;
  bool negated = false; ///< !p
  bool minus = false;   ///< -r, of vmad
  bool isSingle = false;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::vector<Operand> elements; ///< of lists and pairs

  bool isName() const { return kind == Kind::Name; }
  bool isList() const { return kind == Kind::List; }
};

/// A part of an initial value: so many bytes, which are a number or the address
/// of a variable.
struct InitialValue {
  unsigned bytes = 0;
  uint64_t bits = 0; ///< the number, or what is added to the address
  llvm::StringRef symbol;
};

/// A declared register or variable.
struct Variable {
  llvm::StringRef space; ///< "reg", "shared", "global", "param", ...
  llvm::StringRef type;  ///< "b32", "pred", ...
  llvm::StringRef name;
  unsigned line = 0;
  unsigned lanes = 1;               ///< of .v2, .v4
  std::optional<unsigned> family;   ///< %r<8>: 8 registers %r0 to %r7
  std::optional<uint64_t> elements; ///< of an array; 0: not said
  unsigned alignment = 0;           ///< 0: that of the type
  bool isPointer = false;           ///< .ptr of a parameter
  bool isExternal = false;
  std::vector<InitialValue> initial;
};

/// A line of the source that PTX was made from: its file, line and column.
using SourcePlace = std::array<unsigned, 3>;

/// What .loc says. File 0: nothing.
struct Location {
  SourcePlace place = {0, 0, 0};
  /// Where the call was inlined that the line comes from, and the name of the
  /// function called: a label of .debug_str, and bytes behind it.
  SourcePlace inlinedAt = {0, 0, 0};
  llvm::StringRef label;
  uint64_t offset = 0;
};

/// One statement. Blocks are not nested: they begin and end by statements.
struct Statement {
  enum class Kind { Instruction, Label, Open, Close, Declaration, Location };
  Kind kind = Kind::Instruction;
  llvm::StringRef text; ///< as written, for messages
  unsigned line = 0;
  llvm::StringRef guard; ///< the predicate of @p; "": none
  bool guardNegated = false;
  llvm::StringRef name; ///< of an instruction without modifiers, of a label
  llvm::SmallVector<llvm::StringRef, 6> modifiers;
  std::vector<Operand> operands;
  std::vector<Variable> variables; ///< of a declaration
  Location location;
};

struct Function {
  llvm::StringRef name;
  unsigned line = 0;
  bool isKernel = false;
  bool isDefined = false;
  std::vector<Variable> results, parameters;
  /// Attributes of LLVM's functions, such as "nvvm.maxntid" and "128,1,1".
  std::vector<std::pair<llvm::StringRef, std::string>> attributes;
  std::vector<Statement> body;
};

/// A .ptx file.
struct File {
  llvm::StringRef target; ///< the name of a chip
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<unsigned, llvm::StringRef> sources; ///< of .file
  std::string strings;                         ///< the bytes of .debug_str
  std::map<llvm::StringRef, size_t> labels;    ///< where they are in it
};

/// Parses the statements of an inline assembly. Operands are called $0, $1.
/// An error says the line within the text: "line 2: expected ...".
llvm::Expected<std::vector<Statement>> parseStatements(llvm::StringRef text);

/// Parses a file. An error begins with "name:line: ".
llvm::Expected<File> parseFile(llvm::StringRef text, llvm::StringRef name);

/// The bits of a type such as "f32", "b8", "f16x2"; 0: there is no such type.
unsigned getTypeBits(llvm::StringRef type);

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_SYNTAX_H
