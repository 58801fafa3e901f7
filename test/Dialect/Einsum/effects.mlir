// What passes of MLIR may do to einsum.contract: on tensors it is a value, on memrefs it reads and
// writes. It is moved out of a loop only if it cannot fail there: sizes that disagree and tables that
// lead outside are errors of the run.
//
// RUN: tile-opt --allow-unregistered-dialect --cse --split-input-file %s | FileCheck %s --check-prefix=CSE
// RUN: tile-opt --allow-unregistered-dialect --canonicalize --split-input-file %s | FileCheck %s --check-prefix=DCE
// RUN: tile-opt --allow-unregistered-dialect --loop-invariant-code-motion --split-input-file %s | FileCheck %s --check-prefix=LICM

// CSE-LABEL: @twice
// DCE-LABEL: @twice
func.func @twice(%a: tensor<4x8xf32>, %t: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CSE-NEXT: %[[R:.*]] = einsum.contract "m(t[m]) -> m"
  // CSE-NEXT: %[[P:.*]] = einsum.contract "m(t[m]) -> m" {{.*}} {pad = "zero"}
  // CSE-NEXT: return %[[R]], %[[R]], %[[P]]
  // DCE-COUNT-3: einsum.contract
  %0 = einsum.contract "m(t[m]) -> m" (%a) tables(t = %t : tensor<4xi32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = einsum.contract "m(t[m]) -> m" (%a) tables(t = %t : tensor<4xi32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  %2 = einsum.contract "m(t[m]) -> m" (%a) tables(t = %t : tensor<4xi32>) {pad = "zero"} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CSE-LABEL: @unused_values
// DCE-LABEL: @unused_values
func.func @unused_values(%a: tensor<4x8xf32>, %d: tensor<?x?xf32>, %o: tensor<4xf32>) {
  // CSE-NEXT: return
  // DCE-NEXT: return
  %0 = einsum.contract "mk -> m" (%a) : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = einsum.contract "mk -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  %2 = einsum.contract "mk, mk -> m" (%d, %d) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  return
}

// -----

// A store to memory is one even if it is stored again.
// CSE-LABEL: @memory
// DCE-LABEL: @memory
func.func @memory(%a: memref<4x8xf32>, %o: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // CSE: einsum.contract
  // CSE-NEXT: memref.load
  // CSE-NEXT: einsum.contract
  // CSE-NEXT: memref.load
  // CSE-NEXT: arith.addf
  // DCE-COUNT-2: einsum.contract
  einsum.contract "mk -> m" (%a) outs(%o : memref<4xf32>) : (memref<4x8xf32>)
  %0 = memref.load %o[%c0] : memref<4xf32>
  einsum.contract "mk -> m" (%a) outs(%o : memref<4xf32>) : (memref<4x8xf32>)
  %1 = memref.load %o[%c0] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// -----

// LICM-LABEL: @loop
// LICM-SAME: %[[N:.*]]: index, %[[A:.*]]: tensor<4x8xf32>, %[[D:.*]]: tensor<?x8xf32>, %[[T:.*]]: tensor<4xi32>, %[[M:.*]]: memref<4x8xf32>, %[[O:.*]]: memref<4xf32>
func.func @loop(%n: index, %a: tensor<4x8xf32>, %d: tensor<?x8xf32>, %t: tensor<4xi32>,
                %m: memref<4x8xf32>, %o: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // LICM: einsum.contract "mk -> m" (%[[A]]) : (tensor<4x8xf32>)
  // LICM-NEXT: einsum.contract "(m-3)k -> mk" (%[[A]])
  // LICM-NOT: einsum.contract
  // LICM: scf.for
  // LICM-NEXT: einsum.contract "mk -> m" (%[[D]])
  // LICM-NEXT: einsum.contract "m(t[m]) -> m" (%[[A]])
  // LICM-NEXT: einsum.contract "mk -> m" (%[[M]])
  // LICM-NEXT: "test.use"
  scf.for %i = %c0 to %n step %c1 {
    %0 = einsum.contract "mk -> m" (%a) : (tensor<4x8xf32>) -> tensor<4xf32>
    %1 = einsum.contract "mk -> m" (%d) : (tensor<?x8xf32>) -> tensor<?xf32>
    %2 = einsum.contract "m(t[m]) -> m" (%a) tables(t = %t : tensor<4xi32>) : (tensor<4x8xf32>) -> tensor<4xf32>
    %3 = einsum.contract "(m-3)k -> mk" (%a) {pad = "zero"} : (tensor<4x8xf32>) -> tensor<6x8xf32>
    einsum.contract "mk -> m" (%m) outs(%o : memref<4xf32>) : (memref<4x8xf32>)
    "test.use"(%0, %1, %2, %3) : (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<6x8xf32>) -> ()
  }
  return
}
