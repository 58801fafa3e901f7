//===- DecodeIntrinsics.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes calls: which part knows a function, and here special registers,
// barriers, what the lanes of a warp do together, and traps. Functions are
// known by name, and what the name says of a family (mode, width, scope) is
// read from it. The PTX ISA defines what they do; IntrinsicsNVVM.td of LLVM 22
// has their operands.
//
// Not known on purpose: forms of shfl and vote without .sync, which machines
// since Volta do not have; textures with samplers of their own; and those that
// newer chips add, which are listed so that the error can say so.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/Wgmma.h"
#include "Load/LoadModule.h"

#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

static bool decodeSpecialRegister(Decoder &decoder, CallBase &call,
                                  StringRef name) {
  // The fourth element of tid and the like is always 0.
  if (name.ends_with(".w") || name == "warpsize") {
    decoder.rename(call, decoder.getConstant(name == "warpsize" ? kLanes : 0,
                                             /*wide=*/false));
    return true;
  }
  // Registers that a driver sets: no launch here sets the others.
  if (name.starts_with("envreg") && name != "envreg1" && name != "envreg2") {
    decoder.rename(call, decoder.getConstant(0, /*wide=*/false));
    return true;
  }
  bool lowHalf = name.consume_back(".lo");
  auto known =
      StringSwitch<std::optional<SpecialRegister>>(name)
          .Case("tid.x", SpecialRegister::TidX)
          .Case("tid.y", SpecialRegister::TidY)
          .Case("tid.z", SpecialRegister::TidZ)
          .Case("ntid.x", SpecialRegister::NtidX)
          .Case("ntid.y", SpecialRegister::NtidY)
          .Case("ntid.z", SpecialRegister::NtidZ)
          .Case("ctaid.x", SpecialRegister::CtaidX)
          .Case("ctaid.y", SpecialRegister::CtaidY)
          .Case("ctaid.z", SpecialRegister::CtaidZ)
          .Case("nctaid.x", SpecialRegister::NctaidX)
          .Case("nctaid.y", SpecialRegister::NctaidY)
          .Case("nctaid.z", SpecialRegister::NctaidZ)
          .Case("laneid", SpecialRegister::LaneId)
          .Case("warpid", SpecialRegister::WarpId)
          .Case("nwarpid", SpecialRegister::NWarpId)
          .Case("smid", SpecialRegister::SmId)
          .Case("nsmid", SpecialRegister::NSmId)
          .Case("gridid", SpecialRegister::GridId)
          .Case("lanemask.eq", SpecialRegister::LanemaskEq)
          .Case("lanemask.le", SpecialRegister::LanemaskLe)
          .Case("lanemask.lt", SpecialRegister::LanemaskLt)
          .Case("lanemask.ge", SpecialRegister::LanemaskGe)
          .Case("lanemask.gt", SpecialRegister::LanemaskGt)
          .Case("clock", SpecialRegister::Clock)
          .Case("clock64", SpecialRegister::Clock64)
          .Case("globaltimer", SpecialRegister::GlobalTimer)
          .Case("dynamic_smem_size", SpecialRegister::DynamicSharedSize)
          .Case("total_smem_size", SpecialRegister::TotalSharedSize)
          .Case("envreg1", SpecialRegister::EnvReg1)
          .Case("envreg2", SpecialRegister::EnvReg2)
          .Case("clusterid.x", SpecialRegister::ClusterIdX)
          .Case("clusterid.y", SpecialRegister::ClusterIdY)
          .Case("clusterid.z", SpecialRegister::ClusterIdZ)
          .Case("nclusterid.x", SpecialRegister::NClusterIdX)
          .Case("nclusterid.y", SpecialRegister::NClusterIdY)
          .Case("nclusterid.z", SpecialRegister::NClusterIdZ)
          .Case("cluster.ctaid.x", SpecialRegister::ClusterCtaidX)
          .Case("cluster.ctaid.y", SpecialRegister::ClusterCtaidY)
          .Case("cluster.ctaid.z", SpecialRegister::ClusterCtaidZ)
          .Case("cluster.nctaid.x", SpecialRegister::ClusterNctaidX)
          .Case("cluster.nctaid.y", SpecialRegister::ClusterNctaidY)
          .Case("cluster.nctaid.z", SpecialRegister::ClusterNctaidZ)
          .Case("cluster.ctarank", SpecialRegister::ClusterCtarank)
          .Case("cluster.nctarank", SpecialRegister::ClusterNctarank)
          .Case("is_explicit_cluster", SpecialRegister::IsExplicitCluster)
          .Default(std::nullopt);
  if (!known)
    return false;
  if (lowHalf) { // of globaltimer, which is the only one that has it
    Register whole = decoder.makeTemporary(/*wide=*/true);
    decoder.emit(Opcode::ReadSpecial, whole, kNoRegister, kNoRegister,
                 kNoRegister, int64_t(*known));
    decoder.emit(Opcode::Truncate, decoder.defineScalar(call), whole);
    return true;
  }
  decoder.emit(Opcode::ReadSpecial, decoder.defineScalar(call), kNoRegister,
               kNoRegister, kNoRegister, int64_t(*known));
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers and collectives
//===----------------------------------------------------------------------===//

/// barrier.cta.{sync,arrive,red.and,red.or,red.popc}[.aligned].{all,count}:
/// the barrier, the count, the predicate.
static bool decodeBarrier(Decoder &decoder, CallBase &call, StringRef name) {
  bool hasCount = name.consume_back(".count");
  if (!hasCount && !name.consume_back(".all"))
    return false;
  name.consume_back(".aligned");
  auto mode = StringSwitch<std::optional<BarrierMode>>(name)
                  .Case("sync", BarrierMode::Sync)
                  .Case("arrive", BarrierMode::Arrive)
                  .Case("red.and", BarrierMode::RedAnd)
                  .Case("red.or", BarrierMode::RedOr)
                  .Case("red.popc", BarrierMode::RedPopc)
                  .Default(std::nullopt);
  if (!mode)
    return false;
  bool reduces = !call.getType()->isVoidTy();
  Register barrier = decoder.useScalar(call.getArgOperand(0));
  Register count = kNoRegister, predicate = kNoRegister, result = kNoRegister;
  if (hasCount)
    count = decoder.useScalar(call.getArgOperand(1));
  if (reduces) {
    predicate = decoder.useScalar(call.getArgOperand(hasCount ? 2 : 1));
    result = decoder.defineScalar(call);
  }
  decoder.emit(Opcode::Barrier, result, barrier, count, predicate,
               int64_t(*mode));
  return true;
}

/// All results and all arguments as lists.
static Instr &emitLists(Decoder &decoder, Opcode opcode, CallBase &call) {
  SmallVector<Register> uses;
  for (Value *argument : call.args())
    append_range(uses, decoder.use(argument));
  return decoder.emitList(opcode, decoder.define(call), uses);
}

/// shfl.sync.<mode>.{i32,f32}[p]
static bool decodeShfl(Decoder &decoder, CallBase &call, StringRef name) {
  auto [modeName, type] = name.split('.');
  auto mode = StringSwitch<std::optional<ShflMode>>(modeName)
                  .Case("up", ShflMode::Up)
                  .Case("down", ShflMode::Down)
                  .Case("bfly", ShflMode::Bfly)
                  .Case("idx", ShflMode::Idx)
                  .Default(std::nullopt);
  if (!mode)
    return false;
  emitLists(decoder, Opcode::Shfl, call).imm = int64_t(*mode);
  return true;
}

/// Vote, Redux, MatchAny: dst = op of a, over the lanes of c.
static bool emitCollective(Decoder &decoder, CallBase &call, Opcode opcode,
                           unsigned maskArgument, int64_t mode) {
  Register mask = decoder.useScalar(call.getArgOperand(maskArgument));
  Register value = decoder.useScalar(call.getArgOperand(1 - maskArgument));
  decoder.emit(opcode, decoder.defineScalar(call), value, kNoRegister, mask,
               mode);
  return true;
}

static bool decodeCollective(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("shfl.sync."))
    return decodeShfl(decoder, call, name);
  if (name.consume_front("redux.sync.")) {
    auto mode = StringSwitch<std::optional<ReduxMode>>(name)
                    .Case("add", ReduxMode::Add)
                    .Case("min", ReduxMode::SMin)
                    .Case("max", ReduxMode::SMax)
                    .Case("umin", ReduxMode::UMin)
                    .Case("umax", ReduxMode::UMax)
                    .Case("and", ReduxMode::And)
                    .Case("or", ReduxMode::Or)
                    .Case("xor", ReduxMode::Xor)
                    .Default(std::nullopt);
    return mode &&
           emitCollective(decoder, call, Opcode::Redux, 1, int64_t(*mode));
  }
  auto vote = StringSwitch<std::optional<VoteMode>>(name)
                  .Case("vote.all.sync", VoteMode::All)
                  .Case("vote.any.sync", VoteMode::Any)
                  .Case("vote.uni.sync", VoteMode::Uni)
                  .Case("vote.ballot.sync", VoteMode::Ballot)
                  .Default(std::nullopt);
  if (vote)
    return emitCollective(decoder, call, Opcode::Vote, 0, int64_t(*vote));
  if (name == "match.any.sync.i32")
    return emitCollective(decoder, call, Opcode::MatchAny32, 0, 0);
  if (name == "match.any.sync.i64")
    return emitCollective(decoder, call, Opcode::MatchAny64, 0, 0);
  auto lists = StringSwitch<std::optional<Opcode>>(name)
                   .Case("match.all.sync.i32p", Opcode::MatchAll32)
                   .Case("match.all.sync.i64p", Opcode::MatchAll64)
                   .Case("elect.sync", Opcode::Elect)
                   .Default(std::nullopt);
  if (lists) {
    emitLists(decoder, *lists, call);
    return true;
  }
  if (name == "activemask") {
    decoder.emit(Opcode::ActiveMask, decoder.defineScalar(call));
    return true;
  }
  if (name == "bar.warp.sync") {
    Register mask = decoder.useScalar(call.getArgOperand(0));
    decoder.emit(Opcode::WarpSync, kNoRegister, kNoRegister, kNoRegister, mask);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void emitTrap(Decoder &decoder, std::string text,
                     FindingKind kind = FindingKind::Trap) {
  decoder.program.texts.push_back(std::move(text));
  Instr &trap = decoder.emit(Opcode::Trap);
  trap.imm = decoder.program.texts.size() - 1;
  trap.extra = uint32_t(kind);
}

/// __assertfail(message, file, line, function, size of a character)
static void decodeAssert(Decoder &decoder, CallBase &call) {
  auto getText = [&](unsigned i) {
    StringRef text;
    if (i >= call.arg_size() ||
        !getConstantStringInfo(call.getArgOperand(i)->stripPointerCasts(),
                               text))
      return std::string("?");
    return text.str();
  };
  std::string line = "?";
  if (call.arg_size() > 2)
    if (auto *number = dyn_cast<ConstantInt>(call.getArgOperand(2)))
      line = std::to_string(number->getZExtValue());
  emitTrap(decoder, "assertion failed: " + getText(0) + ", " + getText(1) +
                        ":" + line + ", in " + getText(3));
}

/// malloc, free, and the operators new and delete, which C++ mangles.
static bool decodeHeap(Decoder &decoder, CallBase &call, StringRef name) {
  if (call.arg_empty() || !call.getCalledFunction()->isDeclaration())
    return false;
  const bool allocates = name == "malloc" || name.starts_with("_Znwm") ||
                         name.starts_with("_Znam");
  const bool frees = name == "free" || name.starts_with("_ZdlPv") ||
                     name.starts_with("_ZdaPv");
  if (!allocates && !frees)
    return false;
  decoder.program.usesHeap = true;
  Register operand = decoder.useScalar(call.getArgOperand(0));
  if (allocates)
    decoder.emit(Opcode::HeapAllocate, decoder.defineScalar(call), operand);
  else
    decoder.emit(Opcode::HeapFree, kNoRegister, operand);
  return true;
}

/// The compute capability that the intrinsic `name` needs, if it is one of
/// those that are known, but not simulated.
static std::optional<uint32_t> getNeededCapability(StringRef name) {
  static const std::pair<StringRef, uint32_t> needs[] = {
      {"cp.async.bulk.", 90}, {"fence.proxy.", 90},
      {"fence.acquire.", 90}, {"fence.release.", 90},
      {"tensormap.", 90},     {"tcgen05.", 100},
      {"st.bulk", 100},       {"clusterlaunchcontrol.", 100},
      {"redux.sync.f", 100}};
  for (auto [prefix, capability] : needs)
    if (name.starts_with(prefix))
      return capability;
  return std::nullopt;
}

/// barrier.cluster.{arrive[.relaxed],wait}[.aligned], mapa, getctarank
static bool decodeCluster(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("barrier.cluster.")) {
    name.consume_back(".aligned");
    if (name == "wait")
      decoder.emit(Opcode::ClusterWait);
    else
      decoder.emit(Opcode::ClusterArrive).imm = name == "arrive.relaxed";
    return true;
  }
  if (name == "is_explicit_cluster")
    return decodeSpecialRegister(decoder, call, name);
  if (name == "mapa" || name == "mapa.shared.cluster") {
    Register address =
        decoder.addOffset(decoder.getAddress(call.getArgOperand(0)));
    Register rank = decoder.useScalar(call.getArgOperand(1));
    decoder.emit(Opcode::MapRank, decoder.defineScalar(call), address, rank);
    return true;
  }
  if (name == "getctarank" || name == "getctarank.shared.cluster") {
    Register address =
        decoder.addOffset(decoder.getAddress(call.getArgOperand(0)));
    decoder.emit(Opcode::GetRank, decoder.defineScalar(call), address);
    return true;
  }
  return false;
}

static Expected<bool> decodeNvvm(Decoder &decoder, CallBase &call,
                                 StringRef name) {
  if (name.starts_with("mma."))
    return decodeMma(decoder, call, name);
  if (name.starts_with("wmma."))
    return decodeWmma(decoder, call, name);
  if (name.starts_with("wgmma."))
    return decodeWgmma(decoder, call, name.split('.').second);
  if (decodeMBarrier(decoder, call, name) || decodeBulk(decoder, call, name) ||
      decodeCluster(decoder, call, name))
    return true;
  if (auto capability = getNeededCapability(name))
    return decoder.unsupported(call, "llvm.nvvm." + name + ", which is of " +
                                         machine::getGpuName(*capability) +
                                         " and later");
  StringRef rest = name;
  if (rest.consume_front("read.ptx.sreg."))
    return decodeSpecialRegister(decoder, call, rest);
  if (rest.consume_front("barrier.cta."))
    return decodeBarrier(decoder, call, rest);
  if (name == "exit") {
    decoder.emit(Opcode::Return);
    return true;
  }
  if (name.starts_with("setmaxnreg."))
    return decodeSetmaxnreg(decoder, call, name.split('.').second);
  // A grid that waits for the one before begins when that has ended.
  if (name.starts_with("griddepcontrol."))
    return true;
  // Hints.
  if (name == "nanosleep" || name == "pm.event.mask" ||
      name.starts_with("prefetch") || name.starts_with("applypriority.") ||
      name.starts_with("discard."))
    return true;
  return decodeCollective(decoder, call, name) ||
         decodeMemoryCall(decoder, call, name) ||
         decodeTexture(decoder, call, name) ||
         decodeNvvmMath(decoder, call, name);
}

/// Target-independent intrinsics that compute nothing: hints and markers.
static bool decodeMarker(Decoder &decoder, CallBase &call, StringRef name) {
  bool isHint = StringSwitch<bool>(name)
                    .Cases({"assume", "donothing", "sideeffect", "prefetch",
                            "fake.use", "pseudoprobe", "var.annotation"},
                           true)
                    .Cases({"lifetime.start", "lifetime.end", "invariant.end",
                            "experimental.noalias.scope.decl"},
                           true)
                    .Default(name.starts_with("dbg."));
  if (isHint)
    return true;
  bool isCopy =
      StringSwitch<bool>(name)
          .Cases({"expect", "expect.with.probability", "ssa.copy", "annotation",
                  "ptr.annotation", "canonicalize", "arithmetic.fence",
                  "launder.invariant.group", "strip.invariant.group"},
                 true)
          .Default(false);
  if (isCopy) {
    decoder.rename(call, decoder.use(call.getArgOperand(0)));
    return true;
  }
  if (name == "trap" || name == "debugtrap" || name == "ubsantrap") {
    emitTrap(decoder, "llvm." + name.str());
    return true;
  }
  if (name == "readcyclecounter")
    return decodeSpecialRegister(decoder, call, "clock64");
  if (name == "readsteadycounter")
    return decodeSpecialRegister(decoder, call, "globaltimer");
  return false;
}

/// What assembly becomes where LLVM has no instruction or intrinsic:
/// {shl,lshr,ashr}.{i32,i64} by any amount, flush.<type> (.ftz), mbarrier.*,
/// bulk.*.
static bool decodeOwn(Decoder &decoder, CallBase &call, StringRef name) {
  if (name.consume_front("wgmma."))
    return decodeOwnWgmma(decoder, call, name);
  if (decodeMBarrier(decoder, call, name) || decodeBulk(decoder, call, name))
    return true;
  auto opcode = StringSwitch<Opcode>(name.split('.').first)
                    .Case("shl", Opcode::Shl32)
                    .Case("lshr", Opcode::LShr32)
                    .Case("ashr", Opcode::AShr32)
                    .Case("flush", Opcode::FFlushF16)
                    .Default(Opcode::NumOpcodes);
  if (opcode == Opcode::NumOpcodes)
    return false;
  const unsigned operands = call.arg_size();
  decodeElements(decoder, call, operands,
                 [&](Arithmetic &a, ArrayRef<Register> x) {
                   return operands == 1 ? a.apply(opcode, x[0])
                                        : a.apply(opcode, x[0], x[1]);
                 });
  return true;
}

Expected<bool> decodeCall(Decoder &decoder, CallBase &call) {
  if (call.isInlineAsm())
    return decoder.unsupported(call, "inline assembly");
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return decoder.unsupported(call, "a call through a pointer");
  StringRef name = callee->getName();
  if (Intrinsic::ID id = callee->getIntrinsicID())
    name = Intrinsic::getBaseName(id);
  if (name.consume_front("llvm.nvvm."))
    return decodeNvvm(decoder, call, name);
  if (name.consume_front("llvm."))
    return decodeMarker(decoder, call, name) ||
           decodeFloatMath(decoder, call, name) ||
           decodeIntegerMath(decoder, call, name);
  if (name.consume_front("tileir.ptx."))
    return decodeOwn(decoder, call, name);
  if (name.consume_front("__nv_"))
    return decodeLibdevice(decoder, call, name);
  if (name == kWrongCall) {
    emitTrap(decoder, "a call through a pointer that is none to a function of "
                      "its type");
    return true;
  }
  if (name == kFullStack) {
    emitTrap(decoder, call.getFnAttr(kFullStack).getValueAsString().str(),
             FindingKind::StackOverflow);
    return true;
  }
  if (decodeHeap(decoder, call, name))
    return true;
  if (name == "vprintf")
    return decodePrint(decoder, call);
  if (name == "__assertfail" || name == "__assert_fail") {
    decodeAssert(decoder, call);
    return true;
  }
  return false;
}

} // namespace tileir::sim
