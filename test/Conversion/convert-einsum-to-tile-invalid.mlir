// Least sizes of blocks that convert-einsum-to-tile does not take.
//
// RUN: not tile-opt --convert-einsum-to-tile="min-block=16x16" %s 2>&1 | FileCheck %s -DBLOCK=16x16
// RUN: not tile-opt --convert-einsum-to-tile="min-block=16x0x4" %s 2>&1 | FileCheck %s -DBLOCK=16x0x4
// RUN: not tile-opt --convert-einsum-to-tile="min-block=16x65537x4" %s 2>&1 | FileCheck %s -DBLOCK=16x65537x4
// RUN: not tile-opt --convert-einsum-to-tile="min-block=16xAx4" %s 2>&1 | FileCheck %s -DBLOCK=16xAx4

// CHECK: error: expected 'min-block' to be three numbers from 1 to 65536, as in '16x16x8', found '[[BLOCK]]'

module {
}
