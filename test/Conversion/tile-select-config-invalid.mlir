// tile-select-config: options that make no sense.
//
// RUN: not tile-opt --tile-select-config="config={block=16x16}" %s 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not tile-opt --tile-select-config="config={block=16x0x4}" %s 2>&1 | FileCheck %s --check-prefix=SIZE -DX=16x0x4
// RUN: not tile-opt --tile-select-config="config={block=16x65537x4}" %s 2>&1 | FileCheck %s --check-prefix=SIZE -DX=16x65537x4
// RUN: not tile-opt --tile-select-config="config={block=16xAx4}" %s 2>&1 | FileCheck %s --check-prefix=LETTER
// RUN: not tile-opt --tile-select-config="config={warp=64x32x32}" %s 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: not tile-opt --tile-select-config="config={warp=48x32}" %s 2>&1 | FileCheck %s --check-prefix=POWER -DX=48x32
// RUN: not tile-opt --tile-select-config="config={warp=8x32}" %s 2>&1 | FileCheck %s --check-prefix=POWER -DX=8x32
// RUN: not tile-opt --tile-select-config="config={atom=volta_16x16x16}" %s 2>&1 | FileCheck %s --check-prefix=ATOM "-DATOMS=%atoms"
// RUN: not tile-opt --tile-select-config="config={split_k=3}" %s 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not tile-opt --tile-select-config="config={split-k=2}" %s 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not tile-opt --tile-select-config="config={group=-8}" %s 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not tile-opt --tile-select-config="config={cluster=2}" %s 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not tile-opt --tile-select-config="config={auto stages=3}" %s 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not tile-opt --tile-select-config="config={auto block=16x16x8}" %s 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not tile-opt --tile-select-config=config=auto %s 2>&1 | FileCheck %s --check-prefix=CHIP

// CLUSTER: error: tile-select-config: 'cluster=2' needs instructions of warpgroups, which small has not: leave it out
// RANK: error: tile-select-config: option 'config={block=16x16}': expects 'block' to be three numbers, as in 128x128x32, found 16x16
// SIZE: error: tile-select-config: option 'config={block=[[X]]}': expects 'block' to be three numbers from 1 to 65536, as in 128x128x32, found [[X]] (T35)
// LETTER: error: tile-select-config: option 'config={block=16xAx4}': expects 'block' to be three numbers from 1 to 65536, as in 128x128x32
// WARP: error: tile-select-config: option 'config={warp=64x32x32}': expects 'warp' to be two numbers, as in 64x32, found 64x32x32
// POWER: error: tile-select-config: option 'config={warp=[[X]]}': expects 'warp' to be two powers of two from 16 to 4096, as in 64x32, found [[X]] (T35)
// ATOM: error: tile-select-config: option 'config={atom=volta_16x16x16}': expects an atom, [[ATOMS]], found 'volta_16x16x16'
// SPLIT: error: tile-select-config: option 'config={split_k=3}': expects 'split_k' to be 1, 2, 4 or 8, found 3 (T35)
// FIELD: error: tile-select-config: option 'config={split-k=2}': expects 'block', 'warp', 'atom', 'split_k', 'stages', 'group', 'cluster' or 'persistent', found 'split'
// GROUP: error: tile-select-config: option 'config={group=-8}': expects 'group' to be a number from 1 to 65536, or 0 for all blocks along M, found -8 (T35)
// STAGES: error: tile-select-config selects among configurations of 1 to 2 stages for small, found 3
// AUTO: error: tile-select-config expects 'auto' alone or with 'stages', as in 'config={auto stages=1}', found 'config={auto block=16x16x8}'
// CHIP: error: tile-select-config needs the rates of a GPU: expected the chip of 'tile.target' to be one of sm_70, {{.*}}, found 'small'
module attributes {tile.target = #tile.target<chip = "small", shared = 1024, threads = 64, registers = 8, mma = []>} {
func.func @f() {
  return
}
}
