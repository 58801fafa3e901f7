// T35: what #tile.config may say, and where tile.config stands. Options named config have the same parser.
//
// RUN: sed "s/ATOMS/%atoms/" %s | tile-opt --split-input-file --verify-diagnostics

// expected-error @below {{expects 'block' to be three numbers from 1 to 65536, as in 128x128x32, found 128x0x32 (T35)}}
func.func private @block() attributes {tile.config = #tile.config<block=128x0x32 warp=64x32 atom=volta_16x16x8 split_k=1 stages=2>}

// -----

// expected-error @below {{expects 'block' to be three numbers from 1 to 65536, as in 128x128x32, found 16x65537x4 (T35)}}
func.func private @block() attributes {tile.config = #tile.config<block=16x65537x4>}

// -----

// expected-error @below {{expects 'block' to be three numbers, as in 128x128x32, found 128x128}}
func.func private @rank() attributes {tile.config = #tile.config<block=128x128>}

// -----

// expected-error @below {{expects 'warp' to be two numbers, as in 64x32, found 64x32x32}}
func.func private @warp() attributes {tile.config = #tile.config<block=128x128x32 warp=64x32x32 atom=volta_16x16x8 split_k=1 stages=2>}

// -----

// expected-error @below {{expects 'warp' to be two powers of two from 16 to 4096, as in 64x32, found 48x32 (T35)}}
func.func private @warp() attributes {tile.config = #tile.config<warp=48x32>}

// -----

// expected-error @below {{expects 'warp' to be two powers of two from 16 to 4096, as in 64x32, found 8x32 (T35)}}
func.func private @warp() attributes {tile.config = #tile.config<warp=8x32>}

// -----

// expected-error @below {{expects 'split_k' to be 1, 2, 4 or 8, found 3 (T35)}}
func.func private @split() attributes {tile.config = #tile.config<block=128x128x32 warp=64x32 atom=volta_16x16x8 split_k=3 stages=2>}

// -----

// expected-error @below {{expects 'split_k' to be 1, 2, 4 or 8, found 16 (T35)}}
func.func private @split() attributes {tile.config = #tile.config<split_k=16>}

// -----

// expected-error @below {{expects 'stages' to be a number from 1 to 16, found 0 (T35)}}
func.func private @stages() attributes {tile.config = #tile.config<block=128x128x32 warp=64x32 atom=volta_16x16x8 split_k=1 stages=0>}

// -----

// expected-error @below {{expects an atom, ATOMS, found 'm16n16k8'}}
func.func private @atom() attributes {tile.config = #tile.config<block=128x128x32 warp=64x32 atom=m16n16k8 split_k=1 stages=2>}

// -----

// expected-error @below {{expects 'block', 'warp', 'atom', 'split_k', 'stages', 'group', 'cluster' or 'persistent', found 'ways'}}
func.func private @field() attributes {tile.config = #tile.config<ways=2>}

// -----

// expected-error @below {{expects 'stages' once, found it twice}}
func.func private @twice() attributes {tile.config = #tile.config<stages=2 stages=1>}

// -----

// expected-error @below {{expects tile.config to be a #tile.config, found 128 : i64}}
func.func private @kind() attributes {tile.config = 128 : i64}

// -----

// expected-error @below {{expects 'group' to be a number from 1 to 65536, or 0 for all blocks along M, found -1 (T35)}}
func.func private @group() attributes {tile.config = #tile.config<group=-1>}

// -----

// expected-error @below {{expects 'group' to be a number from 1 to 65536, or 0 for all blocks along M, found 65537 (T35)}}
func.func private @group() attributes {tile.config = #tile.config<group=65537>}

// -----

// expected-error @below {{expects 'cluster' to be 1, 2, 4 or 8, found 3 (T35)}}
func.func private @cluster() attributes {tile.config = #tile.config<cluster=3>}

// -----

// expected-error @below {{expects 'persistent' to be a number from 1 to 32, or 0 for a program a block, found 33 (T35)}}
func.func private @persistent() attributes {tile.config = #tile.config<persistent=33>}
