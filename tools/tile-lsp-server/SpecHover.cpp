//===- SpecHover.cpp - Hover over specifications --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A specification is found by the text around it, so that it is described while
// the rest of a program is being written. Sizes need the contraction, which is
// found by its place once the program is parsed.
//
//===----------------------------------------------------------------------===//

#include "SpecHover.h"

#include "tileir/Dialect/Einsum/Analysis/SpecSummary.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// The text between the quotes around `offset`, which are on one line, if it is
/// a specification: that of a contraction, or of an attribute.
static std::optional<StringRef> findSpec(StringRef document, size_t offset) {
  size_t lineStart = document.take_front(offset).rfind('\n') + 1;
  StringRef before = document.slice(lineStart, offset);
  if (before.count('"') % 2 == 0)
    return std::nullopt;
  size_t open = lineStart + before.rfind('"');
  size_t close = document.find_first_of("\"\n", offset);
  if (close == StringRef::npos || document[close] != '"')
    return std::nullopt;
  StringRef owner = document.take_front(open).rtrim();
  if (!owner.ends_with("einsum.contract") && !owner.ends_with("einsum.spec<"))
    return std::nullopt;
  return document.slice(open + 1, close);
}

/// The part of `document` that `spec`, a piece of it, lies in.
static StringRef getPart(StringRef document, StringRef spec) {
  constexpr StringLiteral separator("\n// -----");
  size_t offset = spec.data() - document.data();
  size_t begin = document.take_front(offset).rfind(separator);
  return document.slice(begin == StringRef::npos ? 0 : begin + separator.size(),
                        document.find(separator, offset));
}

/// The contraction that `spec`, a piece of `text`, is written in. Empty if it
/// is none, or an invalid one; `block` and `state` hold what was parsed.
static ContractOp parseContraction(StringRef text, StringRef spec,
                                   MLIRContext &context, Block &block,
                                   AsmParserState &state) {
  SourceMgr sources;
  // Tells places by pointers into `text`, which lies in a longer document: a
  // copy, since the parser wants a zero behind it.
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text), SMLoc());
  const char *start =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
  const char *place = start + (spec.data() - text.data());
  // What is wrong is reported by the server.
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  if (failed(parseAsmSourceFile(
          sources, &block, ParserConfig(&context, /*verifyAfterParse=*/false),
          &state)))
    return {};
  for (const AsmParserState::OperationDefinition &def : state.getOpDefs()) {
    // Between the name of a contraction and its specification is white space.
    auto op = dyn_cast<ContractOp>(def.op);
    if (op && def.loc.End.getPointer() < place &&
        StringRef(def.loc.End.getPointer(), place - def.loc.End.getPointer())
                .trim() == "\"")
      return succeeded(verify(op)) ? op : ContractOp();
  }
  return {};
}

std::optional<lsp::Hover>
tileir::getSpecHover(StringRef document, lsp::Position position,
                     const DialectRegistry &registry) {
  size_t lineStart = 0;
  for (int line = 0; line < position.line; ++line) {
    lineStart = document.find('\n', lineStart);
    if (lineStart++ == StringRef::npos)
      return std::nullopt;
  }
  size_t offset = lineStart + position.character;
  if (position.character < 0 || offset > document.size() ||
      document.slice(lineStart, offset).contains('\n'))
    return std::nullopt;
  std::optional<StringRef> text = findSpec(document, offset);
  if (!text)
    return std::nullopt;

  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.loadDialect<EinsumDialect>();
  SpecAttr spec;
  {
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    spec = SpecAttr::parse(&context, *text, [&](size_t) {
      return emitError(UnknownLoc::get(&context));
    });
  }
  if (!spec)
    return std::nullopt;

  Block block;
  AsmParserState state;
  ContractOp op =
      parseContraction(getPart(document, *text), *text, context, block, state);
  int column = text->data() - document.data() - lineStart;
  lsp::Hover hover(
      lsp::Range({position.line, column},
                 {position.line, column + static_cast<int>(text->size())}));
  llvm::raw_string_ostream os(hover.contents.value);
  printSummary(os, spec, op);
  return hover;
}
