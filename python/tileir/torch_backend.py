# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend "tileir" of torch.compile: graphs become MLIR by torch-mlir, and code for this CPU, or for a GPU, by the passes of
TileIR.

torch-mlir (PyPI) has an MLIR of its own; between the two there is text. Ops that do not convert, and graphs whose sizes are
not known, stay torch's, with a BackendWarning that says why.
"""

import ctypes
import functools
import operator
import re
import warnings

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from tileir import _cuda_tensors, _ir, ir

# Dimensions of size 1, which graphs of torch are full of, would hide what can be fused and what is one row of memory.
PASSES = ("convert-linalg-to-einsum,func.func(linalg-fuse-elementwise-ops),canonicalize,cse,"
          "func.func(linalg-fold-unit-extent-dims),einsum-fold-unit-dims,canonicalize,cse,")
ENTRY = "forward"


class BackendWarning(RuntimeWarning):
    """A part of a network is not compiled, and runs as without a backend."""


class _Refused(Exception):
    """Why a graph is not compiled."""


class _Dynamic(_Refused):
    """No part of it can be compiled, either."""


def backend(graph, inputs, **options):
    """For torch.compile(model, backend="tileir"), where the package is installed, or backend=tileir.torch_backend.backend.
    Gradients are graphs as well."""
    if options:
        raise TypeError(f"backend 'tileir' has no options, found {', '.join(options)}")
    return aot_autograd(fw_compiler=_compile, decompositions=_get_decompositions())(graph, inputs)


@functools.lru_cache(maxsize=1)
def _get_openmp():
    """What parallel loops of compiled code run by; torch has another one."""
    return ctypes.CDLL(_ir.OPENMP)


@functools.lru_cache(maxsize=1)
def _get_decompositions():
    try:
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    except ImportError:
        return {}
    # torch-mlir's own gelu takes 22/7 for pi, which is wrong from the fifth digit on.
    gelu = torch._decomp.get_decompositions([torch.ops.aten.gelu, torch.ops.aten.gelu_backward])
    return {**get_decomposition_table(), **gelu, torch.ops.aten.native_layer_norm.default: _normalize,
            torch.ops.aten._native_batch_norm_legit_no_training.default: _normalize_batch}


def _normalize(x, shape, weight, bias, eps):
    """Layer norm as torch computes it, in f32 at least; torch-mlir's own goes through f64, three times as slow."""
    axes = list(range(x.ndim - len(shape), x.ndim))
    wide = x if x.dtype == torch.float64 else x.float()
    mean = wide.mean(axes, keepdim=True)
    centered = wide - mean
    scale = (centered.square().mean(axes, keepdim=True) + eps).rsqrt()
    y = centered * scale
    y = y if weight is None else y * weight
    y = y if bias is None else y + bias
    return y.to(x.dtype), mean, scale


def _normalize_batch(x, weight, bias, mean, variance, momentum, eps):
    """Batch norm of a network that is not trained, as torch computes it on the CPU: a factor and a summand for each channel."""
    wide = torch.promote_types(x.dtype, torch.float32)
    scale = (variance.to(wide) + eps).rsqrt()
    scale = scale if weight is None else scale * weight
    shift = -mean.to(wide) * scale
    shift = shift if bias is None else shift + bias
    shape = [1, -1] + [1] * (x.ndim - 2)
    y = x * scale.view(shape) + shift.view(shape)
    none = x.new_empty((0,))
    return y.to(x.dtype), none, none


def _compile(graph, inputs):
    try:
        return make_boxed_func(_Graph(graph))
    except _Refused as reason:
        whole, left = graph, [node for node in graph.graph.nodes if node.op == "call_function"]
        if not isinstance(reason, _Dynamic):
            whole, left = _compile_parts(graph)
        kinds = ", ".join(sorted({str(node.target) for node in left})[:3])
        what = "1 op" if len(left) == 1 else f"{len(left)} ops"
        warnings.warn(f"{what} of a graph, {kinds}, left to torch: {reason}", BackendWarning, stacklevel=2)
        return make_boxed_func(whole.forward)


class _Convertible(OperatorSupportBase):
    """Which ops of a graph convert by themselves."""

    def __init__(self):
        self.known = {}

    def is_node_supported(self, submodules, node):
        if node.op != "call_function":
            return False
        if node.target is operator.getitem:
            return self.is_node_supported(submodules, node.args[0])
        if node.target not in self.known:
            self.known[node.target] = self._converts(node)
        return self.known[node.target]

    @staticmethod
    def _converts(node):
        graph, nodes = torch.fx.Graph(), {}
        for used in node.all_input_nodes:
            nodes[used] = graph.placeholder(used.name)
            nodes[used].meta = dict(used.meta)
        alone = graph.node_copy(node, nodes.__getitem__)
        values = node.meta["val"]
        results = [alone]
        if isinstance(values, (tuple, list)):
            results = [graph.call_function(operator.getitem, (alone, i)) for i, value in enumerate(values)
                       if isinstance(value, torch.Tensor)]
            for result in results:
                result.meta["val"] = values[result.args[1]]
        graph.output(results)
        try:
            ir.parse(_import(torch.fx.GraphModule({}, graph)))
        except (_Refused, ir.IRError):
            return False
        return True


def _compile_parts(graph):
    """The graph with code in the place of ops that convert, and the other ops."""
    graph = torch.fx.GraphModule(graph, _copy(graph.graph))
    parts = CapabilityBasedPartitioner(graph, _Convertible(), allows_single_node_partition=False).partition_and_fuse()
    left = [node for node in parts.graph.nodes if node.op == "call_function"]
    for name, part in list(parts.named_children()):
        try:
            code = _Graph(part)
        except _Refused:
            left += [node for node in part.graph.nodes if node.op == "call_function"]
            continue
        delattr(parts, name)
        parts.__dict__[name] = code  # called as a module is
    return parts, [node for node in left if node.target is not operator.getitem]


class _Graph:
    """The code of a graph, which is called as the graph is."""

    def __init__(self, graph):
        (output,) = (node for node in graph.graph.nodes if node.op == "output")
        # A part of a graph may have one result that is no list.
        self.is_one = not isinstance(output.args[0], (tuple, list))
        results = [output.args[0]] if self.is_one else output.args[0]
        self.results = [None if node is None else node.meta["val"] for node in results]
        given = [node.meta["val"] for node in graph.graph.nodes if node.op == "placeholder"]
        values = given + [value for value in self.results if value is not None]
        for value in values:
            if not isinstance(value, torch.Tensor):
                raise _Dynamic("sizes or numbers are not known before it runs (dynamic=False helps)")
            if value.device.type not in ("cpu", "cuda") or not all(isinstance(size, int) for size in value.shape):
                raise _Dynamic(f"expected tensors of known shape in the memory of the CPU or a GPU, found {tuple(value.shape)} on "
                               f"{value.device}")
        devices = {value.device for value in values}
        if len(devices) > 1:
            raise _Dynamic(f"expected all tensors on one device, found {', '.join(sorted(map(str, devices)))}")
        self.device = devices.pop() if devices else torch.device("cpu")
        self.orders = [_get_order(value) for value in values]
        text = _import(torch.fx.GraphModule(graph, _copy(graph.graph, as_stored=True)))
        self.code = _CpuCode(text) if self.device.type == "cpu" else _GpuCode(text, self.device.index)

    def __call__(self, *inputs):
        results = [None if value is None else torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=self.device)
                   for value in self.results]
        # Those that compiled code gets are alive until it returns.
        tensors = [_permute(tensor, order)
                   for tensor, order in zip([*map(_resolve, inputs), *filter(torch.is_tensor, results)], self.orders)]
        stored = [tensor.contiguous() for tensor in tensors]
        self.code.run(stored)
        for tensor, array in zip(tensors[len(inputs):], stored[len(inputs):]):
            if tensor is not array:
                _write(tensor, array)
        return results[0] if self.is_one else results


class _CpuCode:
    """The code of a program on tensors, whose results are arguments that are written."""

    def __init__(self, text):
        self.program = _compile_text(_write_results(text, "bufferization.writable = false", "llvm.noalias"), _compile_for_cpu)

    def run(self, tensors):
        _get_openmp().omp_set_num_threads(torch.get_num_threads())
        self.program.run([tensor.data_ptr() for tensor in tensors])


class _GpuCode:
    """The same for a GPU."""

    def __init__(self, text, device):
        text = _write_results(text, "bufferization.writable = false, tile.on_device", "tile.on_device", "llvm.emit_c_interface")
        self.program = _compile_text(text, lambda module: _compile_for_gpu(module, device))

    def run(self, tensors):
        arrays = [_cuda_tensors.wrap(tensor if _cuda_tensors.is_readable(tensor) else tensor.clone()) for tensor in tensors]
        if arrays:
            self.program.run([(array.address, list(array.shape)) for array in arrays], _cuda_tensors.get_stream(arrays[0]))


def _get_order(value):
    """The axes of a tensor in the order of memory, outermost first, where they are dense in another order than C's."""
    if value.is_contiguous():
        return None
    order = sorted(range(value.ndim), key=lambda axis: (value.shape[axis] > 1, -value.stride(axis)))
    return order if value.permute(order).is_contiguous() else None


def _resolve(tensor):
    """Itself, where memory holds its elements, and not what they are the negative or the conjugate of."""
    return tensor.resolve_neg().resolve_conj() if tensor.is_neg() or tensor.is_conj() else tensor


def _permute(tensor, order):
    return tensor if order is None else tensor.permute(order)


def _write(tensor, array):
    """Gives a tensor the elements of `array`. Of those that are one in memory, which are equal, copy_ would take none."""
    span = 1 + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
    if tensor.numel() <= span:
        return tensor.copy_(array)
    places = torch.zeros((), dtype=torch.int64, device=tensor.device)
    for size, stride in zip(tensor.shape, tensor.stride()):
        places = places.unsqueeze(-1) + torch.arange(size, device=tensor.device) * stride
    return tensor.as_strided((span,), (1,)).index_copy_(0, places.flatten(), array.flatten())


def _copy(graph, as_stored=False):
    """A copy of a graph, if so with axes of inputs and results in the order of memory, and without results that are None, as
    gradients of what needs none are."""
    copy, nodes = torch.fx.Graph(), {}

    def permute(node, value, order):
        node = copy.call_function(torch.ops.aten.permute.default, (node, order))
        node.meta["val"] = value.permute(order)
        return node

    for node in graph.nodes:
        order = _get_order(node.meta["val"]) if as_stored and node.op == "placeholder" else None
        if node.op == "output" and as_stored:
            results = node.args[0] if isinstance(node.args[0], (tuple, list)) else [node.args[0]]
            orders = [None if result is None else _get_order(result.meta["val"]) for result in results]
            copy.output([nodes[result] if order is None else permute(nodes[result], result.meta["val"], order)
                         for result, order in zip(results, orders) if result is not None])
            continue
        nodes[node] = copy.node_copy(node, nodes.__getitem__)
        if order:
            nodes[node].meta = {"val": node.meta["val"].permute(order)}
            nodes[node] = permute(nodes[node], nodes[node].meta["val"], [order.index(axis) for axis in range(len(order))])
    return copy


def _import(graph):
    """A graph as MLIR on tensors, by torch-mlir."""
    try:
        from torch_mlir import fx
    except ImportError:
        raise _Refused("torch-mlir is not installed (pip install torch-mlir)") from None
    try:
        return str(fx.stateless_fx_import(graph, output_type="linalg-on-tensors", model_name=ENTRY))
    except Exception as error:  # it raises of all kinds
        reason = re.search(r"error: ((?!Module does not conform).*)", str(error))
        raise _Refused(f"torch-mlir does not convert it: {reason[1] if reason else str(error).strip().splitlines()[0]}") from None


def _write_results(text, given, written="", function=""):
    """A program whose function writes its results to arguments, which follow the others; with attributes of those, of these, and
    of the function."""
    values, types = re.search(r"^    return(?: (.*?) : (.*))?$", text, re.M).groups()
    returned = list(zip(values.split(", "), types.split(", "))) if values else []
    if any("?" in kind for _, kind in returned):
        raise _Refused("torch-mlir does not know the sizes of its results")
    memrefs = [kind.replace("tensor", "memref", 1) for _, kind in returned]
    writes = "".join(f"    bufferization.materialize_in_destination {value} in restrict writable %out{i} : ({kind}, {memref}) -> ()\n"
                     for i, ((value, kind), memref) in enumerate(zip(returned, memrefs)))
    text = text.replace(f"    return {values} : {types}\n", f"{writes}    return\n")
    header = re.search(rf"^  func\.func @{ENTRY}\((.*?)\)(?: -> .*?)? \{{$", text, re.M)
    arguments = re.sub(r"(%arg\d+: tensor<[^>]*>)", rf"\1 {{{given}}}", header[1])
    outputs = [f"%out{i}: {memref} {{{written}}}" for i, memref in enumerate(memrefs)]
    attributes = f" attributes {{{function}}}" if function else ""
    return text.replace(header[0], f"  func.func @{ENTRY}({', '.join(filter(None, [arguments, *outputs]))}){attributes} {{")


def _compile_text(text, function):
    """The code that `function` makes of a program on tensors."""
    try:
        return function(ir.parse(text))
    except (ir.IRError, RuntimeError) as error:
        raise _Refused(f"TileIR does not compile it: {str(error).splitlines()[0]}") from None


def _compile_for_cpu(module):
    module._native.attach_host_machine()
    module.run(PASSES + "einsum-to-cpu-pipeline{checks=none bare-pointers=true}", verify_each=False)
    return module._native.compile(ENTRY)


def _compile_for_gpu(module, device):
    chip = module.context.get_gpu_chip(device)
    module.run(f"{PASSES}einsum-to-nvvm-pipeline{{chip={chip}}}", verify_each=False)
    return module.compile_for_gpu(ENTRY, device)
