//===- DecodeWmma.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes llvm.nvvm.wmma.*: fragments of whole tiles, which PTX loads,
// multiplies and stores without saying what a lane holds. Here they are the
// fragments of mma.sync side by side (MmaLayout.h), so that loads and stores
// become accesses of single lanes, and products become those of mma.sync:
//
// A lane is g = lane / 4, t = lane % 4. A fragment consists of parts of 32 bits
// (of f64: 64), `width` elements next to each other. One coordinate of them is
// g + 8 * across, across from 0 up; the other one is width * (t + 4 * along)
// and up. Parts are in the order of across, then along. For A the first one is
// the row, for B the column, for C and D the row; of m8n32k16, which is
// computed as the transpose of m32n8k16, the column. f16 has room for more of A
// and B than there is: the parts repeat.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <optional>

using namespace llvm;

namespace tileir::sim {
namespace {

struct WmmaShape {
  unsigned m = 0, n = 0, k = 0;

  bool isTransposed() const { return m == 8 && n == 32; }
};

/// How elements of a type lie in registers and memory.
struct WmmaType {
  unsigned bits = 0;
  bool isPacked = false; ///< several of one i32, not one scalar each
};

/// A fragment of one operand.
struct Fragment {
  WmmaType type;
  unsigned across = 0; ///< parts in the direction of g
  unsigned along = 0;
  unsigned width = 1; ///< elements of a part
  bool acrossIsRow = true;

  unsigned getParts() const { return across * along; }
  /// Scalars that hold a part.
  unsigned getScalars() const { return type.isPacked ? 1 : width; }
};

} // namespace

static std::optional<WmmaShape> parseShape(StringRef name) {
  WmmaShape shape;
  if (!name.consume_front("m") || name.consumeInteger(10, shape.m) ||
      !name.consume_front("n") || name.consumeInteger(10, shape.n) ||
      !name.consume_front("k") || name.consumeInteger(10, shape.k))
    return std::nullopt;
  return shape;
}

static std::optional<WmmaType> parseType(StringRef name) {
  using Type = std::optional<WmmaType>;
  return StringSwitch<Type>(name)
      .Case("f16", WmmaType{16, false})
      .Case("bf16", WmmaType{16, true})
      .Case("tf32", WmmaType{32, true})
      .Cases({"s8", "u8"}, WmmaType{8, true})
      .Cases({"s4", "u4"}, WmmaType{4, true})
      .Case("b1", WmmaType{1, true})
      .Case("f32", WmmaType{32, false})
      .Case("s32", WmmaType{32, false})
      .Case("f64", WmmaType{64, false})
      .Default(std::nullopt);
}

static Fragment getFragment(const WmmaShape &shape, char matrix,
                            const WmmaType &type) {
  Fragment fragment;
  fragment.type = type;
  if (matrix == 'c' || matrix == 'd') {
    fragment.width = 2;
    fragment.acrossIsRow = !shape.isTransposed();
    unsigned across = fragment.acrossIsRow ? shape.m : shape.n;
    fragment.across = across / 8;
    fragment.along = shape.m * shape.n / across / 8;
    return fragment;
  }
  fragment.width = type.bits < 32 ? 32 / type.bits : 1;
  fragment.acrossIsRow = matrix == 'a';
  fragment.across = (matrix == 'a' ? shape.m : shape.n) / 8;
  fragment.along = shape.k / (4 * fragment.width);
  return fragment;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// Emits the accesses of a fragment, part by part.
class FragmentAccess {
public:
  /// `stride` is the register of the leading dimension.
  FragmentAccess(Decoder &decoder, const Fragment &fragment,
                 const Value *pointer, Register stride, bool isRowMajor)
      : decoder(decoder), a(decoder, Type::getInt32Ty(pointer->getContext())),
        fragment(fragment), pointer(pointer), stride(stride),
        isContiguous(isRowMajor == fragment.acrossIsRow) {
    Register lane = decoder.makeTemporary(false);
    decoder.emit(Opcode::ReadSpecial, lane, kNoRegister, kNoRegister,
                 kNoRegister, int64_t(SpecialRegister::LaneId));
    group = a.apply(Opcode::LShr32, lane, a.constant(2));
    Register inGroup = a.apply(Opcode::And32, lane, a.constant(3));
    first = a.apply(Opcode::Mul32, inGroup, a.constant(fragment.width));
  }

  SmallVector<Register> load(unsigned across, unsigned along) {
    SmallVector<Register> scalars;
    if (isContiguous) {
      Access access = makeAccess(Opcode::Load, /*isWhole=*/true);
      for (unsigned i = 0; i < access.elements; ++i)
        scalars.push_back(decoder.makeTemporary(access.elementBytes == 8));
      decoder.emitAccess(access, getAddress(across, along, 0), scalars, {});
      return scalars;
    }
    for (unsigned i = 0; i < fragment.width; ++i) {
      Access access = makeAccess(Opcode::Load, /*isWhole=*/false);
      scalars.push_back(decoder.makeTemporary(access.elementBytes == 8));
      decoder.emitAccess(access, getAddress(across, along, i), {scalars.back()},
                         {});
    }
    if (fragment.type.isPacked && fragment.width > 1)
      return decoder.regroup(
          scalars, SmallVector<unsigned>(fragment.width, fragment.type.bits),
          {32});
    return scalars;
  }

  /// Of C and D: two scalars.
  void store(unsigned across, unsigned along, ArrayRef<Register> scalars) {
    if (isContiguous) {
      decoder.emitAccess(makeAccess(Opcode::Store, true),
                         getAddress(across, along, 0), {}, scalars);
      return;
    }
    for (auto [i, scalar] : enumerate(scalars))
      decoder.emitAccess(makeAccess(Opcode::Store, false),
                         getAddress(across, along, i), {}, {scalar});
  }

private:
  Access makeAccess(Opcode opcode, bool isWhole) {
    Access access;
    access.opcode = opcode;
    access.space = Decoder::getSpace(pointer);
    bool isWord = isWhole && fragment.type.isPacked;
    access.elementBytes = isWord ? 4 : fragment.type.bits / 8;
    access.elements = isWhole && !isWord ? fragment.width : 1;
    access.bytes = access.elementBytes * access.elements;
    return access;
  }

  /// Of element `i` of a part; those of less than a byte are accessed by whole
  /// words only.
  Address getAddress(unsigned across, unsigned along, unsigned i) {
    size_t begin = decoder.program.code.size();
    Register g = a.apply(Opcode::Add32, group, a.constant(8 * across));
    Register s = a.apply(Opcode::Add32, first,
                         a.constant(4 * fragment.width * along + i));
    Register major = isContiguous ? g : s, minor = isContiguous ? s : g;
    Register index =
        a.apply(Opcode::Add32, a.apply(Opcode::Mul32, major, stride), minor);
    unsigned bits = fragment.type.bits;
    if (bits < 8)
      index = a.apply(Opcode::LShr32, index, a.constant(Log2_32(8 / bits)));
    Address address = decoder.getAddress(pointer);
    address.base = a.emit(Opcode::MulAdd32, true, address.base, index,
                          kNoRegister, std::max(bits / 8, 1u));
    decoder.markParts(begin);
    return address;
  }

  Decoder &decoder;
  Arithmetic a;
  const Fragment &fragment;
  const Value *pointer;
  Register stride, group, first;
  bool isContiguous;
};
} // namespace

/// load.{a,b,c}.{row,col}[.stride].<type>, store.d...
static bool decodeAccess(Decoder &decoder, CallBase &call,
                         const WmmaShape &shape, ArrayRef<StringRef> parts) {
  bool isLoad = parts[0] == "load";
  if (parts.size() < 4 || parts[1].size() != 1)
    return false;
  char matrix = parts[1][0];
  bool isRowMajor = parts[2] == "row", hasStride = parts[3] == "stride";
  auto type = parseType(parts.back());
  if (!type)
    return false;
  Fragment fragment = getFragment(shape, matrix, *type);
  bool isContiguous = isRowMajor == fragment.acrossIsRow;
  if (type->bits < 8 && !isContiguous)
    return false; // LLVM has none
  unsigned rows = matrix == 'b' ? shape.k : shape.m;
  unsigned columns = matrix == 'a' ? shape.k : shape.n;
  Register stride =
      hasStride
          ? decoder.useScalar(call.getArgOperand(call.arg_size() - 1))
          : decoder.getConstant(isRowMajor ? columns : rows, /*wide=*/false);
  FragmentAccess access(decoder, fragment, call.getArgOperand(0), stride,
                        isRowMajor);
  if (isLoad) {
    SmallVector<Register> scalars;
    for (unsigned x = 0; x < fragment.across; ++x)
      for (unsigned y = 0; y < fragment.along; ++y)
        append_range(scalars, access.load(x, y));
    size_t wanted = Decoder::flatten(call.getType()).size();
    if (scalars.empty() || wanted % scalars.size() != 0)
      return false;
    for (size_t i = 0; scalars.size() < wanted; ++i)
      scalars.push_back(Register(scalars[i]));
    decoder.rename(call, scalars);
    return true;
  }
  SmallVector<Register> scalars;
  for (unsigned i = 1, e = call.arg_size() - hasStride; i < e; ++i)
    append_range(scalars, decoder.use(call.getArgOperand(i)));
  if (scalars.size() != fragment.getParts() * fragment.getScalars())
    return false;
  for (unsigned x = 0; x < fragment.across; ++x)
    for (unsigned y = 0; y < fragment.along; ++y)
      access.store(x, y,
                   ArrayRef(scalars).slice(2 * (x * fragment.along + y), 2));
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// An operand: the scalars of each part.
struct Operand {
  Fragment fragment;
  SmallVector<Register> scalars;

  /// The scalars of parts of some rows of `across`, in the order of mma.sync:
  /// along, then across.
  SmallVector<Register> getTile(unsigned first, unsigned count) const {
    SmallVector<Register> tile;
    for (unsigned y = 0; y < fragment.along; ++y)
      for (unsigned x = first; x < first + count; ++x)
        append_range(tile, getPart(x, y));
    return tile;
  }
  ArrayRef<Register> getPart(unsigned x, unsigned y) const {
    unsigned n = fragment.getScalars();
    return ArrayRef(scalars).slice((x * fragment.along + y) * n, n);
  }
};
} // namespace

/// Four numbers of four bits, of which `shift` says which, as bytes.
static Register expandNibbles(Arithmetic &a, Register r, unsigned shift,
                              bool isSigned) {
  Register result = a.constant(0);
  for (unsigned i = 0; i < 4; ++i) {
    Register moved = a.apply(Opcode::LShr32, r, a.constant(shift + 4 * i));
    Register nibble = a.apply(Opcode::And32, moved, a.constant(0xf));
    Register placed = a.apply(Opcode::Shl32, nibble, a.constant(8 * i));
    result = a.apply(Opcode::Or32, result, placed);
  }
  if (!isSigned)
    return result;
  // The sign bit of each, four places up.
  Register signs = a.apply(Opcode::And32, result, a.constant(0x08080808));
  return a.apply(Opcode::Or32, result,
                 a.apply(Opcode::Mul32, signs, a.constant(0x1e)));
}

/// Four bits as bytes of 0 or 1; for exclusive or, of 1 or -1.
static Register expandBits(Arithmetic &a, Register r, unsigned shift,
                           bool isXor) {
  Register result = a.constant(isXor ? 0x01010101 : 0);
  for (unsigned i = 0; i < 4; ++i) {
    Register moved = a.apply(Opcode::LShr32, r, a.constant(shift + i));
    Register bit = a.apply(Opcode::And32, moved, a.constant(1));
    // 1 xor 0xfe is 0xff.
    Register placed =
        a.apply(Opcode::Mul32, bit, a.constant((isXor ? 0xfeu : 1u) << 8 * i));
    result = a.apply(Opcode::Xor32, result, placed);
  }
  return result;
}

/// x + y of i32, at the ends of the type where it does not hold the sum.
static Register addSaturated(Arithmetic &a, Register x, Register y) {
  Arithmetic wide(a.decoder, Type::getInt64Ty(a.type->getContext()));
  Register sum = wide.apply(Opcode::Add32, a.emit(Opcode::SExtTo64, true, x),
                            a.emit(Opcode::SExtTo64, true, y));
  using Limits = std::numeric_limits<int32_t>;
  sum = wide.apply(Opcode::SMin32, sum, wide.constant(Limits::max()));
  sum = wide.apply(Opcode::SMax32, sum,
                   wide.constant(uint64_t(int64_t(Limits::min()))));
  return a.emit(Opcode::Truncate, false, sum);
}

/// m8n8k32 of s4 and u4, m8n8k128 of b1: products of bytes, one after another.
/// The order of k is any, as long as A and B have the same.
static SmallVector<Register> multiplySmall(Decoder &decoder, CallBase &call,
                                           StringRef type, bool isXor,
                                           bool saturates,
                                           ArrayRef<Register> operands) {
  Arithmetic a(decoder, Type::getInt32Ty(call.getContext()));
  bool isBits = type == "b1", isSigned = type == "s4" || isXor;
  unsigned step = isBits ? 4 : 16;
  SmallVector<Register> sums(2, a.constant(0));
  Mma mma =
      *parseMma(isSigned ? "mma.m8n8k16.row.col.s8" : "mma.m8n8k16.row.col.u8");
  for (unsigned shift = 0; shift < 32; shift += step) {
    SmallVector<Register> uses;
    for (unsigned i = 0; i < 2; ++i)
      uses.push_back(isBits ? expandBits(a, operands[i], shift, isXor)
                            : expandNibbles(a, operands[i], shift, isSigned));
    append_range(uses, sums);
    sums = {decoder.makeTemporary(false), decoder.makeTemporary(false)};
    emitMma(decoder, mma, sums, uses);
  }
  for (unsigned i = 0; i < 2; ++i) {
    // A bit that differs gives -1 in place of 1.
    if (isXor)
      sums[i] = a.apply(Opcode::AShr32,
                        a.apply(Opcode::Sub32, a.constant(128), sums[i]),
                        a.constant(1));
    Register c = operands[2 + i];
    sums[i] = saturates ? addSaturated(a, c, sums[i])
                        : a.apply(Opcode::Add32, c, sums[i]);
  }
  return sums;
}

/// Infinities become the largest numbers of the type.
static void limitToFinite(Decoder &decoder, CallBase &call,
                          MutableArrayRef<Register> scalars, StringRef type) {
  Arithmetic a(decoder, type == "f16" ? Type::getHalfTy(call.getContext())
                                      : Type::getFloatTy(call.getContext()));
  double largest =
      APFloat::getLargest(a.type->getFltSemantics()).convertToDouble();
  for (Register &r : scalars) {
    r = a.apply(Opcode::FMinimumF16, r, a.number(largest));
    r = a.apply(Opcode::FMaximumF16, r, a.number(-largest));
  }
}

/// mma.<layout of A>.<of B>.<types>[.satfinite]; the layouts are those of
/// loads, and say nothing of fragments.
static bool decodeProduct(Decoder &decoder, CallBase &call,
                          const WmmaShape &shape, ArrayRef<StringRef> parts) {
  bool saturates = parts.back() == "satfinite";
  if (saturates)
    parts = parts.drop_back();
  bool isXor = parts[1] == "xor";
  if (isXor || parts[1] == "and") // .popc
    parts = parts.drop_front(2);
  if (parts.size() < 4)
    return false;
  ArrayRef<StringRef> types = parts.drop_front(3);
  if (types.size() == 2 && types[0] == "rn") // of f64
    types = types.drop_front();
  if (types.size() == 2 && types[0].starts_with("r"))
    return false;
  // Of f16 the types of D and C are named.
  bool isHalf = types.size() == 2;
  StringRef name = isHalf ? StringRef("f16") : types[0];
  bool isInteger = name != "b1" && (name[0] == 's' || name[0] == 'u');
  auto type = parseType(name);
  auto cType = parseType(isHalf                      ? types[1]
                         : name == "f64"             ? "f64"
                         : isInteger || name == "b1" ? "s32"
                                                     : "f32");
  if (!type || !cType)
    return false;
  SmallVector<Register> all;
  for (Value *argument : call.args())
    append_range(all, decoder.use(argument));
  Operand a{getFragment(shape, 'a', *type), {}};
  Operand b{getFragment(shape, 'b', *type), {}};
  Operand c{getFragment(shape, 'c', *cType), {}};
  // f16 has room for 16 elements of A and of B.
  size_t offset = 0;
  for (Operand *operand : {&a, &b, &c}) {
    size_t count =
        operand->fragment.getParts() * operand->fragment.getScalars();
    size_t room = isHalf && operand != &c ? 16 : count;
    if (offset + room > all.size())
      return false;
    append_range(operand->scalars, ArrayRef(all).slice(offset, count));
    offset += room;
  }
  if (offset != all.size())
    return false;
  if (type->bits < 8) {
    decoder.rename(call,
                   multiplySmall(decoder, call, name, isXor, saturates, all));
    return true;
  }
  if (shape.isTransposed())
    std::swap(a, b);
  unsigned rows = a.fragment.across * 8, columns = b.fragment.across * 8;
  unsigned m = rows == 8 ? 8 : 16;
  std::string text = "mma.m" + std::to_string(m) + "n8k" +
                     std::to_string(shape.k) + ".row.col." +
                     (saturates && isInteger ? "satfinite." : "") +
                     join(types, ".");
  std::optional<Mma> mma = parseMma(text);
  if (!mma)
    return false;
  SmallVector<Register> results(c.scalars.size(), kNoRegister);
  bool isWide = type->bits == 64;
  for (unsigned i = 0; i < rows / m; ++i)
    for (unsigned j = 0; j < columns / 8; ++j) {
      SmallVector<Register> uses = a.getTile(i * m / 8, m / 8), defs;
      append_range(uses, b.getTile(j, 1));
      for (unsigned x = i * m / 8; x < (i + 1) * m / 8; ++x)
        for (unsigned e = 0; e < 2; ++e) {
          unsigned place = 2 * (x * c.fragment.along + j) + e;
          uses.push_back(c.scalars[place]);
          defs.push_back(results[place] = decoder.makeTemporary(isWide));
        }
      emitMma(decoder, *mma, defs, uses);
    }
  if (saturates && !isInteger)
    limitToFinite(decoder, call, results, types[0]);
  decoder.rename(call, results);
  return true;
}

Expected<bool> decodeWmma(Decoder &decoder, CallBase &call, StringRef name) {
  SmallVector<StringRef, 8> parts;
  name.split(parts, '.');
  bool isKnown = false;
  auto shape = parts.size() > 3 ? parseShape(parts[1]) : std::nullopt;
  if (shape) {
    ArrayRef<StringRef> rest = ArrayRef(parts).drop_front(2);
    isKnown = rest[0] == "mma" ? decodeProduct(decoder, call, *shape, rest)
                               : decodeAccess(decoder, call, *shape, rest);
  }
  if (!isKnown)
    return decoder.unsupported(call, "llvm.nvvm." + name);
  return true;
}

} // namespace tileir::sim
