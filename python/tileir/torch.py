# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extended einsum on tensors of torch, with gradients.

Compiled code runs at once where nobody watches. Autograd and the transformations of torch.func are told by functions, and
what traces programs, as torch.compile does, by the registered operator `tileir::einsum`.
"""

import functools
import os

import torch

from tileir import _cuda_tensors, _native, _tensors
from tileir._cuda import CudaRequest
from tileir._gradients import derive
from tileir._specification import Specification
from tileir._terms import Terms, evaluate, get_letters, get_tables, infer_sizes, write_term
from tileir.errors import ShapeError, SpecError
from tileir.operations import Request

__all__ = ["einsum"]


class _TensorRequest(Request):
    arrays = _tensors

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # What was compiled for arrays of NumPy gives such arrays.
        self.options = f"torch {self.threads} {self.options or ''}"


class _CudaTensorRequest(CudaRequest):
    arrays = _cuda_tensors


def _make_request(spec, operands, *rest):
    """The arguments of one contraction of tensors of the CPU, or of a GPU."""
    is_on_gpu = bool(operands) and _cuda_tensors.is_on_gpu(operands[0])
    return (_CudaTensorRequest if is_on_gpu else _TensorRequest)(spec, operands, *rest)


@functools.lru_cache(maxsize=4096)
def _get_options(names, sizes, pad, acc, threads, checked, tuned):
    """What calls with these arguments of the operator are found by, beside their arrays."""
    return _TensorRequest("", (), dict.fromkeys(names), _read_sizes(sizes) or None, pad, None, acc or None, None, None, threads,
                          checked, tuned, {}).options


@functools.lru_cache(maxsize=None)
def _get_default_options(threads):
    return _get_options((), "", "none", "", threads, True, None)


# Looked up once: a call of a small product is as short as a few of these.
_is_compiling, _is_grad_enabled = torch.compiler.is_compiling, torch.is_grad_enabled
_count_modes, _get_transformations = torch._C._len_torch_dispatch_stack, torch._C._functorch.peek_interpreter_stack
_get_num_threads = torch.get_num_threads
_PLAIN = torch.Tensor, torch.nn.Parameter


def _is_traced(tensors):
    """Whether tensors stand for others, or a mode of torch has to see operators."""
    return _count_modes() > 0 or any(type(tensor) not in _PLAIN for tensor in tensors)


def _is_plain(tensors):
    """Whether nobody has to know of what is computed from tensors, and their memory has what they are."""
    enabled = _is_grad_enabled()
    for tensor in tensors:
        if type(tensor) not in _PLAIN or (enabled and tensor.requires_grad) or tensor.is_neg():
            return False
    return _count_modes() == 0 and _get_transformations() is None


def einsum(spec, *operands, tables=None, sizes=None, pad="none", out=None, acc=None, bias=None, epilogue=None, threads=None,
           checked=True, tuned=None, **named_tables):
    """What `tileir.einsum` computes, of tensors of torch on the CPU or a GPU, there on the current stream. Gradients of operands and
    of the bias are contractions as well. Without `threads`, torch's number of threads is used."""
    traced = True
    if out is not None and not isinstance(out, torch.Tensor):
        raise TypeError(f"expected out to be a tensor of torch, as operand 0, found {type(out).__name__}")
    if out is not None and out.is_neg():
        raise ShapeError("expected an out that is no negated view: pass another one, or .resolve_neg() and copy from it")
    if out is not None and out.requires_grad:
        raise ShapeError("expected an out that requires no gradient: pass another one, or leave it out")
    if not _is_compiling():
        # What most calls are, with nothing to decide.
        if (_is_plain(operands) and tables is None and sizes is None and pad == "none" and acc is None and bias is None
                and epilogue is None and threads is None and checked is True and tuned is None and not named_tables):
            result = _native.call(spec, operands, out, _get_default_options(_get_num_threads()))
            if type(result) is not _native.Failure:
                return result
        # Of negated views, memory has the opposite.
        operands = tuple([(x if isinstance(x, torch.Tensor) else torch.as_tensor(x)).resolve_neg() for x in operands])
        threads = _get_num_threads() if threads is None else threads
        watched = (*operands, bias) if isinstance(bias, torch.Tensor) else operands
        if _is_plain(watched):
            return _make_request(spec, operands, tables, sizes, pad, out, acc, bias, epilogue, threads, checked, tuned,
                                 named_tables).run()
        traced = _is_traced(watched)
    if out is not None:
        raise ShapeError("expected no out where gradients are recorded or operations are traced: leave it out, or use "
                         "torch.no_grad()")
    if epilogue not in (None, "relu"):
        raise ValueError(f"expected epilogue to be None or 'relu', found {epilogue!r}")
    tables = {**(tables or {}), **named_tables}
    specification = Specification(spec, [tuple(x.shape) for x in operands])
    if specification.text != spec:
        operands = [_drop_axes(x, axes) for x, axes in zip(operands, specification.axes)]
    result = _apply(traced, specification.text, operands, [_as_table(x) for x in tables.values()], list(tables),
                    ",".join(f"{letter}={size}" for letter, size in (sizes or {}).items()), pad,
                    "" if acc is None else _name(acc), threads or 0, checked,
                    None if tuned is None or tuned is False else "" if tuned is True else os.fspath(tuned))
    if bias is not None:
        result = result + torch.as_tensor(bias, dtype=result.dtype)
    return torch.relu(result) if epilogue else result


def _apply(traced, spec, operands, tables, names, *options):
    """The contraction of tensors, by the operator or by the function."""
    if traced:
        return torch.ops.tileir.einsum(spec, list(operands), list(tables), names, *options)
    function = _Contraction if _get_transformations() is None else _TransformedContraction
    return function.apply(spec, len(operands), names, options, *operands, *tables)


def _drop_axes(tensor, axes):
    """A tensor without the axes of size 1 that an ellipsis repeats."""
    for axis in reversed(range(tensor.dim())):
        if axis not in axes:
            tensor = tensor.select(axis, 0)
    return tensor


def _as_table(table):
    return table if isinstance(table, torch.Tensor) else torch.as_tensor(table)


def _name(acc):
    return acc if isinstance(acc, str) else str(_tensors.to_dtype(acc)).removeprefix("torch.")


def _read_sizes(text):
    return {part[0]: int(part[2:]) for part in text.split(",") if part}


# The operator, as torch knows it.

_library = torch.library.Library("tileir", "DEF")
_library.define("einsum(str spec, Tensor[] operands, Tensor[] tables, str[] names, str sizes, str pad, str acc, int threads, "
                "bool checked, str? tuned=None) -> Tensor", tags=(torch.Tag.pt2_compliant_tag,))


@torch.library.impl(_library, "einsum", "CUDA")
@torch.library.impl(_library, "einsum", "CPU")
def _run(spec, operands, tables, names, sizes, pad, acc, threads, checked, tuned=None):
    threads = threads or _get_num_threads()
    inputs, options = (*operands, *tables), _get_options(tuple(names), sizes, pad, acc, threads, checked, tuned)
    result = _native.call(spec, inputs, None, options)
    if type(result) is _native.Failure and result.kind == _native.Failure.Kind.UNREADABLE:
        # Gradients of sums are tensors with strides of 0, of which nobody is to be warned.
        operands = tuple([x if _native.describe(x) is not None or _cuda_tensors.is_readable(x) else x.contiguous() for x in operands])
        result = _native.call(spec, (*operands, *tables), None, options)
    if type(result) is not _native.Failure:
        return result
    return _make_request(spec, operands, dict(zip(names, tables)), _read_sizes(sizes) or None, pad, None, acc or None, None, None, threads,
                         checked, tuned, {}).run()


@torch.library.register_fake("tileir::einsum", lib=_library)
def _describe(spec, operands, tables, names, sizes, pad, acc, threads, checked, tuned=None):
    terms = Terms(spec)
    shapes = {name: table.shape for name, table in zip(names, tables)}
    known = infer_sizes(terms, [x.shape for x in operands], shapes, _read_sizes(sizes), pad == "zero")
    missing = [letter for letter in terms.result if letter not in known]
    if missing:
        raise ShapeError(f"expected the shapes to tell the size of index '{missing[0]}': give it in sizes, as {missing[0]} = 3", spec,
                         None, None, spec.find(missing[0]))
    dtype = functools.reduce(torch.promote_types, (x.dtype for x in operands))
    return operands[0].new_empty([known[letter] for letter in terms.result], dtype=dtype)


_operator = torch.ops.tileir.einsum.default
_ON_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU).raw_repr()


def _redispatch(keyset, *arguments):
    """The operator below autograd: compiled code at once, if nobody else has to see it."""
    if keyset.raw_repr() == _ON_CPU:
        return _run(*arguments)
    with torch._C._AutoDispatchBelowAutograd():
        return _operator.redispatch(keyset, *arguments)


def _record(keyset, spec, operands, tables, names, *options):
    """The operator for autograd. torch's own way to register gradients takes lists of tensors apart in each call, which costs ten
    times as much."""
    below = keyset & torch._C._after_autograd_keyset
    if _is_grad_enabled() and torch._C._any_requires_grad(operands):
        # Arguments that have their default are left out.
        options += (None,) * (6 - len(options))
        return _Recorded.apply(spec, len(operands), names, (below, *options), *operands, *tables)
    return _redispatch(below, spec, operands, tables, names, *options)


_library.impl("einsum", _record, "Autograd", with_keyset=True)


class _Contraction(torch.autograd.Function):
    """The same for autograd alone, without torch's dispatcher."""

    @staticmethod
    def forward(ctx, spec, count, names, options, *tensors):
        ctx.save_for_backward(*tensors)
        ctx.arguments = spec, count, names, options
        return _run(spec, tensors[:count], tensors[count:], names, *options)

    @staticmethod
    def backward(ctx, gradient):
        _, count, names, _ = ctx.arguments
        traced = _is_traced((gradient, *ctx.saved_tensors))
        gradients = _get_gradients(ctx, gradient, ctx.needs_input_grad[4:4 + count], traced)
        return None, None, None, None, *gradients, *[None] * len(names)


class _Recorded(torch.autograd.Function):
    """The same for the operator, which others than autograd may have to see."""

    @staticmethod
    def forward(ctx, spec, count, names, options, *tensors):
        below, *options = options
        ctx.save_for_backward(*tensors)
        ctx.arguments = spec, count, names, options
        return _redispatch(below, spec, list(tensors[:count]), list(tensors[count:]), names, *options)

    backward = _Contraction.backward


class _TransformedContraction(torch.autograd.Function):
    """The same for the transformations of torch.func, which ask for another form that costs more."""

    @staticmethod
    def forward(spec, count, names, options, *tensors):
        if _get_transformations() is not None or _is_traced(tensors):
            return _apply(True, spec, tensors[:count], tensors[count:], names, *options)
        return _run(spec, tensors[:count], tensors[count:], names, *options)

    @staticmethod
    def setup_context(ctx, inputs, output):
        spec, count, names, options, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.arguments = spec, count, names, options

    backward = _Contraction.backward

    @staticmethod
    def vmap(info, in_dims, spec, count, names, options, *tensors):
        dims = in_dims[4:]
        text, operands = _add_axis(spec, tensors[:count], dims[:count], dims[count:])
        return _apply(False, text, operands, tensors[count:], names, *options), 0


def _get_gradients(ctx, gradient, needed, traced):
    """The gradients of operands, None of those that need none."""
    spec, count, names, (sizes, pad, acc, threads, _, tuned) = ctx.arguments
    operands, tables = list(ctx.saved_tensors[:count]), dict(zip(names, ctx.saved_tensors[count:]))
    shapes = tuple([tuple(x.shape) for x in operands]), tuple([tuple(x.shape) for x in tables.values()])
    # Sizes that are symbols are nothing to keep.
    prepare = _prepare.__wrapped__ if traced else _prepare
    gradient = gradient.resolve_neg()
    known, derived = prepare(spec, *shapes, tuple(names), sizes, pad)
    context = _Backward(traced, spec, operands, tables, known, derived, pad, acc, threads, tuned)
    return [context.compute(i, gradient) if wanted and operands[i].is_floating_point() else None
            for i, wanted in enumerate(needed)]


@functools.lru_cache(maxsize=1024)
def _prepare(spec, shapes, table_shapes, names, sizes, pad):
    """The sizes of letters, and the gradient of each operand as a contraction, or None."""
    known = infer_sizes(Terms(spec), shapes, dict(zip(names, table_shapes)), _read_sizes(sizes), pad == "zero")
    return known, [derive(spec, operand, shape, known, pad == "zero") for operand, shape in enumerate(shapes)]


class _Backward:
    """What gradients of one contraction are made of."""

    def __init__(self, traced, spec, operands, tables, sizes, derived, pad, acc, threads, tuned):
        self.traced, self.derived = traced, derived
        self.spec, self.operands, self.tables, self.sizes = spec, operands, tables, sizes
        self.pad, self.acc, self.threads, self.tuned = pad, acc, threads, tuned

    def contract(self, spec, operands, tables, sizes, pad):
        text = ",".join(f"{letter}={int(size)}" for letter, size in sizes.items())
        # Tables were verified by the contraction itself.
        return _apply(self.traced, spec, operands, [self.tables[name] for name in tables], list(tables), text, pad,
                      self.acc, self.threads, False, self.tuned)

    def compute(self, operand, gradient):
        """The gradient of an operand."""
        target = self.operands[operand]
        derived, result = self.derived[operand], None
        if derived is not None:
            try:
                result = self._contract_derived(derived, gradient, target)
            except SpecError:  # letters are mixed that were not: what was solved for is in a remainder
                pass
        if result is None:
            result = self._scatter(operand, gradient, target)
        return result.to(target.dtype)

    def _contract_derived(self, derived, gradient, target):
        ones = [target.new_ones(size) for size in derived.ones]
        result = self.contract(derived.spec, [gradient, *(self.operands[i] for i in derived.others), *ones], derived.tables,
                               derived.sizes, "zero" if derived.padded else "none")
        if any(len(extents) > 1 for extents in derived.view):
            result = result.reshape([functools.reduce(lambda a, b: a * b, extents) for extents in derived.view])
            for axis, size in enumerate(target.shape):
                result = result.narrow(axis, 0, size)
        return result

    def _scatter(self, operand, gradient, target):
        """Contracts to all letters that the operand is read at, and adds up what comes from one place."""
        terms = Terms(self.spec)
        own = terms.operands[operand]
        letters = "".join(dict.fromkeys("".join(map(get_letters, own))))
        others = [i for i in range(len(self.operands)) if i != operand]
        axes = [list(terms.result), *(terms.operands[i] for i in others)]
        # Letters that no other term has are repeated along.
        everything = "".join(dict.fromkeys("".join(get_letters(axis) for term in axes for axis in term) + letters))
        tables = sorted({name for term in axes for axis in term for name, _ in get_tables(axis)})
        operands = [gradient, *(self.operands[i] for i in others)]
        text = ", ".join(map(write_term, axes)) + " -> "
        sizes = {letter: self.sizes[letter] for letter in everything}
        try:
            values = self.contract(text + letters, operands, tables, sizes, self.pad)
        except SpecError:  # an axis mixes a letter of this operand with one that is summed
            rest = "".join(letter for letter in everything if letter not in letters)
            values = self.contract(text + letters + rest, operands, tables, sizes, self.pad)
            values = values.flatten(len(letters)).sum(-1) if rest else values
        grids = {letter: torch.arange(self.sizes[letter], device=target.device).reshape([-1] + [1] * (len(letters) - 1 - i))
                 for i, letter in enumerate(letters)}
        tables = {name: table.to(target.device, torch.int64) for name, table in self.tables.items()}
        places = torch.zeros((), dtype=torch.int64, device=target.device)
        inside = torch.ones((), dtype=torch.bool, device=target.device)
        for axis, size in zip(own, target.shape):
            at = torch.as_tensor(evaluate(axis, grids, tables), device=target.device)
            inside = inside & (at >= 0) & (at < size)
            places = places * size + at
        places = places.masked_fill(~inside, 0).expand(values.shape).reshape(-1)
        values = values.masked_fill(~inside, 0).reshape(-1)
        return values.new_zeros(target.numel()).index_add(0, places, values).reshape(target.shape)


def _add_axis(spec, operands, dims, table_dims):
    """The specification and the operands of a contraction that is done for each element of an axis of some operands."""
    if any(dim is not None for dim in table_dims or ()):
        raise NotImplementedError("expected tables that vmap leaves alone, found one with an axis of it: tables are the same "
                                  "for all that is mapped")
    letter = next(c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBAzyxwvutsrqponmlkjihgfedcba" if c not in spec)
    terms = Terms(spec)
    axes = [([letter] if dim is not None else []) + term for term, dim in zip(terms.operands, dims)]
    moved = [x if dim is None else x.movedim(dim, 0) for x, dim in zip(operands, dims)]
    return ", ".join(map(write_term, axes)) + f" -> {letter}{terms.result}", moved


def _map(info, in_dims, spec, operands, tables, names, *options):
    text, moved = _add_axis(spec, operands, in_dims[1], in_dims[2])
    return torch.ops.tileir.einsum(text, moved, tables, names, *options), 0


torch.library.register_vmap("tileir::einsum", _map, lib=_library)
