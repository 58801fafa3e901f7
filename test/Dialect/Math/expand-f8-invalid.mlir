// expand-f8 rounds in one way.
// RUN: tile-opt %s --expand-f8 --verify-diagnostics

func.func @down(%x: f32) -> f8E5M2 {
  // expected-error @+1 {{expand-f8 rounds to nearest even, found 'downward'}}
  %y = arith.truncf %x downward : f32 to f8E5M2
  return %y : f8E5M2
}
