//===- Tile.h ---------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its types and its operations. Semantics: TileDialect.td and
// TileOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_TILE_H
#define TILEIR_DIALECT_TILE_IR_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileir/Layout/Core/LinearLayout.h"
#include "tileir/Layout/Fragments/MmaAtom.h"
#include "tileir/Layout/Fragments/TileConfig.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "tileir/Dialect/Tile/IR/TileDialect.h.inc"
#include "tileir/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tileir/Dialect/Tile/IR/TileTypes.h.inc"

namespace tileir::tile {

/// A tensor that is a tile: all sizes static and positive.
class TileType : public mlir::RankedTensorType {
public:
  using RankedTensorType::RankedTensorType;
  static bool isTile(mlir::Type type);
  static bool classof(mlir::Type type) { return isTile(type); }
};

/// The element type of a tile, or the type itself if it is a scalar.
mlir::Type getElement(mlir::Type type);
/// `type` with other elements: a tile of the same shape (and layout), or the
/// element type itself for a scalar.
mlir::Type withElement(mlir::Type type, mlir::Type element);
/// The shape of a tile; empty for a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Type type);
/// The layout of a tile or buffer; null if it has none.
LayoutAttr getLayout(mlir::Type type);

/// The common shape of two operands (MAPL 2019, section 3.2.2): the shorter
/// shape is padded with ones on the left, then each size is the other's where
/// it is one. Failure if two sizes differ and none is one.
mlir::FailureOr<llvm::SmallVector<int64_t>>
getBroadcastShape(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// Reads the name of an atom.
mlir::FailureOr<const layout::MmaAtom *> parseAtom(mlir::AsmParser &parser);
/// `type` as atoms know it; none if no atom takes it.
std::optional<layout::Scalar> getScalar(mlir::Type type);
/// The atoms of the target of `op`, best first; without one, of the default.
llvm::SmallVector<const layout::MmaAtom *> listAtoms(mlir::Operation *op);
/// Returns those of `atoms` that multiply elements of these types, among them
/// those that round f32 to tf32 only if that is allowed, and either those of
/// warpgroups or the others. If none does, says why.
llvm::SmallVector<const layout::MmaAtom *>
selectAtoms(llvm::ArrayRef<const layout::MmaAtom *> atoms, mlir::Type a,
            mlir::Type b, mlir::Type acc, bool allowTf32, std::string &reason,
            bool ofWarpgroups = false);

/// The `tile.config` of an op; the defaults if it has none.
layout::TileConfig getConfig(mlir::Operation *kernel);
/// Reads the text of an option `config`: what stands in `#tile.config<...>`. If
/// it is wrong, says so by `emitError`.
mlir::FailureOr<layout::TileConfig>
parseConfig(mlir::MLIRContext *context, llvm::StringRef text,
            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether a load, by pointers or of a view, may be moved or made twice.
bool isPlainLoad(mlir::Operation *op);
/// Whether one thread of a GPU acts on each element, and has the result: atomic
/// accesses and volatile loads.
bool actsOnce(mlir::Operation *op);

/// Whether an atomic access orders, for other programs, those of its program
/// that stand behind it.
bool acquires(mlir::Operation *op);
/// The same for those that stand before it.
bool releases(mlir::Operation *op);

/// Whether an op may stand between `tile.take_turn` and `tile.pass_turn` (T55).
bool isInTurn(mlir::Operation *op);
/// Whether a function makes pointers of integers, which may reach the memory of
/// all its arguments.
bool makesPointers(mlir::Operation *function);
/// Whether it is known that a function does not write to what its argument
/// points at.
bool isReadOnly(mlir::FunctionOpInterface function, unsigned argument);
/// Whether the operation is a kernel: a function with `tile.kernel`.
bool isKernel(mlir::Operation *op);
/// The kernel that `op` stands in, or null.
mlir::Operation *getKernel(mlir::Operation *op);
/// The warps of a program: those of all roles, or without roles
/// `tile.num_warps`; 0 if it is not known yet.
int64_t countWarps(mlir::Operation *kernel);
/// The programs of a cluster, those of the multicast copies of a kernel; 1 if
/// it has none.
int64_t getCluster(mlir::Operation *kernel);

} // namespace tileir::tile

#define GET_OP_CLASSES
#include "tileir/Dialect/Tile/IR/TileOps.h.inc"

#endif // TILEIR_DIALECT_TILE_IR_TILE_H
