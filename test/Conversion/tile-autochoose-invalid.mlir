// tile-autochoose: options that make no sense.
//
// RUN: not tile-opt --tile-autochoose=stages=3 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not tile-opt --tile-autochoose %s 2>&1 | FileCheck %s --check-prefix=CHIP

// STAGES: error: tile-autochoose expects stages to be 1 or 2, found 3
// CHIP: error: tile-autochoose needs the rates of a GPU: expected the chip of 'tile.target' to be one of sm_70, {{.*}}, found 'small'
module attributes {tile.target = #tile.target<chip = "small", shared = 1024, threads = 64, registers = 8, mma = []>} {
func.func @f() {
  return
}
}
