// tile-attach-target: what is known of a chip; a target that there is stays.
//
// RUN: tile-opt %s --tile-attach-target | FileCheck %s
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 | FileCheck %s --check-prefix=TURING
// RUN: tile-opt %s --tile-attach-target=chip=sm_75 | tile-opt --tile-attach-target=chip=sm_75 | FileCheck %s --check-prefix=TURING
// RUN: tile-opt %s --tile-attach-target=chip=sm_89 | FileCheck %s --check-prefix=ADA
// RUN: tile-opt %s --tile-attach-target=chip=sm_90 | FileCheck %s --check-prefix=HOPPER
// RUN: not tile-opt %s --tile-attach-target=chip=sm_71 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: tile-opt %s --tile-attach-target | not tile-opt --tile-attach-target=chip=sm_80 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: module attributes {tile.target = #tile.target<chip = "sm_70", shared = 98304, threads = 1024, registers = 255, sms = 80, mma = ["volta_16x16x8", "volta_32x32x8"]>}
// TURING: #tile.target<chip = "sm_75", shared = 65536,
// ADA: ldmatrix = true>
// HOPPER: ldmatrix = true, stmatrix = true>
// UNKNOWN: error: expected 'chip' to be one of sm_70, sm_72, sm_75, sm_80, {{.*}}, found 'sm_71'
// OTHER: error: expected kernels for sm_70, as 'tile.target' says, found 'chip' to be sm_80
module {
}
