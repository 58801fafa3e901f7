//===- TritonFunctionOps.td --------------------------------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Functions, and what a program tells of itself. Included by TritonOps.td.

def TT_FuncOp : TT_Op<"func", [FunctionOpInterface, IsolatedFromAbove,
                               AffineScope, AutomaticAllocationScope]> {
  let summary = "A kernel, or a function that kernels call";
  let description = [{
    A public function is a kernel, without results; private ones are called.

    ```mlir
    tt.func public @store(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x: f32)
        attributes {noinline = false} {
      %y = tt.call @twice(%x) : (f32) -> f32
      tt.store %p, %y : !tt.ptr<f32>
      tt.return
    }
    tt.func private @twice(%x: f32) -> f32 attributes {noinline = true} {
      %y = arith.addf %x, %x : f32
      tt.return %y : f32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() {
      return isExternal() ? nullptr : &getBody();
    }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
  let hasCustomAssemblyFormat = 1;
}

def TT_CallOp : TT_Op<"call", [
    CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Call a function of the module";
  let description = [{
    - TT10: the callee is a `tt.func`, and has these operands and results.

    ```mlir
    tt.func private @add(%x: i32, %y: i32) -> i32 {
      %z = arith.addi %x, %y : i32
      tt.return %z : i32
    }
    tt.func private @double(%x: i32) -> i32 {
      %y = tt.call @add(%x, %x) : (i32, i32) -> i32
      tt.return %y : i32
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$arguments,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = [{
    $callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return getCalleeAttr();
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getArguments(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getArgumentsMutable();
    }
  }];
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike,
                                   Terminator]> {
  let summary = "Leave a function";
  let description = [{
    - TT11: its operands are what the function returns.

    ```mlir
    tt.func private @same(%x: f32) -> f32 {
      tt.return %x : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Stop the kernel where a condition does not hold";
  let description = [{
    ```mlir
    tt.assert %c, "expected a size that is not 0" : tensor<64xi1>
    ```
  }];
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "Print values of a program";
  let description = [{
    ```mlir
    tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex,
                       Variadic<TT_Like>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}
