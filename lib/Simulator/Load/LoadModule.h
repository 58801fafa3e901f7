//===- LoadModule.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from parsed LLVM IR to a module whose kernels can be decoded.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_LOAD_LOADMODULE_H
#define TILEIR_LIB_SIMULATOR_LOAD_LOADMODULE_H

#include "tileir/Simulator/DeviceMemory.h"
#include "tileir/Simulator/Findings.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace tileir::sim {

/// The target of modules that name none.
constexpr llvm::StringLiteral kTargetTriple = "nvptx64-nvidia-cuda";

/// Whether a function is a kernel that the module defines.
bool isKernel(const llvm::Function &function);

/// The first string of constraints of inline assembly, with its quotes, that
/// LLVM could read beyond the end of; empty: there is none
/// (AssemblyConstraints.cpp).
llvm::StringRef findLongConstraint(llvm::StringRef text);

/// Makes the lines of LLVM IR text the source locations of its instructions,
/// unless it has debug information (SourceLines.cpp). `name` is the file.
void addSourceLines(llvm::Module &module, const llvm::AsmParserContext &places,
                    llvm::StringRef name);

/// The place of an instruction in the user's source, with the calls that were
/// inlined (SourceLines.cpp).
SourceLocation getSource(const llvm::DILocation &location);

/// The annotation of kernels with __cluster_dims__ of CUDA C++.
constexpr llvm::StringLiteral kClusterAnnotation = "tileir.cluster_dims";
/// Makes attributes of annotations (Annotations.cpp).
void readAnnotations(llvm::Module &module);

/// What is done to a module before it is decoded.
enum class Passes {
  All,      ///< LLVM's O2 pipeline, and what NVPTX's code generator begins with
  Required, ///< no more than is needed to find address spaces
  Inlining, ///< what was PTX is optimized as its writer wanted it
};

/// Does to the module what happens before PTX is emitted: inlines all calls,
/// optimizes if asked to, finds address spaces, makes accesses wide
/// (PrepareModule.cpp). `stackBytes` are those of makeCallFrames.
llvm::Error prepareModule(llvm::Module &module, const machine::Gpu &chip,
                          Passes passes, uint64_t stackBytes);

/// What calls through pointers lead to that are none of a function of their
/// type; see below.
constexpr llvm::StringLiteral kWrongCall = "tileir.wrong_call";
/// Makes calls through pointers calls of functions of the module
/// (IndirectCalls.cpp).
void resolveIndirectCalls(llvm::Module &module);

/// What a call leads to that does not fit on the stack; see below. An attribute
/// of the same name has the message.
constexpr llvm::StringLiteral kFullStack = "tileir.full_stack";
/// Makes functions that call each other such as can be inlined, with a stack of
/// so many bytes a thread (CallFrames.cpp).
llvm::Error makeCallFrames(llvm::Module &module, uint64_t stackBytes);

/// Gives read-modify-writes the order that NVPTX emits them with: those that
/// are one instruction of PTX become relaxed, whatever the IR says
/// (DecodeAtomics.cpp).
void relaxAtomics(llvm::Function &function, const llvm::TargetMachine &machine);

/// The metadata of volatile loads that a loop repeats until it likes the value,
/// and of those that look at a flag once.
constexpr llvm::StringLiteral kPolled = "tileir.polled";
/// Adds it (PolledLoads.cpp).
void markPolledLoads(llvm::Function &function);

/// The metadata of loads of global memory whose value can only be stored there
/// again, and of these stores: the number of their group, see DeferredRace.
constexpr llvm::StringLiteral kOnlyStored = "tileir.only_stored";
/// Adds it (StoredLoads.cpp).
void markStoredLoads(llvm::Function &function);
/// The group of a load or store, from 1; 0: it is in none.
uint32_t getStoredGroup(const llvm::Instruction &instruction);

/// The metadata of plain loads whose value an atomic at their address judges.
constexpr llvm::StringLiteral kHint = "tileir.hint";
/// Adds it (HintLoads.cpp).
void markHintLoads(llvm::Function &function);
/// Whether a kernel may store to what an argument points at, or to what one in
/// it does, if it is by value (StoredArguments.cpp).
bool mayBeStoredThrough(const llvm::Argument &argument);

/// Gives the global variables in global and constant memory their place in
/// device memory and their initial values; `addresses` gets them by name
/// (Globals.cpp).
llvm::Error allocateGlobals(const llvm::Module &module, DeviceMemory &memory,
                            llvm::StringMap<uint64_t> &addresses);

/// An error if the kernel has an instruction that the chip lacks
/// (ChipCheck.cpp).
llvm::Error checkChip(const llvm::Function &kernel, const machine::Gpu &chip);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_LOAD_LOADMODULE_H
