// What convert-tile-to-linalg refuses: one error each, at the op.
//
// RUN: tile-opt --convert-tile-to-linalg --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expects a kernel with a body, found a declaration of @declared}}
func.func private @declared(!tile.ptr<f32>) attributes {tile.kernel}

// -----

func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  return
}
func.func @host(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expects kernel @kernel to be run by 'tile.launch', found 'func.call'}}
  func.call @kernel(%p) : (!tile.ptr<f32>) -> ()
  return
}

// -----

// Only arith, scf, func and tensor are known to work on pointers.
func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // expected-error @+1 {{failed to legalize operation 'vector.broadcast'}}
  %v = vector.broadcast %p : !tile.ptr<f32> to vector<4x!tile.ptr<f32>>
  return
}
