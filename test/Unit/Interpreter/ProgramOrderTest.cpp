//===- ProgramOrderTest.cpp - Tests of releases and acquires --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Up to four programs do one thing each, in the order in which they run: what
// one has written is data of another only if a release and an acquire say so.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// What programs do to the data, and to the flags %a and %b, which are side by
/// side: the tile %both points at these.
static const char *const kWrite = "tile.store %data, %one : !tile.ptr<i32>\n";
static const char *const kRead = "tile.load %data : !tile.ptr<i32>\n";

static std::string change(StringRef pointer, StringRef order) {
  return ("tile.atomic_rmw add " + pointer + ", %one order " + order +
          " : !tile.ptr<i32>\n")
      .str();
}

/// The error that programs make, which depends on what runs first.
static std::string errorOf(ArrayRef<std::string> programs) {
  std::string body;
  for (auto [number, program] : llvm::enumerate(programs))
    body += ("%c" + Twine(number) + " = arith.constant " + Twine(number) +
             " : i32\n%is" + Twine(number) + " = arith.cmpi eq, %id, %c" +
             Twine(number) + " : i32\nscf.if %is" + Twine(number) + " {\n" +
             program + "}\n")
                .str();
  std::string text = R"(
func.func @k(%data: !tile.ptr<i32>, %a: !tile.ptr<i32>)
    attributes {tile.kernel} {
  %one = arith.constant 1 : i32
  %b = tile.addptr %a, %one : !tile.ptr<i32>, i32
  %i = tile.range 0 to 2 : tensor<2xi32>
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
  %both = tile.addptr %as, %i : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
  %id = tile.program_id x
)" + body + "return\n}";
  NDArray arrays[] = {array(K::I32, {1}, {0}), array(K::I32, {2}, {0, 1})};
  return runBy(text,
               [&](func::FuncOp kernel) {
                 return interpretKernel(
                     kernel, {int64_t(programs.size()), 1, 1}, arrays);
               })
      .error;
}

/// The error of an access to the data, which nothing orders.
static std::string conflict(StringRef access, StringRef other, int64_t first,
                            int64_t second) {
  return (access + " element (0) of argument 0, which program (" +
          Twine(first) + ", 0, 0) " + other +
          " in the same launch, whose programs have no order but where one "
          "acquires what another has released, in program (" +
          Twine(second) + ", 0, 0) of @k")
      .str();
}

TEST(ProgramOrder, ReleaseAndAcquire) {
  auto passOn = [](StringRef release, StringRef acquire) {
    return errorOf({kWrite + change("%a", release),
                    change("%a", acquire) + kRead + kWrite});
  };
  EXPECT_EQ(passOn("release", "acquire"), "");
  EXPECT_EQ(passOn("acq_rel", "acq_rel"), "");
  std::string expected = conflict("reads", "writes", 0, 1);
  EXPECT_EQ(passOn("relaxed", "acquire"), expected);
  EXPECT_EQ(passOn("acquire", "acquire"), expected);
  EXPECT_EQ(passOn("acq_rel", "release"), conflict("reads", "writes", 0, 1));
  // Without any acquire, nothing is said of one.
  EXPECT_EQ(passOn("release", "relaxed"),
            "reads element (0) of argument 0, which program (0, 0, 0) writes "
            "in the same launch, whose programs have no order, in program "
            "(1, 0, 0) of @k");
}

TEST(ProgramOrder, WhatStandsElsewhere) {
  std::string release = change("%a", "release"),
              acquire = change("%a", "acquire");
  // Behind the release, before the acquire, at another place.
  EXPECT_EQ(errorOf({release + kWrite, acquire + kRead}),
            conflict("reads", "writes", 0, 1));
  EXPECT_EQ(errorOf({kWrite + release, kRead + acquire}),
            conflict("reads", "writes", 0, 1));
  EXPECT_EQ(errorOf({kWrite + change("%b", "release"), acquire + kRead}),
            conflict("reads", "writes", 0, 1));
  // A second release.
  EXPECT_EQ(errorOf({release + kWrite + release, acquire + kRead}), "");
}

TEST(ProgramOrder, Chains) {
  std::string release = change("%a", "release"),
              acquire = change("%a", "acquire"),
              relaxed = change("%a", "relaxed");
  // What is changed in between hands on what was released.
  EXPECT_EQ(errorOf({kWrite + release, relaxed, acquire + kRead}), "");
  EXPECT_EQ(errorOf({kWrite + release, release, acquire + kRead}), "");
  // So does who acquires and releases.
  EXPECT_EQ(errorOf({kWrite + release, acquire + change("%b", "release"),
                     change("%b", "acquire") + kWrite}),
            "");
  EXPECT_EQ(errorOf({kWrite + release, relaxed + change("%b", "release"),
                     change("%b", "acquire") + kWrite}),
            conflict("writes", "writes", 0, 2));
}

TEST(ProgramOrder, ElementsOfOneOp) {
  // One op does not release at one of its elements what it acquires at another.
  std::string both = "%bs = tile.splat %one : i32 -> tensor<2xi32>\n"
                     "tile.atomic_rmw add %both, %bs order acq_rel : "
                     "tensor<2x!tile.ptr<i32>>\n",
              release = kWrite + change("%a", "release");
  EXPECT_EQ(errorOf({release, both, change("%b", "acquire") + kRead}),
            conflict("reads", "writes", 0, 2));
  EXPECT_EQ(errorOf({release, both + kRead}), "");
  EXPECT_EQ(errorOf({std::string(kWrite) + both,
                     change("%b", "acquire") + kRead + kWrite}),
            "");
}

TEST(ProgramOrder, CompareAndSwap) {
  // Only what is written is released. The flag %a is 0 before, %b 1.
  auto swap = [](StringRef pointer) {
    return ("%zero = arith.constant 0 : i32\ntile.atomic_cas " + pointer +
            ", %zero, %one order acq_rel : !tile.ptr<i32>\n")
        .str();
  };
  EXPECT_EQ(errorOf({kWrite + swap("%a"), change("%a", "acquire") + kRead}),
            "");
  EXPECT_EQ(errorOf({kWrite + swap("%b"), change("%b", "acquire") + kRead}),
            conflict("reads", "writes", 0, 1));
  EXPECT_EQ(errorOf({kWrite + change("%b", "release"), swap("%b") + kRead}),
            "");
}

TEST(ProgramOrder, Scope) {
  // What is atomic for one program is a write to others, and orders nothing.
  std::string own =
      "tile.atomic_rmw add %a, %one order acq_rel scope cta : !tile.ptr<i32>\n";
  EXPECT_EQ(errorOf({own + own}), "");
  EXPECT_EQ(errorOf({own, own}),
            "atomically changes element (0) of argument 1, which program "
            "(0, 0, 0) writes in the same launch, whose programs have no "
            "order, in program (1, 0, 0) of @k");
  EXPECT_EQ(errorOf({change("%a", "relaxed"), own}),
            "atomically changes element (0) of argument 1, which program "
            "(0, 0, 0) atomically changes in the same launch, whose programs "
            "have no order, in program (1, 0, 0) of @k");
  EXPECT_EQ(
      errorOf({own + change("%b", "release"), change("%b", "acquire") + own}),
      "");
  std::string system =
      "tile.atomic_rmw add %a, %one order acq_rel scope sys : !tile.ptr<i32>\n";
  EXPECT_EQ(errorOf({kWrite + system, system + kRead}), "");
}

TEST(ProgramOrder, ManyReaders) {
  // Who writes comes behind two of the three that have read.
  std::string handOn = kRead + change("%a", "release"),
              write = change("%a", "acquire") + kWrite;
  EXPECT_EQ(errorOf({handOn, handOn, handOn, write}), "");
  for (int64_t other : {0, 1, 2}) {
    SmallVector<std::string> programs(3, handOn);
    programs[other] = kRead;
    programs.push_back(write);
    EXPECT_EQ(errorOf(programs), conflict("writes", "reads", other, 3));
  }
}
