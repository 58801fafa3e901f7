// tile-autochoose: options that make no sense.
//
// RUN: not tile-opt --tile-autochoose=stages=3 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not tile-opt --tile-autochoose=chip=volta %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt --tile-autochoose=chip=sm_72 %s 2>&1 | FileCheck %s --check-prefix=RATES
// RUN: not tile-opt --tile-attach-target=chip=sm_70 --tile-autochoose=chip=sm_75 %s 2>&1 | FileCheck %s --check-prefix=OTHER

// STAGES: error: tile-autochoose expects stages to be 1 or 2, found 3
// CHIP: error: expected 'chip' to be one of sm_70, {{.*}}, found 'volta'
// RATES: error: tile-autochoose needs the rates of a chip: unknown chip 'sm_72': expected one of sm_70,
// OTHER: error: expected kernels for sm_70, as 'tile.target' says, found 'chip' to be sm_75
func.func @f() {
  return
}
