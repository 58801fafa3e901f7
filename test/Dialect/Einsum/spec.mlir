// Specifications print in one canonical form, which parses to the same attribute.
//
// RUN: tile-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: tile-opt --allow-unregistered-dialect %s | tile-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt --allow-unregistered-dialect --verify-roundtrip %s | FileCheck %s

// Terms and white space.
// CHECK: spec = #einsum.spec<"mk, kn -> mn">
"test.spec"() {spec = #einsum.spec<"mk, kn -> mn">} : () -> ()
// CHECK: spec = #einsum.spec<"mk, kn -> mn">
"test.spec"() {spec = #einsum.spec<"mk,kn->mn">} : () -> ()
// CHECK: spec = #einsum.spec<"mk, kn -> mn">
"test.spec"() {spec = #einsum.spec<"  m  k ,  k n  ->  m n  ">} : () -> ()
// CHECK: spec = #einsum.spec<"mk, kn -> mn">
"test.spec"() {spec = #einsum.spec<"m\tk,\n kn -> mn">} : () -> ()
// CHECK: spec = #einsum.spec<" -> ">
"test.spec"() {spec = #einsum.spec<"->">} : () -> ()
// CHECK: spec = #einsum.spec<",  -> ">
"test.spec"() {spec = #einsum.spec<", -> ">} : () -> ()
// CHECK: spec = #einsum.spec<"m -> ">
"test.spec"() {spec = #einsum.spec<"m ->">} : () -> ()
// CHECK: spec = #einsum.spec<"m, n, k,  -> mnk">
"test.spec"() {spec = #einsum.spec<"m, n, k, -> mnk">} : () -> ()
// CHECK: spec = #einsum.spec<"Aa -> aA">
"test.spec"() {spec = #einsum.spec<"Aa -> aA">} : () -> ()
// CHECK: spec = #einsum.spec<"mm -> m">
"test.spec"() {spec = #einsum.spec<"mm -> m">} : () -> ()

// An axis that is an index in the end loses its parentheses.
// CHECK: spec = #einsum.spec<"mk -> m">
"test.spec"() {spec = #einsum.spec<"(m)((k)) -> m">} : () -> ()
// CHECK: spec = #einsum.spec<"m -> m">
"test.spec"() {spec = #einsum.spec<"(m+0) -> m">} : () -> ()
// CHECK: spec = #einsum.spec<"m -> m">
"test.spec"() {spec = #einsum.spec<"(1*m) -> m">} : () -> ()
// CHECK: spec = #einsum.spec<"m -> m">
"test.spec"() {spec = #einsum.spec<"(m/1) -> m">} : () -> ()
// CHECK: spec = #einsum.spec<"m -> m">
"test.spec"() {spec = #einsum.spec<"(m+1-1) -> m">} : () -> ()
// CHECK: spec = #einsum.spec<"h -> h">
"test.spec"() {spec = #einsum.spec<"(h*2/2) -> h">} : () -> ()

// Sums: constants last, factors before indices, a minus instead of a negative factor.
// CHECK: spec = #einsum.spec<"nc(2*h+r)(2*w+s) -> nchw">
"test.spec"() {spec = #einsum.spec<"nc(2*h+r)(2*w+s) -> nchw">} : () -> ()
// CHECK: spec = #einsum.spec<"nc(2*h+r-1) -> nch">
"test.spec"() {spec = #einsum.spec<"nc(h*2+r-1) -> nch">} : () -> ()
// CHECK: spec = #einsum.spec<"n(h+r) -> nh">
"test.spec"() {spec = #einsum.spec<"n(r+h) -> nh">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*h+r+3) -> h">
"test.spec"() {spec = #einsum.spec<"(3-h+r) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-2*h-3*r) -> h">
"test.spec"() {spec = #einsum.spec<"(-2*h-3*r) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(h-r) -> h">
"test.spec"() {spec = #einsum.spec<"(h-r) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*h) -> h">
"test.spec"() {spec = #einsum.spec<"(-h) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*(h+r)) -> h">
"test.spec"() {spec = #einsum.spec<"(-(h+r)) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(h-(w-v)) -> hwv">
"test.spec"() {spec = #einsum.spec<"(h-(w-v)) -> hwv">} : () -> ()
// CHECK: spec = #einsum.spec<"(h-2*(w-v)) -> hwv">
"test.spec"() {spec = #einsum.spec<"(h-(w-v)*2) -> hwv">} : () -> ()
// CHECK: spec = #einsum.spec<"(h-2*(w*v)) -> hwv">
"test.spec"() {spec = #einsum.spec<"(h-2*w*v) -> hwv">} : () -> ()

// Products of indices, quotients and moduli: parentheses only where they change something.
// CHECK: spec = #einsum.spec<"(h*w*v) -> hwv">
"test.spec"() {spec = #einsum.spec<"(h*w*v) -> hwv">} : () -> ()
// CHECK: spec = #einsum.spec<"(h*h) -> h">
"test.spec"() {spec = #einsum.spec<"(h*h) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*(h*w)) -> hw">
"test.spec"() {spec = #einsum.spec<"(-h*w) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"((h+1)*(w+1)) -> hw">
"test.spec"() {spec = #einsum.spec<"((h+1)*(w+1)) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(h*(w/2)) -> hw">
"test.spec"() {spec = #einsum.spec<"(h*(w/2)) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(h*w/2) -> hw">
"test.spec"() {spec = #einsum.spec<"((h*w)/2) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(h/2*(w/2)) -> hw">
"test.spec"() {spec = #einsum.spec<"((h/2)*(w/2)) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(3*(h%2)) -> h">
"test.spec"() {spec = #einsum.spec<"((h%2)*3) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(h/2/3) -> h">
"test.spec"() {spec = #einsum.spec<"(h/2/3) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(h/6) -> h">
"test.spec"() {spec = #einsum.spec<"(h/(2*3)) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(h%2%3) -> h">
"test.spec"() {spec = #einsum.spec<"(h%2%3) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(2*h/4) -> h">
"test.spec"() {spec = #einsum.spec<"(2*h/4) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*h/2) -> h">
"test.spec"() {spec = #einsum.spec<"(-h/2) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*(h/2)) -> h">
"test.spec"() {spec = #einsum.spec<"(-(h/2)) -> h">} : () -> ()
// CHECK: spec = #einsum.spec<"((h+w)/2) -> hw">
"test.spec"() {spec = #einsum.spec<"((h+w)/2) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(h/(w+1)) -> hw">
"test.spec"() {spec = #einsum.spec<"(h/(w+1)) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"((h+1)%(w+1)) -> hw">
"test.spec"() {spec = #einsum.spec<"((h+1)%(w+1)) -> hw">} : () -> ()
// CHECK: spec = #einsum.spec<"(h+h%2+h/2) -> h">
"test.spec"() {spec = #einsum.spec<"(h+h%2+h/2) -> h">} : () -> ()

// Tables of one index and of two, as addend, factor, divisor and quotient.
// CHECK: spec = #einsum.spec<"nc(h+sh[c])(w+sw[c]), ck -> nkhw">
"test.spec"() {spec = #einsum.spec<"nc(h+sh[c])(w+sw[c]), ck -> nkhw">} : () -> ()
// CHECK: spec = #einsum.spec<"(t[i,j]) -> ij">
"test.spec"() {spec = #einsum.spec<"(t[i,j]) -> ij">} : () -> ()
// CHECK: spec = #einsum.spec<"(t[i,j]+t[j,i]) -> ij">
"test.spec"() {spec = #einsum.spec<"(t[ i , j ]+t[j,i]) -> ij">} : () -> ()
// CHECK: spec = #einsum.spec<"(2*t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(t[i]*2) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(i*t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(t[i]*i) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(t[i]*u[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(t[i]*u[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(i/t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(i/t[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(i%t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(i%t[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(t[i]/2) -> i">
"test.spec"() {spec = #einsum.spec<"(t[i]/2) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(i+t[i]%4) -> i">
"test.spec"() {spec = #einsum.spec<"(t[i]%4+i) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(i-t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(i-t[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*t[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(-t[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"((i+1)*t[j]) -> ij">
"test.spec"() {spec = #einsum.spec<"((i+1)*t[j]) -> ij">} : () -> ()
// CHECK: spec = #einsum.spec<"(a[i]*(b[i]+c[i])) -> i">
"test.spec"() {spec = #einsum.spec<"(a[i]*(b[i]+c[i])) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(a_1[i]+B2[i]+_[i]) -> i">
"test.spec"() {spec = #einsum.spec<"(a_1[i]+B2[i]+_[i]) -> i">} : () -> ()
// CHECK: spec = #einsum.spec<"(a[a]) -> a">
"test.spec"() {spec = #einsum.spec<"(a[a]) -> a">} : () -> ()

// Constant axes.
// CHECK: spec = #einsum.spec<"(2)(0) -> ">
"test.spec"() {spec = #einsum.spec<"(2)(0) ->">} : () -> ()
// CHECK: spec = #einsum.spec<"(-3)k -> k">
"test.spec"() {spec = #einsum.spec<"(-3)k -> k">} : () -> ()
// CHECK: spec = #einsum.spec<"(5) -> ">
"test.spec"() {spec = #einsum.spec<"(2+3) ->">} : () -> ()
// CHECK: spec = #einsum.spec<"k(9223372036854775807) -> k">
"test.spec"() {spec = #einsum.spec<"k(9223372036854775807) -> k">} : () -> ()
// CHECK: spec = #einsum.spec<"(-1*h+9223372036854775806) -> h">
"test.spec"() {spec = #einsum.spec<"(9223372036854775806-h) -> h">} : () -> ()
