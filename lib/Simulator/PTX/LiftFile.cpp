//===- LiftFile.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes an LLVM module of a .ptx file: variables with their initial values,
// functions with their parameters.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftLocations.h"
#include "PTX/Lifter.h"
#include "PTX/PTX.h"

#include "Load/LoadModule.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
class FileLifter {
public:
  FileLifter(const File &file, StringRef name, LLVMContext &context)
      : file(file), name(name), context(context),
        module(std::make_unique<Module>(name, context)),
        locations(file, name, *module) {
    module->setTargetTriple(Triple(kTargetTriple));
    module->setDataLayout(Triple(kTargetTriple).computeDataLayout());
  }

  Expected<std::unique_ptr<Module>> lift();

private:
  Error addVariable(const Variable &variable);
  Error initialize(const Variable &variable);
  Error declare(const Function &function);
  void define(const Function &function);
  Type *getStorage(const Variable &variable);
  Type *getParameterType(const Function &function, const Variable &variable);
  Error makeError(unsigned line, const Twine &message) {
    return createStringError(name + ":" + Twine(line) + ": " + message);
  }

  const File &file;
  StringRef name;
  LLVMContext &context;
  std::unique_ptr<Module> module;
  LocationLifter locations;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static uint64_t getBytes(const Variable &variable) {
  return std::max(1u, getTypeBits(variable.type) / 8) *
         uint64_t(variable.lanes) * variable.elements.value_or(1);
}

static Align getAlignment(const Variable &variable) {
  if (variable.alignment)
    return Align(variable.alignment);
  return Align(std::max(1u, getTypeBits(variable.type) / 8) * variable.lanes);
}

Type *FileLifter::getStorage(const Variable &variable) {
  return ArrayType::get(Type::getInt8Ty(context), getBytes(variable));
}

Error FileLifter::addVariable(const Variable &variable) {
  unsigned space = StringSwitch<unsigned>(variable.space)
                       .Case("global", kGlobal)
                       .Case("shared", kShared)
                       .Case("const", kConst)
                       .Default(kGeneric);
  if (space == kGeneric)
    return makeError(variable.line, "variable '" + variable.name + "' in '." +
                                        variable.space +
                                        "': expected .global, .const or "
                                        ".shared outside of functions");
  if (getBytes(variable) > (uint64_t(1) << 32))
    return makeError(variable.line, "variable '" + variable.name + "' has " +
                                        Twine(getBytes(variable)) +
                                        " bytes: expected at most 2^32");
  // Of two files that are one, a declaration may come before.
  if (module->getNamedValue(variable.name))
    return variable.isExternal
               ? Error::success()
               : makeError(variable.line, "a second '" + variable.name + "'");
  Type *type = getStorage(variable);
  Constant *initial = nullptr;
  if (!variable.isExternal)
    initial = space == kShared ? PoisonValue::get(type)
                               : Constant::getNullValue(type);
  auto *global = new GlobalVariable(
      *module, type, space == kConst, GlobalValue::ExternalLinkage, initial,
      variable.name, nullptr, GlobalValue::NotThreadLocal, space);
  global->setAlignment(getAlignment(variable));
  return Error::success();
}

/// The initial value becomes a packed struct of numbers and addresses.
Error FileLifter::initialize(const Variable &variable) {
  SmallVector<Constant *> parts;
  uint64_t bytes = 0;
  for (const InitialValue &value : variable.initial) {
    Type *type = IntegerType::get(context, 8 * value.bytes);
    bytes += value.bytes;
    if (value.symbol.empty()) {
      parts.push_back(
          ConstantInt::get(context, APInt(8 * value.bytes, value.bits, false,
                                          /*implicitTrunc=*/true)));
      continue;
    }
    GlobalValue *symbol = module->getNamedValue(value.symbol);
    if (!symbol)
      return makeError(variable.line,
                       "'" + variable.name + "' holds the address of '" +
                           value.symbol + "', which is not declared");
    Constant *address = ConstantExpr::getPtrToInt(symbol, type);
    parts.push_back(ConstantExpr::getAdd(
        address, ConstantInt::get(context, APInt(8 * value.bytes, value.bits,
                                                 false, true))));
  }
  uint64_t left = getBytes(variable) - bytes;
  if (left > 0)
    parts.push_back(
        Constant::getNullValue(ArrayType::get(Type::getInt8Ty(context), left)));
  Constant *initial = ConstantStruct::getAnon(context, parts, /*Packed=*/true);
  GlobalVariable *old = module->getNamedGlobal(variable.name);
  auto *global = new GlobalVariable(
      *module, initial->getType(), old->isConstant(), old->getLinkage(),
      initial, "", old, GlobalValue::NotThreadLocal, old->getAddressSpace());
  global->setAlignment(old->getAlign());
  old->replaceAllUsesWith(global);
  global->takeName(old);
  old->eraseFromParent();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether an operand, or a part of it, is the address of a parameter.
static bool namesParameter(const Operand &operand, StringRef parameter) {
  return (operand.isName() && operand.name == parameter) ||
         any_of(operand.elements, [&](const Operand &element) {
           return namesParameter(element, parameter);
         });
}

/// Whether a function does more with a parameter than to load it by its name.
static bool takesAddress(const Function &function, StringRef parameter) {
  return any_of(function.body, [&](const Statement &statement) {
    return any_of(statement.operands, [&](const Operand &operand) {
      return namesParameter(operand, parameter);
    });
  });
}

/// Whether an address is computed from what a parameter holds. Compilers that
/// write no .ptr load the parameter, say cvta.to or not, and add offsets. It
/// may be loaded by its own address in a register.
static bool isUsedAsPointer(const Function &function, StringRef parameter) {
  StringSet<> holders, addresses;
  // A register of a loop may be used before it is written.
  for (unsigned pass = 0; pass < 2; ++pass)
    for (const Statement &statement : function.body) {
      ArrayRef<Operand> operands = statement.operands;
      if (operands.empty())
        continue;
      bool isLoad = statement.name == "ld" && operands.size() > 1 &&
                    is_contained(statement.modifiers, "param");
      bool isOwn =
          operands.size() > 1 && (operands[1].name == parameter ||
                                  addresses.contains(operands[1].name));
      if (isLoad && isOwn && operands[1].offset == 0)
        holders.insert(operands[0].name);
      bool isSum = StringSwitch<bool>(statement.name)
                       .Cases({"add", "sub", "mov", "selp", "cvta"}, true)
                       .Default(false);
      // Of mad.lo only what is added.
      ArrayRef<Operand> sources = isSum ? operands.drop_front()
                                  : statement.name == "mad"
                                      ? operands.back()
                                      : operands.take_front(0);
      for (const Operand &source : sources) {
        if (source.isName() && holders.contains(source.name))
          holders.insert(operands[0].name);
        if (source.isName() &&
            (source.name == parameter || addresses.contains(source.name)))
          addresses.insert(operands[0].name);
      }
      for (const Operand &operand : operands)
        if (operand.kind == Operand::Kind::Address &&
            holders.contains(operand.name))
          return true;
      bool isCast = statement.name == "cvta" && operands.size() > 1 &&
                    holders.contains(operands[1].name);
      if (isCast)
        return true;
    }
  return false;
}

Type *FileLifter::getParameterType(const Function &function,
                                   const Variable &variable) {
  if (variable.elements || variable.lanes > 1)
    return nullptr;
  unsigned bits = getTypeBits(variable.type);
  if (function.isKernel && bits == 64 &&
      (variable.isPointer || isUsedAsPointer(function, variable.name)))
    return PointerType::get(context, kGlobal);
  if (variable.type == "f32")
    return Type::getFloatTy(context);
  if (variable.type == "f64")
    return Type::getDoubleTy(context);
  return IntegerType::get(context, std::max(8u, bits));
}

/// The types of functions of the runtime, which the decoder wants to have
/// pointers.
static FunctionType *getRuntimeType(StringRef name, LLVMContext &context) {
  auto *pointer = PointerType::get(context, 0);
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto make = [](Type *result, ArrayRef<Type *> parameters) {
    return FunctionType::get(result, parameters, /*isVarArg=*/false);
  };
  if (name == "vprintf")
    return make(i32, {pointer, pointer});
  if (name == "__assertfail")
    return make(Type::getVoidTy(context),
                {pointer, pointer, i32, pointer, i64});
  if (name == "malloc")
    return make(pointer, {i64});
  if (name == "free")
    return make(Type::getVoidTy(context), {pointer});
  return nullptr;
}

Error FileLifter::declare(const Function &function) {
  if (function.results.size() > 1)
    return makeError(function.line, "function '" + function.name +
                                        "' has several results: expected one");
  if (module->getNamedValue(function.name))
    return Error::success(); // declared before
  if (FunctionType *type = getRuntimeType(function.name, context)) {
    if (!function.isDefined) {
      llvm::Function::Create(type, GlobalValue::ExternalLinkage, function.name,
                             *module);
      return Error::success();
    }
  }
  SmallVector<Type *> types;
  for (const Variable &parameter : function.parameters) {
    Type *type = getParameterType(function, parameter);
    types.push_back(type ? type : PointerType::get(context, 0));
  }
  Type *result = Type::getVoidTy(context);
  if (!function.results.empty()) {
    result = getParameterType(function, function.results[0]);
    if (!result)
      result = getStorage(function.results[0]);
  }
  auto *made = llvm::Function::Create(
      FunctionType::get(result, types, /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, function.name, *module);
  if (function.isKernel)
    made->setCallingConv(CallingConv::PTX_Kernel);
  for (auto [i, parameter] : enumerate(function.parameters))
    if (!getParameterType(function, parameter)) {
      made->addParamAttr(
          i, Attribute::getWithByValType(context, getStorage(parameter)));
      made->addParamAttr(
          i, Attribute::getWithAlignment(context, getAlignment(parameter)));
    }
  for (const auto &[attribute, value] : function.attributes)
    made->addFnAttr(attribute, value);
  return Error::success();
}

void FileLifter::define(const Function &function) {
  llvm::Function &made = *module->getFunction(function.name);
  locations.begin(function, made);
  auto *entry = llvm::BasicBlock::Create(context, "", &made);
  llvm::Instruction *end = nullptr;
  if (made.getReturnType()->isVoidTy())
    end = ReturnInst::Create(context, entry);
  else
    end = new UnreachableInst(context, entry);
  Lifter lifter(end);
  for (auto [parameter, argument] :
       zip_equal(function.parameters, made.args())) {
    if (argument.hasByValAttr() || !takesAddress(function, parameter.name)) {
      lifter.addSymbol(parameter.name, argument.hasByValAttr()
                                           ? Symbol{&argument, nullptr}
                                           : Symbol{nullptr, &argument});
      continue;
    }
    AllocaInst *storage = lifter.b.CreateAlloca(getStorage(parameter));
    storage->setAlignment(getAlignment(parameter));
    lifter.b.CreateStore(&argument, storage);
    lifter.addSymbol(parameter.name, {storage, nullptr});
  }
  for (const Variable &result : function.results) {
    AllocaInst *storage = lifter.b.CreateAlloca(getStorage(result));
    storage->setAlignment(getAlignment(result));
    lifter.results.push_back({storage, nullptr});
    lifter.addSymbol(result.name, lifter.results.back());
  }
  auto getLocation = [&](const Statement &statement) {
    return locations.get(statement);
  };
  lifter.getLocation = getLocation;
  lifter.b.SetCurrentDebugLocation(getLocation({}));
  lifter.lift(function.body);
  lifter.finish();
}

Expected<std::unique_ptr<Module>> FileLifter::lift() {
  for (const Variable &variable : file.variables)
    if (Error error = addVariable(variable))
      return std::move(error);
  for (const Function &function : file.functions)
    if (Error error = declare(function))
      return std::move(error);
  for (const Variable &variable : file.variables)
    if (!variable.initial.empty())
      if (Error error = initialize(variable))
        return std::move(error);
  for (const Function &function : file.functions)
    if (function.isDefined) {
      llvm::Function *made = module->getFunction(function.name);
      if (!made || !made->isDeclaration() ||
          made->arg_size() != function.parameters.size())
        return makeError(function.line, "a second '" + function.name + "'");
      define(function);
    }
  locations.finish();
  module->addModuleFlag(Module::Warning, "Debug Info Version",
                        DEBUG_METADATA_VERSION);
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(*module, &stream))
    return createStringError(name +
                             ": broken PTX: " + StringRef(broken).trim());
  return std::move(module);
}

Expected<std::unique_ptr<Module>> liftFile(MemoryBufferRef file,
                                           LLVMContext &context) {
  StringRef name = file.getBufferIdentifier();
  auto parsed = parseFile(file.getBuffer(), name);
  if (!parsed)
    return parsed.takeError();
  return FileLifter(*parsed, name, context).lift();
}

} // namespace tileir::sim::ptx
