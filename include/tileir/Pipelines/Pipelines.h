//===- Pipelines.h - Pass pipelines -----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ways through the compiler, from start to end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PIPELINES_PIPELINES_H
#define TILEIR_PIPELINES_PIPELINES_H

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Runtime/CompileTier.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tileir {

/// The option of all pipelines.
template <typename Options>
struct ContractOptions : public mlir::PassPipelineOptions<Options> {
  mlir::detail::PassOptions::Option<bool> verifyContracts{
      *this, "verify-contracts",
      llvm::cl::desc(
          "Verify what each stage leaves; see einsum-verify-kernels, "
          "einsum-verify-memrefs, tile-verify-program, "
          "tile-verify-layouts, tile-verify-promoted, "
          "gpu-verify-kernels and gpu-verify-host"),
      llvm::cl::init(false)};
};

/// The option of pipelines that lower contractions.
template <typename Options>
struct CheckOptions : public ContractOptions<Options> {
  mlir::detail::PassOptions::Option<RuntimeChecks> checks{
      *this, "checks",
      llvm::cl::desc("What is verified at run time; see "
                     "convert-einsum-to-affine"),
      llvm::cl::init(RuntimeChecks::Sizes),
      llvm::cl::values(
          clEnumValN(RuntimeChecks::None, "none", "nothing"),
          clEnumValN(RuntimeChecks::Sizes, "sizes", "sizes, before the loops"),
          clEnumValN(RuntimeChecks::All, "all", "sizes, and each read"))};
};

/// Options of the pipelines for the CPU.
struct CpuOptions : public CheckOptions<CpuOptions> {
  Option<bool> openmp{*this, "openmp",
                      llvm::cl::desc("Run parallel loops by OpenMP"),
                      llvm::cl::init(true)};
  Option<bool> schedule{
      *this, "schedule",
      llvm::cl::desc("Compute contractions by kernels on vectors; see "
                     "convert-einsum-to-vector. Not with checks=all, which "
                     "checks each read"),
      llvm::cl::init(true)};
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Threads that these are divided among; "
                     "0: those of the machine"),
      llvm::cl::init(0)};
};

/// Options of einsum-to-cpu-pipeline.
struct EinsumToCpuOptions : public CpuOptions {
  Option<runtime::CompileTier> tier{
      *this, "tier", llvm::cl::desc("How long compilation may take"),
      llvm::cl::init(runtime::CompileTier::Full),
      llvm::cl::values(
          clEnumValN(
              runtime::CompileTier::Fast, "fast",
              "a short list of passes, for functions on memrefs of "
              "which nothing but kernels is left; implies bare-pointers"),
          clEnumValN(runtime::CompileTier::Full, "full", "all of it"))};
  Option<bool> layouts{
      *this, "layouts",
      llvm::cl::desc("Choose the order of axes of tensors between "
                     "contractions; see einsum-choose-layouts. Not in the fast "
                     "tier"),
      llvm::cl::init(true)};
  Option<bool> fuseDims{
      *this, "fuse-dims",
      llvm::cl::desc("Also fuse loops of schedules that are written, with each "
                     "other and sums with kernels; see einsum-fuse-dims and "
                     "einsum-choose-schedule"),
      llvm::cl::init(false)};
  Option<std::string> config{
      *this, "config",
      llvm::cl::desc("What kernels are like, as in {tile=6,2 pack=lanes}; the "
                     "rest is chosen, and with 'auto' all of it; see "
                     "einsum-choose-schedule"),
      llvm::cl::init("auto")};
  Option<int64_t> listConfigs{
      *this, "list-configs",
      llvm::cl::desc("Tell so many of the best ones that are compared, in "
                     "remarks"),
      llvm::cl::init(0)};
  Option<bool> parallelize{
      *this, "parallelize",
      llvm::cl::desc(
          "Make loops of schedules parallel; without, only those are "
          "that are written so"),
      llvm::cl::init(true)};
  Option<bool> barePointers{
      *this, "bare-pointers",
      llvm::cl::desc("Functions take memrefs as pointers, which needs static "
                     "shapes; see convert-cpu-to-llvm"),
      llvm::cl::init(false)};
};

/// Lowers einsum, arith, math, linalg and tensor ops in functions to the LLVM
/// dialect, for the CPU. Takes a builtin.module. A function that returns
/// tensors returns buffers that its caller frees; see docs/architecture.md for
/// the calling convention. `config` has to be right.
void buildEinsumToCpuPipeline(mlir::OpPassManager &manager,
                              const EinsumToCpuOptions &options);

/// Its two parts, for who looks at schedules: until contractions have them, and
/// from there on.
void buildCpuSchedulePipeline(mlir::OpPassManager &manager,
                              const EinsumToCpuOptions &options);
void buildScheduledToCpuPipeline(mlir::OpPassManager &manager,
                                 const EinsumToCpuOptions &options);

/// Makes einsum-to-cpu-pipeline known by name.
void registerEinsumToCpuPipeline(bool verifyContracts = false);

/// The option of pipelines that make kernels of tiles.
struct ConfigOption {
  explicit ConfigOption(mlir::detail::PassOptions &pipeline)
      : config(
            pipeline, "config",
            llvm::cl::desc("The tile configuration of each kernel, as in "
                           "{block=128x128x32 warp=64x32 stages=2}; or 'auto', "
                           "which selects by a model of the cost; see "
                           "tile-select-config"),
            llvm::cl::init("")),
        list(pipeline, "list-configs",
             llvm::cl::desc(
                 "Tell so many of the best ones that 'auto' compares, "
                 "in remarks"),
             llvm::cl::init(0)) {}

  /// The options of tile-select-config, in braces.
  std::string getText() const {
    return "{config={" + config.getValue() + "} list=" + std::to_string(list) +
           "}";
  }
  /// Whether configurations are selected.
  bool isAuto() const {
    return llvm::StringRef(config).trim().starts_with("auto");
  }

  mlir::detail::PassOptions::Option<std::string> config;
  mlir::detail::PassOptions::Option<int64_t> list;
};

/// The way to add up the parts of a sum that is divided among programs.
enum class SplitKCombine { Kernel, Atomic };

/// The options of pipelines that divide sums among programs.
struct SplitKBlocksOptions {
  explicit SplitKBlocksOptions(mlir::detail::PassOptions &pipeline)
      : factor(
            pipeline, "split-k-blocks",
            llvm::cl::desc(
                "The split-K factor among programs: parts of a long sum that "
                "different programs form; 1: none are split, 0: as many as "
                "fill the GPU"),
            llvm::cl::init(1)),
        combine(pipeline, "split-k-combine",
                llvm::cl::desc("How these are added up"),
                llvm::cl::init(SplitKCombine::Kernel),
                llvm::cl::values(clEnumValN(SplitKCombine::Kernel, "kernel",
                                            "by a second kernel; see "
                                            "einsum-split-k"),
                                 clEnumValN(SplitKCombine::Atomic, "atomic",
                                            "by atomics; see "
                                            "tile-split-k-blocks"))) {}

  mlir::detail::PassOptions::Option<int64_t> factor;
  mlir::detail::PassOptions::Option<SplitKCombine> combine;
};

/// Options of einsum-to-tile-pipeline.
struct EinsumToTileOptions : public CheckOptions<EinsumToTileOptions> {
  ConfigOption tiling{*this};
  Option<std::string> minBlock{
      *this, "min-block",
      llvm::cl::desc("Least sizes of blocks that are cut; see "
                     "convert-einsum-to-tile"),
      llvm::cl::init("")};
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Make one kernel of contractions and the pointwise ops "
                     "around them"),
      llvm::cl::init(true)};
  Option<bool> permute{
      *this, "permute",
      llvm::cl::desc("Copy operands into an order that wide accesses can read; "
                     "see einsum-permute-operands"),
      llvm::cl::init(false)};
  Option<int64_t> rowBytes{
      *this, "row-bytes",
      llvm::cl::desc("What divides the bytes of rows that bulk copies of the "
                     "target read, or 0; see einsum-permute-operands"),
      llvm::cl::init(0)};
  Option<bool> narrowDots{
      *this, "narrow-dots",
      llvm::cl::desc("Form products of f16 and bf16 that have only M, or only "
                     "N, by tile.dot; see convert-einsum-to-tile"),
      llvm::cl::init(false)};
  SplitKBlocksOptions splitKBlocks{*this};
  Option<unsigned> programs{
      *this, "programs",
      llvm::cl::desc("Programs that fill the GPU: its multiprocessors"),
      llvm::cl::init(machine::getDefaultGpu().sms)};
};

/// Lowers einsum, arith, math, linalg and tensor ops in functions to functions
/// on memrefs that launch a tile kernel per einsum.kernel, and per contraction
/// that is not in one. First einsum-fuse makes kernels. Takes a builtin.module.
/// tile-to-cpu-pipeline can follow.
void buildEinsumToTilePipeline(mlir::OpPassManager &manager,
                               const EinsumToTileOptions &options);

/// Lowers tile kernels, their launches, and all that einsum-to-cpu-pipeline
/// takes around them, to the LLVM dialect. The programs of a grid run by
/// OpenMP.
void buildTileToCpuPipeline(mlir::OpPassManager &manager,
                            const CpuOptions &options);

/// Options for lowering kernels of tiles for NVIDIA GPUs.
template <typename Options>
struct TileKernelOptions : public ContractOptions<Options> {
  mlir::detail::PassOptions::Option<std::string> chip{
      *this, "chip", llvm::cl::desc("Chip of the kernels"),
      llvm::cl::init(machine::kDefaultGpu.str())};
  ConfigOption tiling{*this};
  mlir::detail::PassOptions::Option<int64_t> numWarps{
      *this, "num-warps",
      llvm::cl::desc("Warps of kernels without matrix instructions; 0 chooses"),
      llvm::cl::init(0)};
  mlir::detail::PassOptions::Option<bool> mma{
      *this, "mma", llvm::cl::desc("Use matrix instructions"),
      llvm::cl::init(true)};
  mlir::detail::PassOptions::Option<bool> specialize{
      *this, "specialize",
      llvm::cl::desc("Make a second version of kernels on dynamic sizes, for "
                     "those that allow wide accesses; see tile-specialize"),
      llvm::cl::init(true)};
  mlir::detail::PassOptions::Option<bool> sliceDepth{
      *this, "slice-depth",
      llvm::cl::desc("Load the registers of a slice along K while another one "
                     "is multiplied, on chips with asynchronous copies; see "
                     "tile-slice-depth"),
      llvm::cl::init(false)};
  mlir::detail::PassOptions::Option<bool> promoteSums{
      *this, "promote-sums",
      llvm::cl::desc("Add up products in f32 where matrix instructions have "
                     "fewer bits for sums; see tile-warp-specialize"),
      llvm::cl::init(true)};
};

/// Options of tile-to-nvvm-pipeline.
struct TileToNvvmOptions : public TileKernelOptions<TileToNvvmOptions> {};

/// Lowers tile kernels, their launches, and host code on memrefs to kernels in
/// the LLVM and NVVM dialects and host code that launches them, with copies of
/// what they access. Takes a builtin.module; gpu-host-to-llvm-pipeline can
/// follow.
void buildTileToNvvmPipeline(mlir::OpPassManager &manager,
                             const TileToNvvmOptions &options);

/// Options of einsum-to-nvvm-pipeline.
struct EinsumToNvvmOptions : public TileKernelOptions<EinsumToNvvmOptions> {
  Option<bool> permute{
      *this, "permute",
      llvm::cl::desc("Copy operands into an order that wide accesses can read; "
                     "see einsum-permute-operands"),
      llvm::cl::init(true)};
  SplitKBlocksOptions splitKBlocks{*this};
};

/// Lowers einsum, arith, math, linalg and tensor ops in functions to what
/// tile-to-nvvm-pipeline gives.
void buildEinsumToNvvmPipeline(mlir::OpPassManager &manager,
                               const EinsumToNvvmOptions &options);

/// Whether kernels take memrefs as one pointer each: an option of the pipeline
/// of kernels and of that of the host code that launches them, equal in both.
constexpr llvm::StringLiteral kBarePointersHelp =
    "Kernels take a memref as one pointer, which needs static shapes; without, "
    "as pointers, offset, sizes and strides";

/// Options of gpu-to-nvvm-pipeline.
struct GpuToNvvmOptions : public ContractOptions<GpuToNvvmOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip of a gpu.module without #nvvm.target"),
      llvm::cl::init(machine::kDefaultGpu.str())};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Target features of a gpu.module without #nvvm.target"),
      llvm::cl::init("")};
  Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level, 0 to 3, of a gpu.module without "
                     "#nvvm.target; gpu-module-to-binary optimizes"),
      llvm::cl::init(2)};
  Option<bool> barePointers{*this, "bare-pointers",
                            llvm::cl::desc(kBarePointersHelp),
                            llvm::cl::init(true)};
};

/// Lowers gpu, nvgpu, memref, vector, affine, scf, math and arith ops in
/// gpu.modules to the LLVM and NVVM dialects, with source lines. Outlines
/// gpu.launch. Kernels in these dialects already stay as they are. Takes a
/// builtin.module, whose host code is left alone.
void buildGpuToNvvmPipeline(mlir::OpPassManager &manager,
                            const GpuToNvvmOptions &options);

/// Options of gpu-host-to-llvm-pipeline.
struct GpuHostToLlvmOptions : public ContractOptions<GpuHostToLlvmOptions> {
  Option<bool> barePointers{*this, "bare-pointers",
                            llvm::cl::desc(kBarePointersHelp),
                            llvm::cl::init(true)};
};

/// Lowers host code that launches kernels (gpu, memref, affine, scf, math and
/// arith ops in functions, beside gpu.binary ops) to the LLVM dialect, which
/// calls the functions of tileir/Runtime/GpuRuntime.h. Takes a builtin.module.
void buildGpuHostToLlvmPipeline(mlir::OpPassManager &manager,
                                const GpuHostToLlvmOptions &options);

/// Makes the pipelines known by name to tools and parsers. `verifyContracts` is
/// what their option of this name is where the text does not give it.
void registerPipelines(bool verifyContracts = false);

} // namespace tileir

#endif // TILEIR_PIPELINES_PIPELINES_H
