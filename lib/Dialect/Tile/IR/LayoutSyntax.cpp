//===- LayoutSyntax.cpp - How #tile.layout is written ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   layout ::= bases | blocked | mma | swizzle
//   bases  ::= name `=` `[` list? `]` (`,` name `=` `[` list? `]`)*
//   list   ::= basis (`,` basis)*       basis ::= `[` integer, ... `]`
//   name   ::= `register` | `lane` | `warp` | `block` | `offset`
//
// and, by name (TileAttrs.td has an example of each)
//
//   blocked ::= `blocked` shape `,` `register` `=` sizes `,` `lane` `=` sizes
//               `,` `warp` `=` sizes (`,` `order` `=` sizes)?
//   mma     ::= `mma` ((`a` | `b`) (`row` | `column`) | `c` (`f16` | `f32`))
//               `,` shape `,` `atom` `=` (name of an atom)
//               `,` `warp` `=` sizes
//   swizzle ::= `swizzle` shape `,` `bits` `=` integer
//               `,` `write` `=` layout `,` `read` `=` layout
//   shape   ::= `shape` `=` sizes       sizes ::= `[` integer, ... `]`
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Fragments/Blocked.h"
#include "tileir/Layout/Shared/SharedMemory.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;
using layout::LinearLayout;

namespace {
class LayoutParser {
public:
  explicit LayoutParser(AsmParser &parser) : parser(parser) {}

  /// Parses what stands between `<` and `>`.
  LayoutAttr parse() {
    start = parser.getCurrentLocation();
    std::optional<LinearLayout> named;
    if (succeeded(parser.parseOptionalKeyword("blocked")))
      named = parseBlocked();
    else if (succeeded(parser.parseOptionalKeyword("mma")))
      named = parseMma();
    else if (succeeded(parser.parseOptionalKeyword("swizzle")))
      named = parseSwizzle();
    else
      return parseBases();
    if (!named)
      return {};
    if (named->getNumHardwareBits() > LayoutAttr::kMaxBits) {
      parser.emitError(start, "expects at most ")
          << LayoutAttr::kMaxBits << " bases, found "
          << named->getNumHardwareBits() << " (T28)";
      return {};
    }
    return LayoutAttr::get(parser.getContext(), *named);
  }

private:
  LayoutAttr parseBases();
  /// Shapes follow the name.
  std::optional<LinearLayout> parseBlocked();
  std::optional<LinearLayout> parseMma();
  std::optional<LinearLayout> parseSwizzle();

  /// `,` name `=`
  ParseResult parseNext(StringRef name) {
    return failure(parser.parseComma() || parser.parseKeyword(name) ||
                   parser.parseEqual());
  }
  ParseResult parseIntegers(SmallVectorImpl<int64_t> &values) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(values.emplace_back());
    });
  }
  /// One power of two per axis of `shape`, which itself comes first.
  ParseResult parseSizes(SmallVectorImpl<int64_t> &sizes) {
    SMLoc loc = parser.getCurrentLocation();
    if (parseIntegers(sizes))
      return failure();
    unsigned numBits = 0;
    for (int64_t size : sizes) {
      if (size < 1 || !llvm::isPowerOf2_64(size))
        return parser.emitError(loc, "expects powers of two, found ") << size;
      numBits += llvm::Log2_64(size);
    }
    if (numBits > LayoutAttr::kMaxBits)
      return parser.emitError(loc, "expects a product of at most 2^")
             << LayoutAttr::kMaxBits << ", found 2^" << numBits << " (T28)";
    if (!shape.empty() && sizes.size() != shape.size())
      return parser.emitError(loc, "expects ")
             << shape.size() << " sizes, one per axis of the shape, found "
             << sizes.size();
    return success();
  }
  ParseResult parseShape() {
    return failure(parser.parseKeyword("shape") || parser.parseEqual() ||
                   parseSizes(shape));
  }
  /// One of `words`, by its number.
  FailureOr<unsigned> parseWord(ArrayRef<StringRef> words) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    const auto *found = llvm::find(words, word);
    if (found == words.end())
      return parser.emitError(loc, "expects '")
             << llvm::join(words, "' or '") << "', found '" << word << "'";
    return found - words.begin();
  }

  AsmParser &parser;
  SMLoc start;
  SmallVector<int64_t, 4> shape;
};
} // namespace

LayoutAttr LayoutParser::parseBases() {
  std::array<SmallVector<int32_t>, layout::kNumInDims> bases;
  std::array<bool, layout::kNumInDims> seen = {};
  unsigned rank = 0;
  auto parseBasis = [&](SmallVectorImpl<int32_t> &of) -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    SmallVector<int64_t> basis;
    if (parseIntegers(basis))
      return failure();
    if (!rank)
      rank = basis.size();
    if (basis.empty() || basis.size() != rank)
      return parser.emitError(loc, "expects bases of one length, found ")
             << basis.size() << " after " << rank << " (T28)";
    for (int64_t value : basis)
      if (value < 0 || !llvm::isInt<32>(value))
        return parser.emitError(loc, "expects coordinates, found ")
               << value << " (T28)";
    llvm::append_range(of, basis);
    return success();
  };
  auto parseList = [&]() -> ParseResult {
    SmallVector<StringRef> names;
    for (InDim in : layout::kInDims)
      names.push_back(getName(in));
    SMLoc loc = parser.getCurrentLocation();
    FailureOr<unsigned> in = parseWord(names);
    if (failed(in))
      return failure();
    if (std::exchange(seen[*in], true))
      return parser.emitError(loc, "expects each name once, found '")
             << names[*in] << "' again";
    return failure(
        parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parseBasis(bases[*in]); }));
  };
  if (parser.parseCommaSeparatedList(parseList))
    return {};
  // These exact types make this call the function of LayoutAttr.cpp.
  auto emitError = [&] { return parser.emitError(start); };
  std::array<ArrayRef<int32_t>, layout::kNumInDims> of;
  llvm::copy(bases, of.begin());
  return LayoutAttr::getChecked(function_ref<InFlightDiagnostic()>(emitError),
                                parser.getContext(), rank, of[0], of[1], of[2],
                                of[3], of[4]);
}

std::optional<LinearLayout> LayoutParser::parseBlocked() {
  layout::Blocked blocked;
  if (parseShape() || parseNext("register") ||
      parseSizes(blocked.sizePerThread) || parseNext("lane") ||
      parseSizes(blocked.threadsPerWarp) || parseNext("warp") ||
      parseSizes(blocked.warpsPerBlock))
    return std::nullopt;
  auto axes = llvm::seq<unsigned>(0, shape.size());
  if (succeeded(parser.parseOptionalComma())) {
    SmallVector<int64_t> order;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword("order") || parser.parseEqual() ||
        parseIntegers(order))
      return std::nullopt;
    blocked.order.assign(order.begin(), order.end());
    llvm::sort(order);
    if (!llvm::equal(order, axes)) {
      parser.emitError(loc, "expects each of the ")
          << shape.size() << " axes once, the fastest first";
      return std::nullopt;
    }
  } else {
    blocked.order.assign(axes.rbegin(), axes.rend());
  }
  return getBlocked(shape, blocked);
}

std::optional<LinearLayout> LayoutParser::parseMma() {
  using layout::Scalar;
  auto matrix = parseWord({"a", "b", "c"});
  if (failed(matrix))
    return std::nullopt;
  constexpr Scalar kSums[] = {Scalar::F32, Scalar::F16};
  bool isSum = *matrix == 2;
  auto kind = isSum ? parseWord({getName(kSums[0]), getName(kSums[1])})
                    : parseWord({"row", "column"});
  SmallVector<int64_t, 4> warps;
  if (failed(kind) || parser.parseComma() || parseShape() || parseNext("atom"))
    return std::nullopt;
  auto atom = parseAtom(parser);
  if (failed(atom) || parseNext("warp") || parseSizes(warps))
    return std::nullopt;

  layout::Operand operand;
  operand.matrix = static_cast<layout::Matrix>(*matrix);
  operand.type =
      isSum ? kSums[*kind] : getTypes(**atom, operand.matrix).front();
  operand.major =
      isSum ? layout::Major::Row : static_cast<layout::Major>(*kind);
  layout::MmaGrid grid = {*atom};
  if (shape.size() == 3 && warps.front() != shape.front()) {
    parser.emitError(start, "expects warps of its own for each of ")
        << shape.front() << " batches, found " << warps.front() << " (T28)";
    return std::nullopt;
  }
  if (shape.size() >= 2) {
    grid.warpsM = warps[warps.size() - 2];
    grid.warpsN = warps.back();
  }
  std::string problem = checkOperand(grid, operand, shape);
  if (!problem.empty()) {
    parser.emitError(start, problem) << " (T28)";
    return std::nullopt;
  }
  return layout::getOperand(grid, operand, shape);
}

std::optional<LinearLayout> LayoutParser::parseSwizzle() {
  int64_t bits;
  LayoutAttr writer, reader;
  if (parseShape() || parseNext("bits"))
    return std::nullopt;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(bits) || parseNext("write") ||
      parser.parseAttribute(writer) || parseNext("read") ||
      parser.parseAttribute(reader))
    return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    parser.emitError(loc, "expects elements of 8, 16, 32 or 64 bits, found ")
        << bits;
    return std::nullopt;
  }
  auto emitError = [&] { return parser.emitError(start); };
  for (LayoutAttr side : {writer, reader})
    if (failed(side.verifyEncoding(shape, Type(), emitError)))
      return std::nullopt;
  return chooseSwizzle(writer.getLayout(shape), reader.getLayout(shape), bits)
      .shared;
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  LayoutAttr layout = LayoutParser(parser).parse();
  if (!layout || parser.parseGreater())
    return {};
  return layout;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  bool isFirst = true;
  printer << '<';
  for (InDim in : layout::kInDims) {
    bool isUsual = in != InDim::Block && in != InDim::Offset && !isShared();
    if (!isUsual && getBases(in).empty())
      continue;
    printer << (isFirst ? "" : ", ") << getName(in) << " = [";
    isFirst = false;
    for (auto [i, value] : llvm::enumerate(getBases(in)))
      printer << (i % getRank() ? ", " : i ? "], [" : "[") << value;
    printer << (getBases(in).empty() ? "]" : "]]");
  }
  printer << '>';
}
