//===- LiftOperands.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands and modifiers of statements: registers, special registers, numbers,
// variables and addresses.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim::ptx {

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

std::optional<ValueType> getValueType(LLVMContext &context, StringRef name) {
  unsigned bits = getTypeBits(name);
  if (bits == 0)
    return std::nullopt;
  auto scalar = StringSwitch<Type *>(name)
                    .Cases({"f16", "f16x2"}, Type::getHalfTy(context))
                    .Cases({"bf16", "bf16x2"}, Type::getBFloatTy(context))
                    .Cases({"f32", "f32x2"}, Type::getFloatTy(context))
                    .Case("f64", Type::getDoubleTy(context))
                    .Default(nullptr);
  ValueType type;
  type.name = name;
  type.isFloat = scalar;
  type.isSigned = name.starts_with("s");
  bool isPair = name.ends_with("x2") && !name.starts_with("e");
  if (!scalar)
    scalar = IntegerType::get(context, isPair ? bits / 2 : bits);
  type.type = isPair ? FixedVectorType::get(scalar, 2) : scalar;
  return type;
}

bool Modifiers::take(StringRef modifier) {
  auto found = find(left, modifier);
  if (found == left.end())
    return false;
  left.erase(found);
  return true;
}

StringRef Modifiers::takeOneOf(ArrayRef<StringRef> modifiers) {
  for (StringRef modifier : modifiers)
    if (take(modifier))
      return modifier;
  return "";
}

void Modifiers::takeCacheHints() {
  erase_if(left, [](StringRef modifier) {
    return modifier.starts_with("L1::") || modifier.starts_with("L2::") ||
           StringSwitch<bool>(modifier)
               .Cases({"ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc"}, true)
               .Default(false);
  });
}

StringRef Modifiers::takeFirst() {
  if (left.empty())
    return "";
  StringRef first = left.front();
  left.erase(left.begin());
  return first;
}

std::optional<ValueType> Modifiers::takeTypeAt(size_t i) {
  auto type = getValueType(context, left[i]);
  left.erase(left.begin() + i);
  return type;
}

std::optional<ValueType> Modifiers::takeType() {
  for (size_t i = 0; i < left.size(); ++i)
    if (getTypeBits(left[i]) > 0)
      return takeTypeAt(i);
  return std::nullopt;
}

std::optional<ValueType> Modifiers::takeLastType() {
  for (size_t i = left.size(); i-- > 0;)
    if (getTypeBits(left[i]) > 0)
      return takeTypeAt(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value *toInteger(Lifter &l, Value *value) {
  Type *type = value->getType();
  if (type->isIntegerTy())
    return value;
  if (type->isPointerTy())
    return l.b.CreatePtrToInt(value,
                              l.module.getDataLayout().getIntPtrType(type));
  return l.b.CreateBitCast(value, l.integer(type->getPrimitiveSizeInBits()));
}

Value *Lifter::castBits(Value *value, Type *type, bool isSigned) {
  if (value->getType() == type)
    return value;
  value = toInteger(*this, value);
  if (type->isPointerTy())
    return b.CreateIntToPtr(value, type);
  Type *bits = integer(type->getPrimitiveSizeInBits());
  value = isSigned ? b.CreateSExtOrTrunc(value, bits)
                   : b.CreateZExtOrTrunc(value, bits);
  return b.CreateBitCast(value, type);
}

/// What CUDA keeps of a block's shared memory, and clears, since Ampere:
/// cooperative groups of several warps need 288 bytes.
static GlobalVariable *getReservedShared(Module &module) {
  constexpr StringLiteral name = "tileir.ptx.reserved_smem";
  if (GlobalVariable *variable = module.getNamedGlobal(name))
    return variable;
  auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), 288);
  auto *variable =
      new GlobalVariable(module, type, /*isConstant=*/false,
                         GlobalValue::InternalLinkage, PoisonValue::get(type),
                         name, nullptr, GlobalValue::NotThreadLocal, kShared);
  variable->setAlignment(Align(16));
  variable->setExternallyInitialized(true);
  return variable;
}

Value *Lifter::readSpecial(StringRef name) {
  name = name.drop_front(); // %
  if (name == "reserved_smem_offset_1")
    return b.CreatePtrToInt(getReservedShared(module), b.getInt32Ty());
  if (name == "clock_hi" || name == "globaltimer_hi")
    return b.CreateLShr(
        callIntrinsic("llvm.nvvm.read.ptx.sreg." +
                          Twine(name == "clock_hi" ? "clock64" : "globaltimer"),
                      {}),
        32);
  std::string known = name.str();
  if (name.starts_with("lanemask_"))
    known[8] = '.';
  if (name == "globaltimer_lo")
    known = "globaltimer.lo";
  if (name == "tid" || name == "ntid" || name == "ctaid" || name == "nctaid")
    known += ".x";
  if (name == "is_explicit_cluster")
    return callIntrinsic("llvm.nvvm.is_explicit_cluster", {});
  if (name.starts_with("cluster_"))
    known[7] = '.';
  return callIntrinsic("llvm.nvvm.read.ptx.sreg." + known, {});
}

Value *Lifter::readName(const Operand &operand, Type *type) {
  if (AllocaInst *reg = findRegister(operand.name)) {
    Value *value = b.CreateLoad(reg->getAllocatedType(), reg);
    if (operand.offset)
      value = b.CreateAdd(
          value, ConstantInt::getSigned(value->getType(), operand.offset,
                                        /*ImplicitTrunc=*/true));
    return castBits(value, type);
  }
  if (const Symbol *symbol = findSymbol(operand.name);
      symbol && symbol->pointer) {
    Value *value = b.CreatePtrToInt(symbol->pointer, b.getInt64Ty());
    if (operand.offset)
      value = b.CreateAdd(value, b.getInt64(operand.offset));
    return castBits(value, type);
  }
  if (operand.name == "WARP_SZ")
    return castBits(b.getInt32(32), type);
  if (operand.name.starts_with("%"))
    if (Value *value = readSpecial(operand.name))
      return castBits(value, type);
  fail("'" + operand.name + "' is no register or variable that is known");
  return nullptr;
}

Value *Lifter::read(const Operand &operand, Type *type) {
  Value *value = nullptr;
  switch (operand.kind) {
  case Operand::Kind::Name:
    if (operand.minus)
      fail("a minus before '" + operand.name + "' is not known here");
    value = readName(operand, type);
    break;
  case Operand::Kind::Integer:
    value = castBits(ConstantInt::get(b.getContext(), APInt(64, operand.bits)),
                     type);
    break;
  case Operand::Kind::Float: {
    APFloat number(operand.isSingle ? APFloat::IEEEsingle()
                                    : APFloat::IEEEdouble(),
                   APInt(operand.isSingle ? 32 : 64, operand.bits));
    bool ignored;
    if (type->isFloatingPointTy())
      number.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven,
                     &ignored);
    else if (!operand.isSingle && type->getPrimitiveSizeInBits() == 32)
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &ignored);
    value = castBits(ConstantFP::get(context, number), type);
    break;
  }
  case Operand::Kind::List:
    if (operand.elements.size() == 1)
      value = read(operand.elements[0], type);
    else
      fail("expected a register or a number, found a list");
    break;
  default:
    fail("expected a register or a number");
  }
  // Lifting goes on to the end of the statement.
  if (!value)
    return PoisonValue::get(type);
  if (operand.negated)
    value = b.CreateNot(value);
  return value;
}

void Lifter::write(const Operand &operand, Value *value, bool isSigned) {
  if (operand.kind == Operand::Kind::Discard)
    return;
  if (operand.isList() && operand.elements.size() == 1)
    return write(operand.elements[0], value, isSigned);
  AllocaInst *reg = operand.isName() ? findRegister(operand.name) : nullptr;
  if (!reg) {
    fail("expected a register for the result, found '" + operand.name + "'");
    return;
  }
  Type *type = reg->getAllocatedType();
  value = castBits(value, type, isSigned);
  if (guard)
    value = b.CreateSelect(guard, value, b.CreateLoad(type, reg));
  b.CreateStore(value, reg);
}

unsigned Lifter::getRegisterBits(const Operand &operand) {
  AllocaInst *reg = operand.isName() ? findRegister(operand.name) : nullptr;
  return reg ? reg->getAllocatedType()->getIntegerBitWidth() : 0;
}

Value *Lifter::getPointer(const Operand &operand, unsigned space) {
  Type *type = b.getPtrTy(space);
  if (operand.kind != Operand::Kind::Address) {
    fail("expected an address in brackets");
    return PoisonValue::get(type);
  }
  Value *pointer = nullptr;
  Operand base;
  base.kind = Operand::Kind::Name;
  base.name = operand.name;
  if (operand.name.empty())
    return b.CreateIntToPtr(b.getInt64(operand.offset), type);
  if (unsigned bits = getRegisterBits(base)) {
    pointer = b.CreateIntToPtr(read(base, integer(bits)), type);
  } else if (const Symbol *symbol = findSymbol(operand.name);
             symbol && symbol->pointer) {
    pointer = symbol->pointer;
    if (pointer->getType() != type)
      pointer = b.CreateAddrSpaceCast(pointer, type);
  } else {
    fail("'" + operand.name + "' is no register or variable that is known");
    return PoisonValue::get(type);
  }
  if (operand.offset == 0)
    return pointer;
  return b.CreateGEP(b.getInt8Ty(), pointer, b.getInt64(operand.offset));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value *Lifter::callIntrinsic(const Twine &name, ArrayRef<Value *> operands,
                             ArrayRef<Type *> overloads) {
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name.str());
  if (id == Intrinsic::not_intrinsic ||
      Intrinsic::isOverloaded(id) == overloads.empty()) {
    fail("'" + name + "' is not known");
    return nullptr;
  }
  llvm::Function *callee =
      Intrinsic::getOrInsertDeclaration(&module, id, overloads);
  FunctionType *type = callee->getFunctionType();
  if (type->getNumParams() != operands.size()) {
    fail("expected " + Twine(type->getNumParams()) + " values, found " +
         Twine(operands.size()));
    return nullptr;
  }
  SmallVector<Value *> arguments;
  for (auto [operand, parameter] : zip_equal(operands, type->params()))
    arguments.push_back(castBits(operand, parameter));
  return b.CreateCall(callee, arguments);
}

Value *Lifter::flush(Value *value) {
  Type *scalar = value->getType()->getScalarType();
  if (!scalar->isFloatTy() && !scalar->isHalfTy())
    return value;
  StringRef type = value->getType()->isVectorTy() ? "f16x2"
                   : scalar->isHalfTy()           ? "f16"
                                                  : "f32";
  return callOwn("flush." + type, value->getType(), {value});
}

Value *Lifter::callOwn(const Twine &name, Type *type,
                       ArrayRef<Value *> operands, bool hasEffect) {
  SmallVector<Type *> types;
  std::string full = ("tileir.ptx." + name).str();
  for (Value *operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee = module.getOrInsertFunction(
      full, FunctionType::get(type, types, /*isVarArg=*/false));
  auto *function = cast<llvm::Function>(callee.getCallee());
  if (!hasEffect)
    function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return b.CreateCall(callee, operands);
}

} // namespace tileir::sim::ptx
