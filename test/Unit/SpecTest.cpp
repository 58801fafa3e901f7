//===- SpecTest.cpp - Tests of einsum specifications ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing, printing and queries of SpecAttr. What specifications mean is
// checked with an evaluator of their text that shares nothing with the parser.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "gtest/gtest.h"

#include <unistd.h>

using namespace llvm;
using namespace mlir;
using namespace tileir::einsum;

namespace {
/// What parsing gives.
struct Parsed {
  SpecAttr spec;
  unsigned errors = 0;
  size_t offset = 0;
  std::string message;
};

class SpecTest : public ::testing::Test {
protected:
  SpecTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<EinsumDialect>();
  }

  Parsed tryParse(StringRef text) {
    Parsed parsed;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      parsed.message = diagnostic.str();
      return success();
    });
    parsed.spec = SpecAttr::parse(&context, text, [&](size_t offset) {
      ++parsed.errors;
      parsed.offset = offset;
      return emitError(UnknownLoc::get(&context));
    });
    return parsed;
  }

  SpecAttr parse(StringRef text) {
    Parsed parsed = tryParse(text);
    EXPECT_TRUE(parsed.spec && parsed.errors == 0)
        << '"' << text.str() << "\": " << parsed.message;
    return parsed.spec;
  }

  void expectError(StringRef text, size_t offset, StringRef message) {
    SCOPED_TRACE(text.str());
    Parsed parsed = tryParse(text);
    EXPECT_FALSE(parsed.spec);
    EXPECT_EQ(parsed.errors, 1u);
    EXPECT_EQ(parsed.offset, offset);
    EXPECT_EQ(parsed.message, message.str());
  }

  /// Operand `operand`'s map as MLIR prints it.
  std::string mapToString(SpecAttr spec, unsigned operand) {
    std::string text;
    raw_string_ostream(text) << spec.getMaps()[operand];
    return text;
  }

  MLIRContext context;
};

} // namespace

//===----------------------------------------------------------------------===//
// Indices, look-ups and maps
//===----------------------------------------------------------------------===//

TEST_F(SpecTest, PublishedSpecs) {
  // Those of examples/; indices are of kind Batch, Row, Column or Summed.
  struct Case {
    StringRef text, letters, kinds;
    unsigned numResultIndices;
    std::vector<std::string> maps;
    std::string lookups;
  };
  const Case cases[] = {
      {"mk, kn -> mn", "mnk", "MNK", 2, {"d0, d2", "d2, d1"}, ""},
      {"km, kn -> mn", "mnk", "MNK", 2, {"d2, d0", "d2, d1"}, ""},
      {"mk, nk -> mn", "mnk", "MNK", 2, {"d0, d2", "d1, d2"}, ""},
      {"ikl, kjl -> ij", "ijkl", "MNKK", 2, {"d0, d2, d3", "d2, d1, d3"}, ""},
      {"nc(h+r)(w+s), ckrs -> nkhw",
       "nkhwcrs",
       "MNMMKKK",
       4,
       {"d0, d4, d2 + d5, d3 + d6", "d4, d1, d5, d6"},
       ""},
      {"nc(h+2*r)(w+2*s), ckrs -> nkhw",
       "nkhwcrs",
       "MNMMKKK",
       4,
       {"d0, d4, d2 + d5 * 2, d3 + d6 * 2", "d4, d1, d5, d6"},
       ""},
      {"nc(2*h+r)(2*w+s), ckrs -> nkhw",
       "nkhwcrs",
       "MNMMKKK",
       4,
       {"d0, d4, d2 * 2 + d5, d3 * 2 + d6", "d4, d1, d5, d6"},
       ""},
      {"nc(h+r)(w+s), crs -> nchw",
       "nchwrs",
       "MBMMKK",
       4,
       {"d0, d1, d2 + d4, d3 + d5", "d1, d4, d5"},
       ""},
      {"nchw, ck -> nkhw",
       "nkhwc",
       "MNMMK",
       4,
       {"d0, d4, d2, d3", "d4, d1"},
       ""},
      {"nc(h+sh[c])(w+sw[c]), ck -> nkhw",
       "nkhwc",
       "MNMMK",
       4,
       {"d0, d4, d2 + s0, d3 + s1", "d4, d1"},
       "sh[4] sw[4] "},
      {"nc(h+off_h[x])(w+off_w[x]), kcx -> nkhw",
       "nkhwcx",
       "MNMMKK",
       4,
       {"d0, d4, d2 + s0, d3 + s1", "d1, d4, d5"},
       "off_h[5] off_w[5] "},
      {"nc(h+off_h[c,x])(w+off_w[c,x]), kcx -> nkhw",
       "nkhwcx",
       "MNMMKK",
       4,
       {"d0, d4, d2 + s0, d3 + s1", "d1, d4, d5"},
       "off_h[45] off_w[45] "},
      {"nths, hes -> nhte",
       "nhtes",
       "MBMNK",
       4,
       {"d0, d2, d1, d4", "d1, d3, d4"},
       ""},
      {"trus -> turs", "turs", "BBBB", 4, {"d0, d2, d1, d3"}, ""},
      {"ackm, bcnk -> abnm",
       "abnmck",
       "MNNMKK",
       4,
       {"d0, d4, d5, d3", "d1, d4, d2, d5"},
       ""}};
  for (const Case &c : cases) {
    SCOPED_TRACE(c.text.str());
    SpecAttr spec = parse(c.text);
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec.getIndices(), c.letters);
    EXPECT_EQ(spec.getNumIndices(), c.letters.size());
    EXPECT_EQ(spec.getNumResultIndices(), c.numResultIndices);
    EXPECT_EQ(spec.toString(), c.text);
    std::string lookups, kinds;
    for (LookupAttr lookup : spec.getLookups()) {
      lookups += lookup.getTable().str() + "[";
      for (unsigned letter : lookup.getIndices())
        lookups += std::to_string(letter);
      lookups += "] ";
      EXPECT_FALSE(lookup.isIndex());
    }
    EXPECT_EQ(lookups, c.lookups);
    for (unsigned letter = 0; letter < spec.getNumIndices(); ++letter) {
      kinds += "BMNK"[static_cast<int>(spec.getContractionDim(letter))];
      EXPECT_EQ(spec.isReduction(letter), c.kinds[letter] == 'K');
    }
    EXPECT_EQ(kinds, c.kinds);
    ASSERT_EQ(spec.getNumOperands(), c.maps.size());
    for (unsigned operand = 0; operand < c.maps.size(); ++operand) {
      std::string map = mapToString(spec, operand);
      EXPECT_EQ(map.substr(map.find("-> ")), "-> (" + c.maps[operand] + ")");
      EXPECT_EQ(spec.getMaps()[operand].getNumDims(), spec.getNumIndices());
      EXPECT_EQ(spec.getMaps()[operand].getNumSymbols(),
                spec.getLookups().size());
    }
  }
}

TEST_F(SpecTest, ContractionDims) {
  auto getDim = [&](StringRef text, char index) {
    SpecAttr spec = parse(text);
    return spec.getContractionDim(spec.getIndices().find(index));
  };
  // Used by a table is used.
  EXPECT_EQ(getDim("(t[c])k, ck -> ck", 'c'), ContractionDim::Batch);
  EXPECT_EQ(getDim("(t[c])k, k -> ck", 'c'), ContractionDim::M);
  EXPECT_EQ(getDim("k, (t[c])k -> ck", 'c'), ContractionDim::N);
  // So is by one operand twice, but that is one operand.
  EXPECT_EQ(getDim("ii, a -> ia", 'i'), ContractionDim::M);
  EXPECT_EQ(getDim("a, ii -> ia", 'i'), ContractionDim::N);
  EXPECT_EQ(getDim("a, i, i -> ia", 'i'), ContractionDim::Batch);
  EXPECT_EQ(getDim("i, a, i -> ia", 'i'), ContractionDim::Batch);
  // A single operand has no M.
  EXPECT_EQ(getDim("ii -> i", 'i'), ContractionDim::Batch);
  // As a symbol, too.
  EXPECT_EQ(getDim("(h*w), w -> hw", 'w'), ContractionDim::Batch);
  EXPECT_EQ(getDim("(r*w), h -> h", 'w'), ContractionDim::K);
}

TEST_F(SpecTest, Queries) {
  SpecAttr spec = parse("n(h+sh[c,d])c, (2*r)(h*w) -> nhw");
  EXPECT_EQ(spec.getIndices(), "nhwcdr");
  EXPECT_TRUE(spec.usesIndex(0u, 0));
  EXPECT_TRUE(spec.usesIndex(0u, 4));
  EXPECT_FALSE(spec.usesIndex(0u, 2));
  EXPECT_FALSE(spec.usesIndex(1u, 0));
  EXPECT_TRUE(spec.usesIndex(1u, 2));
  EXPECT_TRUE(spec.isUsed('d'));
  EXPECT_EQ(spec.getBareIndex(0, 0), 0u);
  EXPECT_EQ(spec.getBareIndex(0, 2), 3u);
  EXPECT_EQ(spec.getBareIndex(1, 0), std::nullopt);
  EXPECT_FALSE(spec.usesTable(spec.getMaps()[0].getResult(0)));
  EXPECT_TRUE(spec.usesTable(spec.getMaps()[0].getResult(1)));
  EXPECT_FALSE(spec.usesTable(spec.getMaps()[1].getResult(1)));
  EXPECT_EQ(spec.axisToString(0, 1), "h+sh[c,d]");
  EXPECT_EQ(spec.axisToString(1, 0), "2*r");
}

TEST_F(SpecTest, TablesUsedTwice) {
  SpecAttr spec = parse("(h+t[c])(w-t[c])(v[d])(t[d]) -> hw");
  ASSERT_EQ(spec.getLookups().size(), 3u);
  EXPECT_EQ(spec.getTables(), (SmallVector<StringRef>{"t", "v"}));
  EXPECT_EQ(mapToString(spec, 0),
            "(d0, d1, d2, d3)[s0, s1, s2] -> (d0 + s0, d1 - s0, s1, s2)");
  // Different indices are different look-ups of one table.
  EXPECT_EQ(parse("(t[c,d]+t[d,c]) -> ").getLookups().size(), 2u);
  EXPECT_EQ(parse("(t[c,d]+t[d,c]) -> ").getTables().size(), 1u);
  // A table may be called as an index is.
  EXPECT_EQ(parse("h(h[h]+h) -> h").getTables(), SmallVector<StringRef>{"h"});
}

TEST_F(SpecTest, IndicesAsSymbols) {
  SpecAttr spec = parse("(h*w+h/(w+1)) -> hw");
  EXPECT_EQ(mapToString(spec, 0),
            "(d0, d1)[s0] -> (d0 * s0 + d0 floordiv (s0 + 1))");
  ASSERT_EQ(spec.getLookups().size(), 1u);
  EXPECT_TRUE(spec.getLookups()[0].isIndex());
  EXPECT_EQ(spec.getLookups()[0].getIndices(), ArrayRef<unsigned>{1});
  EXPECT_TRUE(spec.getTables().empty());
}

TEST_F(SpecTest, WhiteSpace) {
  EXPECT_EQ(parse(" m\tk,\n\rk\vn->m  n "), parse("mk,kn->mn"));
  EXPECT_EQ(parse("( h + sh [ c , d ] * - 2 )->h"), parse("(h+sh[c,d]*-2)->h"));
  EXPECT_EQ(parse("( ( h ) )->h"), parse("h->h"));
}

TEST_F(SpecTest, FewAndManyIndices) {
  SpecAttr scalars = parse(", ->");
  EXPECT_EQ(scalars.getNumOperands(), 2u);
  EXPECT_EQ(scalars.getNumIndices(), 0u);
  EXPECT_EQ(scalars.toString(), ",  -> ");
  EXPECT_EQ(parse(scalars.toString()), scalars);
  StringRef all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  EXPECT_EQ(parse((all + "->" + all).str()).getNumIndices(), 52u);
  EXPECT_EQ(parse((all + "->").str()).getIndices(), all);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(SpecTest, ErrorsOfTheGrammar) { // C1
  expectError("", 0, "expected ',' or '->' after an operand, found the end");
  expectError("ij", 2, "expected ',' or '->' after an operand, found the end");
  for (auto [text, offset, found] : {std::tuple("i1 -> i", 1, "'1'"),
                                     {"i - > i", 2, "'-'"},
                                     {"i > i", 2, "'>'"},
                                     {"i+j -> i", 1, "'+'"},
                                     {"i_j -> i", 1, "'_j'"},
                                     {"i\xc3\xa9 -> i", 1, "'\xc3\xa9'"},
                                     {"i] -> i", 1, "']'"}})
    expectError(text, offset,
                std::string("expected an index, '(', ',' or '->', found ") +
                    found);
  expectError("i) -> i", 1, "unbalanced parentheses: ')' without a '('");
  for (auto [text, offset] : {std::pair("j(i -> i", 1),
                              {"j(i, j -> i", 1},
                              {"j(i", 1},
                              {"(i+ -> i", 0},
                              {"(i*", 0},
                              {"(- -> i", 0},
                              {"(i+(j -> i", 3},
                              {"((i -> i", 1},
                              {"(i*(j+, i -> i", 3}})
    expectError(text, offset, "unbalanced parentheses: '(' is not closed");
  for (auto [text, offset, found] : {std::tuple("(i j) -> i", 3, "'j'"),
                                     {"(2i) -> i", 2, "'i'"},
                                     {"(i(j)) -> i", 2, "'('"},
                                     {"(i=j) -> i", 2, "'='"},
                                     {"(s h[c]) -> c", 3, "'h'"}})
    expectError(text, offset,
                std::string("expected an operator or ')', found ") + found);
  for (auto [text, offset, found] : {std::tuple("() -> ", 1, "')'"),
                                     {"(i+) -> i", 3, "')'"},
                                     {"(i**j) -> i", 3, "'*'"},
                                     {"(+i) -> i", 1, "'+'"},
                                     {"([i]) -> i", 1, "'['"},
                                     {"(#) -> i", 1, "'#'"}})
    expectError(text, offset,
                std::string("expected an index, an integer, a table look-up or "
                            "'(', found ") +
                    found);
  for (auto [text, offset, name] : {std::tuple("(i+ij) -> i", 3, "ij"),
                                    {"(_) -> i", 1, "_"},
                                    {"(i2) -> i", 1, "i2"}})
    expectError(text, offset,
                std::string("unknown index '") + name +
                    "': expected a single letter; write a product as h*w, a "
                    "table look-up as " +
                    name + "[c]");
  expectError("i t[c] -> i", 2,
              "look-up in table 't' outside parentheses: expected (t[...])");
  for (auto [text, offset, found] : {std::tuple("(t[]) -> i", 3, "']'"),
                                     {"(t[1]) -> i", 3, "'1'"},
                                     {"(t[cd]) -> i", 3, "'cd'"},
                                     {"(t[c,]) -> i", 5, "']'"}})
    expectError(text, offset,
                std::string("expected an index in the brackets of table 't', "
                            "found ") +
                    found);
  expectError("(i)sh[c] -> i", 3,
              "look-up in table 'sh' outside parentheses: expected (sh[...])");
  expectError("(t[c+d]) -> c", 4,
              "expected ',' or ']' after the index of table 't', found '+'");
  expectError("(t[c", 4,
              "expected ',' or ']' after the index of table 't', found the "
              "end");
  expectError("ij -> i1", 7, "expected an index in the result, found '1'");
  expectError("ij -> i, j", 7, "expected an index in the result, found ','");
  expectError("ij -> i -> j", 8, "expected an index in the result, found '-'");
}

TEST_F(SpecTest, ZeroBytesAreErrors) {
  EXPECT_FALSE(tryParse(StringRef("(i\0) -> i", 9)).spec);
  EXPECT_FALSE(tryParse(StringRef("ij -> i\0j", 9)).spec);
  EXPECT_FALSE(tryParse(StringRef("ij -> ij\0", 9)).spec);
}

TEST_F(SpecTest, ErrorsOfIndices) { // C2
  expectError("ij -> iji", 8,
              "repeated result index 'i': expected each index once in the "
              "result");
  expectError("ij -> ik", 7, "result index 'k' is used by no operand");
  auto cancels = [&](StringRef text, size_t offset, const Twine &what) {
    expectError(text, offset,
                (what + " cancels out of every axis: expected an operand to "
                        "use it; leave it out")
                    .str());
  };
  cancels("i(h-h) -> i", 2, "index 'h'");
  cancels("i(0*h) -> i", 4, "index 'h'");
  cancels("i(h%1) -> i", 2, "index 'h'");
  cancels("(h-h) -> h", 1, "index 'h'");
  cancels("i(t[i]-t[i]) -> i", 2, "table 't'");
  // Where the index or table is, not where its name is.
  cancels("c(sh[c]+0*h) -> c", 10, "index 'h'");
  cancels("tc(t[c]*0) -> tc", 3, "table 't'");
  cancels("c(ab[c]-0*b[c]) -> c", 10, "table 'b'");
}

TEST_F(SpecTest, ErrorsOfMixedIndices) { // C3
  for (auto [text, offset, what] : {std::tuple("(h*r) -> h", 2, "product"),
                                    {"(2*h*3*r) -> h", 6, "product"},
                                    {"((h+r)*h) -> h", 6, "product"},
                                    {"(h+2*(h-r*h)) -> h", 9, "product"},
                                    {"((h+r)/2) -> h", 6, "division"},
                                    {"(h/(r+1)) -> h", 2, "division"},
                                    {"(-((r+h)%2)) -> h", 8, "modulus"},
                                    {"(1+t[h,r]) -> h", 3, "table look-up 't'"},
                                    {"(t[h]*t[r]) -> h", 5, "product"}})
    expectError(text, offset,
                std::string(what) +
                    " mixes result index 'h' and reduced index 'r': an axis "
                    "must be f(result indices) + g(reduced indices)");
}

TEST_F(SpecTest, ErrorsOfConstants) { // C4, C5
  for (StringRef number : {"9223372036854775808", "18446744073709551616",
                           "99999999999999999999999999"})
    expectError(("(h+" + number + ") -> h").str(), 3,
                ("constant " + number +
                 " overflows: expected at most 9223372036854775807")
                    .str());
  for (auto [text, offset] : {std::pair("(9223372036854775807+1) -> ", 20),
                              {"(9223372036854775807*2) -> ", 20},
                              {"(-9223372036854775807-2) -> ", 21},
                              {"(3037000500*h*3037000500) -> h", 13},
                              {"(2*(4611686018427387904*h)) -> h", 2},
                              {"(9223372036854775807*(h+1)) -> h", 20}})
    expectError(text, offset,
                "constants of this axis overflow: expected products and sums "
                "of at most 9223372036854775807");
  for (auto [text, offset, what] :
       {std::tuple("(h/0) -> h", 3, "division by 0"),
        {"(h%0) -> h", 3, "modulus by 0"},
        {"(h/-1) -> h", 3, "division by -1"},
        {"(h%(2-5)) -> h", 5, "modulus by -3"},
        {"(1/0) -> ", 3, "division by 0"},
        {"(h/(w-w)) -> hw", 5, "division by 0"},
        {"(5/(1/0)) -> ", 6, "division by 0"},
        {"(5%(1%(0-2))) -> ", 8, "modulus by -2"},
        {"(h*(3+w/(0*w))) -> hw", 10, "division by 0"}})
    expectError(text, offset,
                std::string(what) + ": expected a positive divisor");
}

TEST_F(SpecTest, ErrorsOfTables) { // C6
  expectError("(t[c]+t[c,d]) -> cd", 6,
              "table 't' is indexed by 2 indices here, but by 1 before");
  expectError("(t[c,d]), (t[d]) -> cd", 11,
              "table 't' is indexed by 1 indices here, but by 2 before");
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Parses and prints `text` in a process of its own, which a stack overflow or
/// the time limit would end. Expects it to be valid, or an error.
static void expectQuick(const std::string &text, bool isValid) {
  auto run = [&] {
    alarm(5);
    MLIRContext context(MLIRContext::Threading::DISABLED);
    context.loadDialect<EinsumDialect>();
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
    auto parse = [&](StringRef text) {
      return SpecAttr::parse(&context, text, [&](size_t offset) {
        return emitError(UnknownLoc::get(&context));
      });
    };
    SpecAttr spec = parse(text);
    bool ok = bool(spec) == isValid;
    if (ok && spec)
      ok = parse(spec.toString()) == spec;
    _exit(ok ? 0 : 1);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "")
      << text.size() << " bytes: " << text.substr(0, 30);
}

static std::string repeat(StringRef text, size_t count) {
  return join(SmallVector<StringRef>(count, text), "");
}

TEST_F(SpecTest, AxesHaveAtMost1000Operands) {
  EXPECT_TRUE(parse("(h" + repeat("+1", 999) + ") -> h"));
  expectError("h(h" + repeat("+1", 1000) + ") -> h", 2002,
              "axis is too long: expected at most 1000 indices, integers and "
              "parentheses");
}

TEST_F(SpecTest, DeepAxesDoNotCrash) {
  for (size_t depth : {300u, 10000u, 100000u}) {
    SCOPED_TRACE(depth);
    bool isValid = depth == 300;
    expectQuick(repeat("(", depth) + "h" + repeat(")", depth) + " -> h",
                isValid);
    expectQuick("h(" + repeat("-", depth) + "h) -> h", isValid);
    expectQuick("(h" + repeat("+w+h", depth / 2) + ") -> hw", isValid);
    expectQuick("(h" + repeat("+r+h", depth / 2) + ") -> h", isValid);
    expectQuick("(h" + repeat("*w", depth) + ") -> hw", isValid);
    expectQuick("(h" + repeat("/2+1", depth / 2) + ") -> h", isValid);
    expectQuick("h(h" + repeat("%2*3+h", depth / 4) + ") -> h", isValid);
    expectQuick(repeat("(h-", depth / 2) + "w" + repeat(")", depth / 2) +
                    " -> hw",
                isValid);
    expectQuick("h(1" + repeat("/(h+1", depth / 3) + repeat(")", depth / 3) +
                    ") -> h",
                isValid);
    expectQuick(repeat("(", depth) + " -> h", false);
  }
}

TEST_F(SpecTest, LongSpecsAreQuick) {
  expectQuick(repeat("h", 100000) + " -> h", true);
  expectQuick(repeat("h,", 50000) + "h -> h", true);
  expectQuick(repeat("(h+1)", 20000) + " -> h", true);
  expectQuick("(h" + repeat(" ", 100000) + ") -> h", true);
  expectQuick("(" + repeat("t", 100000) + "[h]) -> h", true);
  expectQuick("h(t[" + repeat("h,", 50000) + "h]) -> h", true);
  expectQuick("(" + repeat("9", 100000) + ") -> h", false);
  expectQuick("h -> " + repeat("h", 100000), false);
  std::string tables;
  for (unsigned i = 0; i < 12000; ++i)
    tables += "(t" + std::to_string(i) + "[h])";
  expectQuick(tables + " -> h", true);
}
