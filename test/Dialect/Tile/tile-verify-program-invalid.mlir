// Each constraint of tile-verify-program, violated alone.
//
// RUN: tile-opt %s --tile-verify-program=for-layouts --split-input-file --verify-diagnostics

// expected-error @+1 {{tile-verify-program P1: 'func.func' op expects a kernel with a body, found a declaration of @declared: define it in this module}}
func.func private @declared() attributes {tile.kernel}

// -----

func.func @called() attributes {tile.kernel} {
  return
}
func.func @main() {
  // expected-error @+1 {{tile-verify-program P2: 'func.call' op expects kernel @called to be run by 'tile.launch', found 'func.call': launch it, with a grid}}
  call @called() : () -> ()
  return
}

// -----

func.func @contraction(%a: memref<32xf32>, %b: memref<32xf32>) attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P3: 'einsum.contract' op expects no op of einsum in a kernel: run convert-einsum-to-tile}}
  einsum.contract "i -> i" (%a) outs(%b : memref<32xf32>) : (memref<32xf32>)
  return
}

// -----

#l = #tile.layout<blocked shape = [32], register = [1], lane = [32], warp = [1], order = [0]>
func.func @layout() attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P4: 'tile.range' op expected tiles without layouts, found 'tensor<32xi32, #tile.layout<}}
  %r = tile.range 0 to 32 : tensor<32xi32, #l>
  return
}

// -----

func.func @shared() attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P4: 'tile.alloc' op expects no op that takes layouts or shared memory before tile-assign-layouts}}
  %s = tile.alloc : !tile.buffer<32xf32>
  return
}

// -----

// expected-error @+1 {{tile-verify-program P5: 'func.func' op expects structured control flow in a kernel, found branches between blocks: lift them to scf}}
func.func @branches(%p: i1) attributes {tile.kernel} {
  cf.cond_br %p, ^one, ^two
^one:
  cf.br ^two
^two:
  return
}

// -----

func.func @inner_branches(%p: i1) attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P5: 'scf.execute_region' op expects structured control flow in a kernel, found branches between blocks}}
  scf.execute_region {
    cf.br ^one
  ^one:
    scf.yield
  }
  return
}

// -----

func.func @generic(%a: memref<4xf32>) attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P5: 'linalg.generic' op expects structured control flow in a kernel, of which 'linalg.generic' is none: write it as scf.for or scf.if}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @size(%a: memref<24xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{tile-verify-program P6: 'tile.load_view' op expected sizes that are powers of two, found 'tensor<24xf32>': make the tile larger, and mask what is outside}}
  %x = tile.load_view %a[%c0] : memref<24xf32> -> tensor<24xf32>
  tile.store_view %x, %a[%c0] : tensor<24xf32>, memref<24xf32>
  return
}

// -----

func.func @psi(%m: i1, %x: f32, %y: f32, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  // expected-error @+1 {{tile-verify-program P7: 'tile.psi' op expects arith.select in its place: run tile-psi-to-select before}}
  %z = tile.psi %m ? %x, %m ? %y : i1, f32
  tile.store %p, %z : !tile.ptr<f32>
  return
}

// -----

func.func @slice(%a: memref<32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0] : memref<32xf32> -> tensor<32xf32>
  // expected-error @+1 {{tile-verify-program P8: 'tensor.extract_slice' op expects ops whose tiles have layouts: cannot give layouts to the tiles of this op}}
  %y = tensor.extract_slice %x[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
  tile.store_view %y, %a[%c0] : tensor<16xf32>, memref<32xf32>
  return
}
