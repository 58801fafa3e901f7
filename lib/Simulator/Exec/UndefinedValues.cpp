//===- UndefinedValues.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows marks of undefined values, an instruction at a time beside the
// handlers. Marks of results are found before a handler runs, since a result
// may take the register of an operand; those of collectives afterwards, when
// all lanes are there.
//
//===----------------------------------------------------------------------===//

#include "Exec/UndefinedValues.h"

#include "Exec/Cluster.h"
#include "Exec/ShuffleLane.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

namespace {
/// What an instruction does with marks.
enum class Role : uint8_t {
  Compute,    ///< a result is undefined if an operand is
  Control,    ///< reads nothing that counts, and writes nothing
  Use,        ///< all operands matter
  Decide,     ///< operand a decides where lanes go
  Select,     ///< one of two operands matters
  And,        ///< zero and anything is zero
  Or,         ///< true or anything is true
  Collective, ///< between lanes
  Mma,
  Wgmma,
  Load,
  Store,
  LdMatrix,
  StMatrix,
};
} // namespace

static Role getRole(Opcode opcode) {
  switch (opcode) {
  case Opcode::Block:
  case Opcode::BlockBehind:
  case Opcode::Jump:
  case Opcode::Return:
  case Opcode::Trap:
    return Role::Control;
  case Opcode::Branch:
  case Opcode::Switch:
    return Role::Decide;
  case Opcode::Select32:
  case Opcode::Select64:
    return Role::Select;
  case Opcode::And32:
  case Opcode::And64:
    return Role::And;
  case Opcode::Or32:
  case Opcode::Or64:
    return Role::Or;
  case Opcode::Shfl:
  case Opcode::Vote:
  case Opcode::MatchAny32:
  case Opcode::MatchAny64:
  case Opcode::MatchAll32:
  case Opcode::MatchAll64:
  case Opcode::Redux:
    return Role::Collective;
  case Opcode::Mma:
    return Role::Mma;
  case Opcode::Wgmma:
    return Role::Wgmma;
  case Opcode::Load:
    return Role::Load;
  case Opcode::Store:
    return Role::Store;
  case Opcode::LdMatrix:
    return Role::LdMatrix;
  case Opcode::StMatrix:
    return Role::StMatrix;
  case Opcode::WgmmaEpoch:
  case Opcode::WgmmaInputs:
  case Opcode::WgmmaUse:
  case Opcode::IsSpace:
  case Opcode::MapRank:
  case Opcode::GetRank:
  case Opcode::MBarrierPending:
    return Role::Compute;
  default:
    // All that acts on memory, other warps or the host.
    return opcode >= Opcode::Print && opcode != Opcode::ReadSpecial &&
                   opcode != Opcode::ActiveMask && opcode != Opcode::Elect
               ? Role::Use
               : Role::Compute;
  }
}

static const char kDivisionByZero[] = "integer division by zero";

template <typename Body> static void forLanes(uint32_t mask, Body body) {
  for (; mask; mask &= mask - 1)
    body(uint32_t(llvm::countr_zero(mask)));
}

static uint64_t readLane(const Warp &warp, uint32_t slot, bool wide,
                         uint32_t lane) {
  const uint32_t *words = warp.registers + slot * kLanes;
  return wide ? reinterpret_cast<const uint64_t *>(words)[lane] : words[lane];
}

/// Where a lane of an access goes, in the window of its own block if that is
/// where it leads.
static uint64_t getAddress(const Warp &warp, const Instr &instr,
                           uint32_t lane) {
  return toOwnWindow(*warp.block,
                     readLane(warp, instr.a, true, lane) + uint64_t(instr.imm));
}

//===----------------------------------------------------------------------===//
// Loads, and reports
//===----------------------------------------------------------------------===//

uint32_t UndefinedValues::makeSource(Warp &warp, const Instr *instr) {
  auto [found, isNew] = sourceOf.try_emplace(
      {indexOf(block, instr), warp.index}, uint32_t(sources.size()));
  if (isNew)
    sources.emplace_back();
  Source &source = sources[found->second];
  source.instr = instr;
  source.warp = &warp;
  // One report for each time that the instruction is executed.
  if (!warp.undefinedLanes)
    source.isReported = false;
  return found->second;
}

void UndefinedValues::noteLoad(Warp &warp, const Instr *instr, uint32_t lane,
                               uint64_t address, uint32_t first, uint32_t count,
                               const Buffer *buffer) {
  const uint32_t index = makeSource(warp, instr);
  sources[index].isGlobal = buffer;
  Place &place = sources[index].places[lane];
  place.address = address;
  if (buffer) {
    place.begin = buffer->begin;
    place.buffer = bufferNames.insert(buffer->name).first->getKey();
  }
  noteMarked(warp, instr, lane, first, count, index * kLanes + lane + 1);
}

void UndefinedValues::noteDivision(Warp &warp, const Instr *instr,
                                   uint32_t lanes) {
  const uint32_t index = makeSource(warp, instr);
  forLanes(lanes,
           [&](uint32_t lane) { loaded[lane][0] = index * kLanes + lane + 1; });
  warp.undefinedLanes |= lanes;
}

void UndefinedValues::noteMarked(Warp &warp, const Instr *instr, uint32_t lane,
                                 uint32_t first, uint32_t count, Mark mark) {
  if (!isDeferred(*instr))
    return reportUse(mark, instr, "is used");
  warp.undefinedLanes |= 1u << lane;
  std::fill_n(loaded[lane] + first, count, mark);
}

void UndefinedValues::reportUse(Mark mark, const Instr *instr,
                                const char *how) {
  Source &source = sources[(mark - 1) / kLanes];
  if (source.isReported)
    return;
  source.isReported = true;
  const Program &program = *block.launch->program;
  const uint32_t lane = (mark - 1) % kLanes;
  const std::string use = formatv("; its value {0} at {1}", how,
                                  program.locations[instr->location].str());
  if (!isDeferred(*source.instr))
    return report(*source.warp, source.instr, lane, FindingKind::DivisionByZero,
                  0, kDivisionByZero + use, instr);
  const Place &place = source.places[lane];
  const uint64_t address = place.address;
  const uint32_t bytes = source.instr->opcode == Opcode::LdMatrix
                             ? 16
                             : program.accesses[source.instr->extra].bytes;
  if (source.isGlobal)
    report(*source.warp, source.instr, lane, FindingKind::UninitializedGlobal,
           address,
           describeUnwritten(*source.instr, place.buffer, address - place.begin,
                             bytes) +
               use,
           instr);
  else
    report(*source.warp, source.instr, lane, FindingKind::UninitializedShared,
           address,
           formatv("{0} of {1} bytes at shared offset {2} reads bytes that "
                   "this block has never written; expected a store before it",
                   getVerb(*source.instr), bytes, address - kSharedBase)
                   .str() +
               use,
           instr);
}

void UndefinedValues::reportUses(const Warp &warp, uint32_t slot,
                                 const Instr *instr, const char *how) {
  forLanes(warp.active, [&](uint32_t lane) {
    if (Mark mark = getMark(warp, slot, lane))
      reportUse(mark, instr, how);
  });
}

void UndefinedValues::reportOperands(const Warp &warp, const Instr *instr) {
  for (uint32_t slot : {instr->a, instr->b, instr->c})
    reportUses(warp, slot, instr, "is used");
  const uint32_t *uses = getUses(*instr);
  for (uint32_t i = 0; i < instr->numUses; ++i)
    reportUses(warp, uses[i], instr, "is used");
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

bool UndefinedValues::hasMarks(const Warp &warp, const Instr &instr) {
  const std::vector<bool> &isMarked = get(warp).isMarked;
  auto has = [&](uint32_t slot) {
    return slot != kNoRegister && isMarked[slot];
  };
  const uint32_t *list = getDefs(instr);
  return has(instr.dst) || has(instr.a) || has(instr.b) || has(instr.c) ||
         std::any_of(list, list + instr.numDefs + instr.numUses, has);
}

void UndefinedValues::setMarks(Warp &warp, uint32_t slot, uint32_t lanes,
                               const Mark *marks) {
  if (slot == kNoRegister)
    return;
  Mark *to = &get(warp).registers[slot * kLanes];
  forLanes(lanes, [&](uint32_t lane) { to[lane] = marks[lane]; });
  get(warp).isMarked[slot] =
      std::any_of(to, to + kLanes, [](Mark mark) { return mark != 0; });
}

Mark UndefinedValues::getAnyMark(const Warp &warp, const Instr &instr,
                                 uint32_t lane) {
  for (uint32_t slot : {instr.a, instr.b, instr.c})
    if (Mark mark = getMark(warp, slot, lane))
      return mark;
  const uint32_t *uses = getUses(instr);
  for (uint32_t i = 0; i < instr.numUses; ++i)
    if (Mark mark = getMark(warp, uses[i], lane))
      return mark;
  return 0;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

const Instr *UndefinedValues::stepCollective(Warp &warp, const Instr *instr) {
  // The operands are gone when the handler has run, but for those of lanes that
  // it waits for, and these do not change.
  const bool isShuffle = instr->opcode == Opcode::Shfl;
  const uint32_t *uses = getUses(*instr);
  const uint32_t maskSlot = instr->numUses ? uses[0] : instr->c;
  const uint32_t valueSlot = instr->numUses ? uses[1] : instr->a;
  auto copy = [&](uint32_t slot) {
    std::array<uint32_t, kLanes> lanes = {};
    std::copy_n(warp.registers + slot * kLanes, kLanes, lanes.begin());
    return lanes;
  };
  const std::array<uint32_t, kLanes> masks = copy(maskSlot);
  const std::array<uint32_t, kLanes> amounts =
      isShuffle ? copy(uses[2]) : masks;
  const std::array<uint32_t, kLanes> clamps = isShuffle ? copy(uses[3]) : masks;
  std::array<Mark, kLanes> values, places = {};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    values[lane] = getMark(warp, valueSlot, lane);
    if (isShuffle)
      places[lane] = getMark(warp, uses[2], lane);
  }
  reportUses(warp, maskSlot, instr, "is the mask");

  const uint32_t before = warp.active;
  const Instr *next = instr->handler(warp, instr);
  if (next != instr + 1 || (warp.active & before) != before)
    return next; // it waits for other lanes
  std::array<Mark, kLanes> results = {};
  forLanes(warp.active, [&](uint32_t lane) {
    const uint32_t named = masks[lane] & warp.active;
    if (isShuffle) {
      bool inRange;
      const uint32_t from = getShuffleLane(
          ShflMode(instr->imm), lane, amounts[lane], clamps[lane], inRange);
      results[lane] = places[lane]        ? places[lane]
                      : named >> from & 1 ? values[from]
                                          : 0;
      return;
    }
    forLanes(named, [&](uint32_t other) {
      results[lane] = std::max(results[lane], values[other]);
    });
  });
  setMarks(warp, instr->dst, warp.active, results.data());
  for (uint32_t i = 0; i < instr->numDefs; ++i)
    setMarks(warp, getDefs(*instr)[i], warp.active,
             isShuffle && i == 1 ? places.data() : results.data());
  return next;
}

/// A row of A reaches a row of D, a column of B a column. In all shapes but
/// Volta's the lanes 4 g to 4 g + 3 hold row g of A and D and column g of B,
/// and the lanes t of each four the columns 2 t and 2 t + 1 of D.
void UndefinedValues::stepMma(Warp &warp, const Instr *instr) {
  const Mma &mma = block.launch->program->mmas[instr->extra];
  const uint32_t *uses = getUses(*instr);
  const uint32_t numFactors = instr->numUses - instr->numDefs;
  std::array<Mark, kLanes> factors = {};
  for (uint32_t i = 0; i < numFactors; ++i)
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const Mark mark = getMark(warp, uses[i], lane);
      if (!mark)
        continue;
      const bool isVolta =
          mma.shape == MmaShape::M8N8K4 && mma.a != ElementType::F64;
      for (uint32_t to = 0; to < kLanes; ++to)
        if (isVolta ||
            (i < mma.aRegisters ? to / 4 == lane / 4 : to % 4 == lane / 8))
          factors[to] = mark;
    }
  std::vector<std::array<Mark, kLanes>> results(instr->numDefs, factors);
  for (uint32_t i = 0; i < instr->numDefs; ++i)
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (Mark mark = getMark(warp, uses[numFactors + i], lane))
        results[i][lane] = mark;
  for (uint32_t i = 0; i < instr->numDefs; ++i)
    setMarks(warp, getDefs(*instr)[i], kAllLanes, results[i].data());
}

/// The accumulators come first among the operands, and their ticket last among
/// the results. The others are read later, by the hardware.
void UndefinedValues::stepWgmma(Warp &warp, const Instr *instr) {
  const uint32_t numSums = instr->numDefs - 1;
  for (uint32_t i = numSums; i < instr->numUses; ++i)
    reportUses(warp, getUses(*instr)[i], instr, "is used");
  for (uint32_t i = 0; i < numSums; ++i) {
    std::array<Mark, kLanes> marks;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      marks[lane] = getMark(warp, getUses(*instr)[i], lane);
    setMarks(warp, getDefs(*instr)[i], warp.active, marks.data());
  }
}

/// Notes the marks of local memory that a load is to read.
void UndefinedValues::noteLocal(Warp &warp, const Instr *instr) {
  const Program &program = *block.launch->program;
  const std::vector<Mark> &local = get(warp).local;
  if (local.empty())
    return;
  const Access &access = program.accesses[instr->extra];
  forLanes(warp.active, [&](uint32_t lane) {
    const uint64_t address = getAddress(warp, *instr, lane);
    const uint64_t offset = address - kLocalBase;
    if (getSpace(address) != Space::Local ||
        offset + access.bytes > program.localBytes)
      return;
    for (uint32_t b = 0; b < access.bytes; ++b)
      if (Mark mark = local[size_t(lane) * program.localBytes + offset + b])
        noteMarked(warp, instr, lane, b, 1, mark);
  });
}

/// The handler has noted in `loaded` which lanes have divided by zero; the
/// other lanes have the marks of their operands.
void UndefinedValues::stepDivision(Warp &warp, const Instr *instr) {
  Mark marks[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    marks[lane] = loaded[lane][0];
    loaded[lane][0] = 0;
  }
  setMarks(warp, instr->dst, warp.undefinedLanes, marks);
  warp.undefinedLanes = 0;
}

/// The handler has noted in `loaded` what it reads of global and shared memory.
void UndefinedValues::stepLoad(Warp &warp, const Instr *instr) {
  const Access &access = block.launch->program->accesses[instr->extra];
  for (uint32_t i = 0; i < access.elements; ++i) {
    std::array<Mark, kLanes> marks = {};
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (uint32_t b = 0; b < access.elementBytes; ++b)
        marks[lane] =
            std::max(marks[lane], loaded[lane][i * access.elementBytes + b]);
    setMarks(warp, getDefs(*instr)[i], warp.active, marks.data());
  }
}

void UndefinedValues::stepStore(Warp &warp, const Instr *instr) {
  const Access &access = block.launch->program->accesses[instr->extra];
  const uint32_t localBytes = block.launch->program->localBytes;
  forLanes(warp.active, [&](uint32_t lane) {
    const uint64_t address = getAddress(warp, *instr, lane);
    const Space space =
        access.space == Space::Generic ? getSpace(address) : access.space;
    for (uint32_t i = 0; i < access.elements; ++i) {
      const Mark mark = getMark(warp, getUses(*instr)[i], lane);
      const uint32_t bytes = access.elementBytes;
      const uint64_t at = address + i * bytes;
      if (space == Space::Local) {
        std::vector<Mark> &local = get(warp).local;
        if (mark && local.empty())
          local.resize(size_t(localBytes) * kLanes);
        if (!local.empty() && at - kLocalBase + bytes <= localBytes)
          std::fill_n(local.begin() + size_t(lane) * localBytes +
                          (at - kLocalBase),
                      bytes, mark);
      } else if (mark && space == Space::Shared && !access.isAtomic &&
                 block.shadow) {
        if (at - kSharedBase + bytes <= block.sharedBytes)
          block.shadow->setUndefined(at - kSharedBase, bytes, mark);
      } else if (mark) {
        reportUse(mark, instr, "is stored");
      }
    }
  });
}

/// Row r of matrix m, which lane 8 m + r names, goes to the lanes 4 r to 4 r +
/// 3 of its register; transposed, to the lanes r / 2 of each four.
static bool holdsRow(const Access &access, uint32_t lane, uint32_t row) {
  return access.transpose ? lane % 4 == row / 2 : lane / 4 == row;
}

void UndefinedValues::stepLdMatrix(Warp &warp, const Instr *instr) {
  constexpr uint32_t kRows = 8, kRowBytes = 16;
  const Access &access = block.launch->program->accesses[instr->extra];
  for (uint32_t m = 0; m < instr->numDefs; ++m) {
    std::array<Mark, kLanes> marks = {};
    for (uint32_t row = 0; row < kRows; ++row) {
      const Mark *bytes = loaded[m * kRows + row];
      const Mark mark = *std::max_element(bytes, bytes + kRowBytes);
      for (uint32_t lane = 0; mark && lane < kLanes; ++lane)
        if (holdsRow(access, lane, row))
          marks[lane] = mark;
    }
    setMarks(warp, getDefs(*instr)[m], kAllLanes, marks.data());
  }
}

void UndefinedValues::stepStMatrix(Warp &warp, const Instr *instr) {
  constexpr uint32_t kRows = 8, kRowBytes = 16;
  const Access &access = block.launch->program->accesses[instr->extra];
  for (uint32_t i = 0; i < instr->numUses * kRows && block.shadow; ++i) {
    Mark mark = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (holdsRow(access, lane, i % kRows))
        mark = std::max(mark, getMark(warp, getUses(*instr)[i / kRows], lane));
    const uint64_t offset = getAddress(warp, *instr, i) - kSharedBase;
    if (mark && offset + kRowBytes <= block.sharedBytes)
      block.shadow->setUndefined(offset, kRowBytes, mark);
  }
}

const Instr *UndefinedValues::step(Warp &warp, const Instr *instr) {
  const Role role = getRole(instr->opcode);
  if (role == Role::Control ||
      (role != Role::Load && role != Role::LdMatrix && role != Role::Store &&
       !hasMarks(warp, *instr))) {
    const Instr *next = instr->handler(warp, instr);
    if (warp.undefinedLanes)
      stepDivision(warp, instr);
    return next;
  }
  switch (role) {
  case Role::Decide:
    reportUses(warp, instr->a, instr, "decides the branch");
    return instr->handler(warp, instr);
  case Role::Collective:
    return stepCollective(warp, instr);
  case Role::Load:
  case Role::LdMatrix:
  case Role::Store:
  case Role::StMatrix: {
    reportUses(warp, instr->a, instr, "is an address");
    const bool isMatrix = role == Role::LdMatrix || role == Role::StMatrix;
    if (role == Role::Load)
      noteLocal(warp, instr);
    const Instr *next = instr->handler(warp, instr);
    if (next != instr + 1 || (isMatrix && warp.active != kAllLanes))
      return next;
    if (role == Role::Load)
      stepLoad(warp, instr);
    else if (role == Role::LdMatrix)
      stepLdMatrix(warp, instr);
    else if (role == Role::Store)
      stepStore(warp, instr);
    else
      stepStMatrix(warp, instr);
    if (warp.undefinedLanes)
      std::memset(loaded, 0, sizeof(loaded));
    warp.undefinedLanes = 0;
    return next;
  }
  case Role::Mma:
    // All lanes are there, or it waits and comes back here.
    if (warp.active == kAllLanes)
      stepMma(warp, instr);
    return instr->handler(warp, instr);
  case Role::Wgmma:
    stepWgmma(warp, instr);
    return instr->handler(warp, instr);
  default:
    break;
  }

  std::array<Mark, kLanes> results = {};
  const bool wide =
      instr->opcode == Opcode::And64 || instr->opcode == Opcode::Or64;
  forLanes(warp.active, [&](uint32_t lane) {
    Mark &result = results[lane];
    const Mark a = getMark(warp, instr->a, lane);
    const Mark b = getMark(warp, instr->b, lane);
    switch (role) {
    case Role::Select: {
      const bool first = readLane(warp, instr->a, false, lane) & 1;
      result = a ? a : getMark(warp, first ? instr->b : instr->c, lane);
      return;
    }
    case Role::And:
    case Role::Or: {
      result = a ? a : b;
      if (bool(a) == bool(b))
        return;
      const uint64_t known =
          readLane(warp, a ? instr->b : instr->a, wide, lane);
      const uint64_t other =
          readLane(warp, a ? instr->a : instr->b, wide, lane);
      // Bits are 0 or 1, whatever they are.
      if (role == Role::And ? known == 0 : known == 1 && other <= 1)
        result = 0;
      return;
    }
    default:
      result = getAnyMark(warp, *instr, lane);
    }
  });
  if (role == Role::Use) {
    reportOperands(warp, instr);
    results = {};
  }
  const uint32_t lanes = warp.active;
  const Instr *next = instr->handler(warp, instr);
  setMarks(warp, instr->dst, lanes, results.data());
  for (uint32_t i = 0; i < instr->numDefs; ++i)
    setMarks(warp, getDefs(*instr)[i], lanes, results.data());
  if (warp.undefinedLanes)
    stepDivision(warp, instr);
  return next;
}

void UndefinedValues::beginTracking(Warp &warp, const Instr *source) {
  Tracked &marks = get(warp);
  const uint32_t numSlots = block.launch->program->numSlots;
  marks.registers.assign(size_t(numSlots) * kLanes, 0);
  marks.isMarked.assign(numSlots, false);
  marks.local.clear();
  warp.isTracked = true;
  if (!isDeferred(*source))
    return stepDivision(warp, source);
  if (source->opcode == Opcode::Load)
    stepLoad(warp, source);
  else
    stepLdMatrix(warp, source);
  std::memset(loaded, 0, sizeof(loaded));
  warp.undefinedLanes = 0;
}

const Instr *UndefinedValues::run(Warp &warp, const Instr *instr) {
  const Instr *last = instr;
  while (instr) {
    last = instr;
    instr = step(warp, instr);
  }
  return last;
}

void UndefinedValues::reset() {
  sources.clear();
  sourceOf.clear();
  std::memset(loaded, 0, sizeof(loaded));
  for (uint32_t w = 0; w < block.numWarps; ++w)
    block.warps[w].isTracked = block.warps[w].undefinedLanes = 0;
}

const Instr *tileir::sim::trackWarp(Warp &warp, const Instr *source) {
  if (warp.isTracked)
    return source + 1;
  UndefinedValues &values = *warp.block->undefined;
  values.beginTracking(warp, source);
  values.run(warp, source + 1);
  return nullptr;
}

void tileir::sim::noteDivisionByZero(Warp &warp, const Instr *instr,
                                     uint32_t lanes) {
  if (UndefinedValues *undefined = warp.block->undefined)
    undefined->noteDivision(warp, instr, lanes);
  else
    report(warp, instr, llvm::countr_zero(lanes), FindingKind::DivisionByZero,
           0, kDivisionByZero);
}
