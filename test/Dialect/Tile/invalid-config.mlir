// T35: what #tile.config may say, and where tile.config stands.
//
// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects 'block' to be three powers of two, found [128, 100, 32] (T35)}}
func.func private @block() attributes {tile.config = #tile.config<block = [128, 100, 32], warp = [64, 32], atom = volta_16x16x8, split_k = 1, stages = 2>}

// -----

// expected-error @below {{expects 'warp' to be two powers of two, found [64, 32, 32] (T35)}}
func.func private @warp() attributes {tile.config = #tile.config<block = [128, 128, 32], warp = [64, 32, 32], atom = volta_16x16x8, split_k = 1, stages = 2>}

// -----

// expected-error @below {{expects 'split_k' to be a power of two, found 3 (T35)}}
func.func private @split() attributes {tile.config = #tile.config<block = [128, 128, 32], warp = [64, 32], atom = volta_16x16x8, split_k = 3, stages = 2>}

// -----

// expected-error @below {{expects 'stages' to be 1 or 2, found 0 (T35)}}
func.func private @stages() attributes {tile.config = #tile.config<block = [128, 128, 32], warp = [64, 32], atom = volta_16x16x8, split_k = 1, stages = 0>}

// -----

// expected-error @below {{expects an atom, volta_16x16x8 or volta_32x32x8, found 'm16n16k8'}}
// expected-error @below {{failed to parse Tile_ConfigAttr parameter 'atom'}}
func.func private @atom() attributes {tile.config = #tile.config<block = [128, 128, 32], warp = [64, 32], atom = m16n16k8, split_k = 1, stages = 2>}

// -----

// expected-error @below {{expects tile.config to be a #tile.config, found 128 : i64}}
func.func private @kind() attributes {tile.config = 128 : i64}
