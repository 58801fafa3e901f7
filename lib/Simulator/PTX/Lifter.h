//===- Lifter.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns statements of PTX into LLVM IR that the decoder knows. A register is an
// alloca of as many bits, which mem2reg removes in the end; a guard a select
// where the instruction has no other effect, else a branch; a label a basic
// block. All but one of the LLVM instructions that a statement becomes are
// marked as its parts, so that it counts as one instruction.
//
// A statement that is not known becomes a call of kUnsupportedName with a
// message; reportUnsupported collects these.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LIFTER_H
#define TILEIR_LIB_SIMULATOR_PTX_LIFTER_H

#include "PTX/Syntax.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace tileir::sim::ptx {

class Lifter;

/// Address spaces of LLVM's NVPTX.
enum : unsigned {
  kGeneric = 0,
  kGlobal = 1,
  kShared = 3,
  kConst = 4,
  kLocal = 5
};

/// A type of an instruction, such as s32, f16x2 or pred.
struct ValueType {
  llvm::Type *type = nullptr;
  bool isSigned = false;
  bool isFloat = false;
  llvm::StringRef name;

  unsigned bits() const { return type->getPrimitiveSizeInBits(); }
  llvm::Type *scalar() const { return type->getScalarType(); }
};

/// The modifiers of an instruction, which are taken one by one; what is left
/// is not known.
class Modifiers {
public:
  Modifiers(llvm::LLVMContext &context, llvm::ArrayRef<llvm::StringRef> all)
      : context(context), left(all) {}

  /// Takes the modifier wherever it stands. False: there is none.
  bool take(llvm::StringRef modifier);
  bool has(llvm::StringRef modifier) const {
    return llvm::is_contained(left, modifier);
  }
  /// Takes the first of these that is there, or "".
  llvm::StringRef takeOneOf(llvm::ArrayRef<llvm::StringRef> modifiers);
  /// Takes all that only steer caches: L1::evict_last, cs, L2::128B, ...
  void takeCacheHints();
  /// Takes the next modifier, "" at the end.
  llvm::StringRef takeFirst();
  /// Takes the first, or the last, modifier that is a type.
  std::optional<ValueType> takeType();
  std::optional<ValueType> takeLastType();
  bool empty() const { return left.empty(); }

private:
  std::optional<ValueType> takeTypeAt(size_t i);

  llvm::LLVMContext &context;
  llvm::SmallVector<llvm::StringRef, 6> left;
};

/// The type of a PTX name; nothing if there is none.
std::optional<ValueType> getValueType(llvm::LLVMContext &context,
                                      llvm::StringRef name);

using Operands = llvm::ArrayRef<Operand>;

/// An instruction by its name without modifiers.
struct Instruction {
  llvm::StringLiteral name;
  unsigned minOperands, maxOperands;
  /// Emits it. False: these modifiers or operands are not known.
  bool (*lift)(Lifter &, Modifiers &, Operands);
  /// Whether it deals with a guard itself: what only computes, by selects
  /// where registers are written, and branches.
  bool takesGuard = false;
};

llvm::ArrayRef<Instruction> getIntegerInstructions();   // LiftInteger.cpp
llvm::ArrayRef<Instruction> getBitInstructions();       // LiftBits.cpp
llvm::ArrayRef<Instruction> getVideoInstructions();     // LiftVideo.cpp
llvm::ArrayRef<Instruction> getFloatInstructions();     // LiftFloat.cpp
llvm::ArrayRef<Instruction> getCompareInstructions();   // LiftCompare.cpp
llvm::ArrayRef<Instruction> getMoveInstructions();      // LiftMove.cpp
llvm::ArrayRef<Instruction> getConvertInstructions();   // LiftConvert.cpp
llvm::ArrayRef<Instruction> getMemoryInstructions();    // LiftMemory.cpp
llvm::ArrayRef<Instruction> getAtomicInstructions();    // LiftAtomics.cpp
llvm::ArrayRef<Instruction> getWarpInstructions();      // LiftWarp.cpp
llvm::ArrayRef<Instruction> getMatrixInstructions();    // LiftMatrix.cpp
llvm::ArrayRef<Instruction> getMBarrierInstructions();  // LiftMBarrier.cpp
llvm::ArrayRef<Instruction> getTensorMapInstructions(); // LiftBulk.cpp
llvm::ArrayRef<Instruction> getWgmmaInstructions();     // LiftWgmma.cpp
llvm::ArrayRef<Instruction> getTextureInstructions();   // LiftTexture.cpp
llvm::ArrayRef<Instruction> getControlInstructions();   // LiftControl.cpp

/// All of them.
llvm::ArrayRef<llvm::ArrayRef<Instruction>> getInstructions();

/// What messages are called to mark what is not known.
constexpr llvm::StringLiteral kUnsupportedName = "tileir.ptx.unsupported";
/// The name of metadata of instructions that count as parts of another one.
constexpr llvm::StringLiteral kPartName = "tileir.part";

/// A variable that statements can name.
struct Symbol {
  llvm::Value *pointer = nullptr; ///< its address, in its space
  llvm::Value *value = nullptr;   ///< a parameter that is no variable
};

class Lifter {
public:
  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder,
                                  llvm::IRBuilderCallbackInserter>;

  /// Emits before `place`, in the middle of a function.
  explicit Lifter(llvm::Instruction *place);
  /// Goes on before another place of the same function, with no registers.
  void moveTo(llvm::Instruction *place);

  /// Lifts statements, which may hold blocks. Ends with the builder behind
  /// them.
  void lift(llvm::ArrayRef<Statement> statements);
  /// Marks what `text` means as not known.
  void reject(llvm::StringRef text, const llvm::Twine &why);
  /// Makes registers values, and folds what became constant.
  void finish();

  // For what surrounds statements.

  /// Makes a register; `bits` wide.
  llvm::AllocaInst *addRegister(llvm::StringRef name, unsigned bits);
  /// Makes a second name for a register.
  void addRegister(llvm::StringRef name, llvm::AllocaInst *reg);
  void addSymbol(llvm::StringRef name, Symbol symbol);
  /// What .loc means; none for inline assembly.
  llvm::function_ref<llvm::DebugLoc(const Statement &)> getLocation;

  // For instructions.

  Builder b;
  llvm::Module &module;
  llvm::LLVMContext &context;

  llvm::Type *integer(unsigned bits) {
    return llvm::IntegerType::get(context, bits);
  }
  /// The value of an operand, its bits as they are or cut or filled with zeros.
  llvm::Value *read(const Operand &operand, llvm::Type *type);
  llvm::Value *read(const Operand &operand, ValueType type,
                    bool flushes = false) {
    llvm::Value *value = read(operand, type.type);
    return flushes ? flush(value) : value;
  }
  /// What .ftz makes of an operand or a result: subnormal numbers become zeros
  /// of their signs. f64 and bf16 stay, and so does what is no float.
  llvm::Value *flush(llvm::Value *value);
  /// Writes a register. A wider one is filled with zeros, or with the sign.
  void write(const Operand &operand, llvm::Value *value, bool isSigned = false);
  /// The same bits as another type.
  llvm::Value *castBits(llvm::Value *value, llvm::Type *type,
                        bool isSigned = false);
  /// The width of the register that an operand names; 0: it is none.
  unsigned getRegisterBits(const Operand &operand);
  /// A pointer to what an address operand means.
  llvm::Value *getPointer(const Operand &operand, unsigned space);
  const Symbol *findSymbol(llvm::StringRef name);
  /// Calls the intrinsic, whose overloaded types are given, with operands cast
  /// to its types. Null: LLVM has none of this name.
  llvm::Value *callIntrinsic(const llvm::Twine &name,
                             llvm::ArrayRef<llvm::Value *> operands,
                             llvm::ArrayRef<llvm::Type *> overloads = {});
  /// Calls a function that only the decoder knows: tileir.ptx.<name>. Without
  /// an effect, it goes if its result is not used.
  llvm::Value *callOwn(const llvm::Twine &name, llvm::Type *type,
                       llvm::ArrayRef<llvm::Value *> operands,
                       bool hasEffect = false);
  /// The block of a label; null: there is none.
  llvm::BasicBlock *getLabel(llvm::StringRef name);
  /// Ends the block with what `emit` makes, and goes on in a new one, which it
  /// gets. Where it makes no terminator, a branch there is added.
  void endBlock(llvm::function_ref<void(llvm::BasicBlock *rest)> emit);
  /// A new block behind the present one.
  llvm::BasicBlock *makeBlock(const llvm::Twine &name);
  /// The targets that stand behind the label of a .branchtargets.
  llvm::ArrayRef<Operand> getTargets(llvm::StringRef label);
  /// Says what is wrong with the present statement; the first message counts.
  bool fail(const llvm::Twine &message);
  /// The guard of an instruction that deals with it itself, or null.
  llvm::Value *getGuard() { return guard; }
  /// The register of carries.
  llvm::AllocaInst *getCarry();
  llvm::Function &getFunction() { return *b.GetInsertBlock()->getParent(); }
  /// Returned values of a function that is lifted.
  std::vector<Symbol> results;

private:
  struct Scope {
    llvm::StringMap<llvm::AllocaInst *> registers;
    llvm::StringMap<unsigned> families; ///< the bits of %r of %r<8>
    llvm::StringMap<Symbol> symbols;
    llvm::StringMap<llvm::BasicBlock *> labels;
    llvm::StringMap<llvm::ArrayRef<Operand>> targets;
  };
  void open(llvm::ArrayRef<Statement> inside);
  void declare(const Variable &variable);
  void liftInstruction(const Statement &statement);
  void liftGuarded(const Statement &statement, const Instruction &instruction);
  void apply(const Statement &statement, const Instruction &instruction);
  void markParts();
  llvm::AllocaInst *findRegister(llvm::StringRef name);
  llvm::Value *readName(const Operand &operand, llvm::Type *type);
  llvm::Value *readSpecial(llvm::StringRef name);

  llvm::BasicBlock *entry;
  std::vector<Scope> scopes;
  llvm::SmallVector<llvm::AllocaInst *> registers;
  std::vector<llvm::WeakVH> emitted; ///< all instructions
  size_t firstOfStatement = 0;
  llvm::Value *guard = nullptr; ///< of a statement that becomes selects
  llvm::AllocaInst *carry = nullptr;
  std::string message;
};

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LIFTER_H
