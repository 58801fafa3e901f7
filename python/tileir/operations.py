# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extended einsum on arrays. A call that was made before with the same specification, options, types, shapes and strides
is found by the compiled module; this file does what is left: converts and compiles arguments, and raises errors."""

import atexit
import operator
import os
import warnings
from collections import namedtuple

import numpy as np

from tileir import _arrays, _native
from tileir._arrays import INTEGERS, NAMES, SHORT, TYPES, describe_place
from tileir._kept import Kept
from tileir._specification import Specification, get_tables, get_term
from tileir.errors import CheckError, CompileError, ShapeError, SpecError, TuneWarning

_Failure, _Kind = _native.Failure, _native.Failure.Kind
# By the numbers of the C interface.
_ERRORS = {1: ShapeError, 2: SpecError, 3: ShapeError, 4: CompileError, 5: CheckError}
_MOST_ARRAYS = 128

CacheInfo = namedtuple("CacheInfo", "hits misses limit size")
CacheInfo.__doc__ = "How often an operation was found and compiled, how many are kept, and how many may be."
Path = namedtuple("Path", "contractions flops")
Path.__doc__ = "The contractions of pairs that one of many operands is made of, and multiplications and additions of all."


def einsum(spec, *operands, tables=None, sizes=None, pad="none", out=None, acc=None, bias=None, epilogue=None, threads=None,
           checked=True, tuned=None, **named_tables):
    """Multiplies elements of operands and sums the products, as `spec` says:

    >>> tileir.einsum("nc(h+r)(w+s), kcrs -> nkhw", images, filters)

    Arrays in the memory of a GPU are computed there, on the stream that they are ready on, and nothing waits for that; tables
    stay in the memory of the CPU.

    An axis may be read at an expression of indices, or at what a table holds: docs/einsum.md tells all. Tables are given
    by name, or in the dictionary `tables`. As in NumPy, an ellipsis stands for axes that need no name, and without an
    arrow the result has the indices that occur once. The result has the type that NumPy's rules give.

    sizes: sizes of indices that no shape tells, as a dictionary; along an index of the result that no operand uses the
        result is repeated.
    pad: "none", and reads have to be inside of operands, or "zero", and those outside give 0.
    out: the array to write; it overlaps no operand.
    acc: the type in which sums are formed; float64 if an operand is, float32 for other floats, int32 for integers.
    bias: an array to add, that NumPy would broadcast to the shape of the result.
    epilogue: None, or "relu", which is applied last.
    threads: most threads; None: as many as there are cores.
    checked: whether tables are verified to lead to no read outside, before it runs. Without, such reads are undefined.
    tuned: True: what `tileir.tune` found to be fastest is used, or the path of a file of its results; where nothing is
        known, there is a TuneWarning.
    """
    if (tables is None and sizes is None and pad == "none" and acc is None and bias is None and epilogue is None
            and threads is None and checked is True and tuned is None and not named_tables and not _has_tensor(operands)
            and (out is None or type(out) is np.ndarray)):
        result = _native.call(spec, operands, out, None)
        if type(result) is not _Failure:
            return result
    if _has_tensor(operands):
        import tileir.torch

        return tileir.torch.einsum(spec, *operands, tables=tables, sizes=sizes, pad=pad, out=out, acc=acc, bias=bias,
                                   epilogue=epilogue, threads=threads, checked=checked, tuned=tuned, **named_tables)
    request = _find_request(operands)(spec, operands, tables, sizes, pad, out, acc, bias, epilogue, threads, checked, tuned, named_tables)
    return request.run()


def _find_request(operands):
    """The class for arrays that are not of torch, where the first one is."""
    if operands and type(operands[0]) is not np.ndarray and hasattr(operands[0], "__cuda_array_interface__"):
        from tileir._cuda import CudaRequest

        return CudaRequest
    return Request


def _has_tensor(operands):
    """Whether operand 0 is a tensor of torch, which need not be loaded for that."""
    return bool(operands) and type(operands[0]) is not np.ndarray and type(operands[0]).__module__.startswith("torch")


def compile(spec, *operands, dtype=np.float32, tables=None, sizes=None, pad="none", out=None, acc=None, bias=None,
            epilogue=None, threads=None, checked=True, tuned=None, **named_tables):
    """Compiles a contraction for arrays, or for shapes (tuples) of row-major arrays with elements of `dtype`; tables of
    shapes are of int64. The other arguments are those of `einsum`. Returns an Operation."""
    tables, named_tables = ({name: np.zeros(value, np.int64) if isinstance(value, tuple) else value
                             for name, value in given.items()} for given in (tables or {}, named_tables))
    operands = [np.empty(value, dtype) if isinstance(value, tuple) else value for value in operands]
    if isinstance(bias, tuple):
        bias = np.empty(bias, dtype)
    request = Request(spec, operands, tables, sizes, pad, out, acc, bias, epilogue, threads, checked, tuned,
                      named_tables)
    return Operation(request)


def einsum_path(spec, *operands, **options):
    """The order in which `einsum` contracts three or more operands, which is the one with fewest multiplications."""
    operation = compile(spec, *operands, **options)
    return Path(operation.contractions, operation.flops)


def clear_cache():
    """Forgets all compiled operations; those that are in use live on."""
    _native.clear_cache()
    programs_on_gpu.clear()


def cache_info():
    """How often calls of `einsum` found an operation and compiled one, how many are kept, and how many may be."""
    hits, misses, limit, size = _native.get_cache_info()
    return CacheInfo(hits + programs_on_gpu.hits, misses + programs_on_gpu.misses, limit, size + len(programs_on_gpu))


def set_cache_limit(operations):
    """Keeps at most so many operations of the CPU, and so many of GPUs: those that were used last."""
    _native.set_cache_limit(operator.index(operations))
    programs_on_gpu.set_limit(operations)


# What _cuda.py has compiled.
programs_on_gpu = Kept(4096)

# Arrays have to be gone before NumPy is.
atexit.register(_native.clear_cache)


class Operation:
    """A compiled contraction. It is called with arrays of the types, shapes and strides that it was compiled for.

    schedule: how loops are nested, as the attribute #einsum.schedule; empty if they are plain.
    contractions: the specifications of the pairs that it is made of.
    tuned: what `tileir.tune` had found for it, as options of einsum-choose-schedule; "auto" if that is what is chosen
    without, and empty where that was not asked for, or nothing was known. program: what it does as a program of MLIR.
    seconds: how long it took to compile. flops: multiplications and additions of a call.
    shape, dtype: those of the result.
    """

    def __init__(self, request):
        self.spec = request.spec
        self._tables = list(request.tables)
        self._has_bias = request.bias is not None
        request.prepare()
        self._described = [_native.describe(value) for value in request.inputs]
        self._request = request.without_arrays()
        self._native = native = request.create()
        self._description = request.description
        arrays, code = request.arrays, request.result_code
        row_major = arrays.prepare_output(arrays.make(native.shape, code))
        self._out = _native.describe(request.out if request.out is not None else row_major)
        needs_output = self._out != _native.describe(row_major)
        native.set_signature(tuple(request.inputs), request.out if needs_output else row_major, needs_output)
        self.shape, self.dtype = native.shape, arrays.get_dtype(code)

    @property
    def schedule(self):
        return self._native.schedule

    @property
    def tuned(self):
        return self._native.tuned

    @property
    def program(self):
        return _native.print_program(self._description)

    @property
    def pipeline(self):
        """The passes that compile its program, with a place for a configuration."""
        threads = self._description.threads
        return f"einsum-to-cpu-pipeline{{fuse-dims=true openmp={str(threads != 1).lower()} threads={threads} config={{${{config}}}}}}"

    def prepare(self, arrays):
        """Arrays of NumPy or tensors of its operands, tables and bias, in one row, as its code takes them."""
        if len(arrays) != len(self._described):
            raise TypeError(f"expected {len(self._described)} arrays, its operands, tables and bias, found {len(arrays)}")
        count = len(arrays) - len(self._tables) - self._has_bias
        tables = dict(zip(self._tables, arrays[count:]))
        request = self._request.with_arrays(arrays[:count], tables, arrays[-1] if self._has_bias else None, None)
        request.prepare()
        if [_native.describe(value) for value in request.inputs] != self._described:
            self._raise_unfit(request)
        return [value.array.view(f"V{value.array.itemsize}") if isinstance(value, _native.Reinterpreted) else value
                for value in request.inputs]

    @property
    def has_tables(self):
        return bool(self._tables)

    @property
    def contractions(self):
        return self._native.contractions.splitlines()

    @property
    def seconds(self):
        return self._native.seconds

    @property
    def flops(self):
        return self._native.flops

    def __repr__(self):
        return f"<tileir.Operation '{self.spec}' -> {NAMES[self._out[0]]}{list(self.shape)}>"

    def __call__(self, *operands, out=None, bias=None, tables=None, **named_tables):
        inputs = operands
        if tables or named_tables or self._tables:
            tables = {**(tables or {}), **named_tables}
            if tables.keys() != set(self._tables):
                raise TypeError(f"expected the tables {self._tables} of '{self.spec}', found {list(tables)}")
            tables = {name: tables[name] for name in self._tables}
            inputs += tuple(tables.values())
        if (bias is not None) != self._has_bias:
            raise TypeError(f"expected {'a' if self._has_bias else 'no'} bias, as it was compiled for, found "
                            f"{'none' if bias is None else 'one'}")
        if bias is not None:
            inputs += (bias,)
        result = _native.run(self._native, inputs, out)
        if type(result) is not _Failure:
            return result
        request = self._request.with_arrays(operands, tables, bias, out)
        request.prepare()
        result = _native.run(self._native, tuple(request.inputs), request.out)
        if type(result) is _Failure and result.kind == _Kind.UNFIT:
            self._raise_unfit(request)
        return request.finish(result, lambda overlaps: _native.run(self._native, tuple(request.inputs), request.out,
                                                                   may_overlap=overlaps))

    def _raise_unfit(self, request):
        found = [_native.describe(value) for value in request.inputs]
        if len(found) != len(self._described):
            raise ShapeError(f"expected {len(self._described)} arrays, found {len(found)}")
        for operand, (expected, given) in enumerate(zip(self._described, found)):
            if expected != given:
                raise ShapeError(f"expected array {operand} to have {_show(expected)}, as it was compiled for, found "
                                 f"{_show(given)}", self.spec, operand, None, *(get_term(self.spec, operand) or ()))
        given = "none" if request.out is None else _show(_native.describe(request.out, is_output=True))
        raise ShapeError(f"expected out to have {_show(self._out)}, found {given}")


def _show(described):
    """The type, shape and strides of an array, for messages."""
    code, shape, strides = described
    return f"elements of {NAMES[code]}, shape {shape} and strides of {strides} elements"


class Request:
    """The arguments of one contraction of arrays of NumPy; tileir.torch has that of tensors."""

    arrays = _arrays

    def __init__(self, spec, operands, tables, sizes, pad, out, acc, bias, epilogue, threads, checked, tuned,
                 named_tables):
        if not isinstance(spec, str):
            raise TypeError(f"expected the specification to be a string, found {type(spec).__name__}")
        self.spec, self.operands, self.out, self.bias = spec, operands, out, bias
        self.sizes, self.pad, self.acc, self.epilogue = sizes, pad, acc, epilogue
        self.threads, self.checked = threads, checked
        # The file of results, empty for that of the user; None: not asked for.
        self.tuned = None if tuned is None or tuned is False else "" if tuned is True else os.fspath(tuned)
        for name in named_tables:
            if name not in get_tables(spec):
                raise TypeError(f"'{name}' is no option, and no table of '{spec}': expected tables, sizes, pad, out, acc, "
                                "bias, epilogue, threads, checked or tuned")
        self.tables = {**(tables or {}), **named_tables}
        if len(operands) + len(self.tables) + (bias is not None) > _MOST_ARRAYS:
            raise ShapeError(f"expected at most {_MOST_ARRAYS} arrays, found {len(operands) + len(self.tables)} and "
                             f"{'a' if bias is not None else 'no'} bias")
        # Not of arrays: what was compiled for some is found by this for others.
        self.options = None
        if self.tables or sizes or pad != "none" or acc is not None or bias is not None or epilogue or threads or not checked or \
                self.tuned is not None:
            given = sorted(sizes.items()) if isinstance(sizes, dict) else sizes
            self.options = repr((list(self.tables), given, pad, acc, bias is not None, epilogue, threads, bool(checked), self.tuned))

    def without_arrays(self):
        """The same without arrays, to keep."""
        return type(self)(self.spec, (), None, self.sizes, self.pad, None, self.acc, None, self.epilogue, self.threads,
                          self.checked, self.tuned, {})

    def with_arrays(self, operands, tables, bias, out):
        return type(self)(self.spec, operands, tables, self.sizes, self.pad, out, self.acc, bias, self.epilogue, self.threads,
                          self.checked, self.tuned, {})

    def run(self):
        """Runs it, by what was compiled or by what this compiles."""
        if self.options is not None:
            # Most arrays can be taken as they are.
            bias = () if self.bias is None else (self.bias,)
            result = _native.call(self.spec, (*self.operands, *self.tables.values(), *bias), self.out, self.options)
            if type(result) is not _Failure:
                return result
        self.prepare()
        inputs = tuple(self.inputs)
        operation = None

        def call(overlaps=False):
            return _native.call(self.spec, inputs, self.out, self.options, operation, overlaps)

        result = call()
        if type(result) is _Failure and result.kind == _Kind.UNKNOWN:
            operation = self.create()
            result = call()
        return self.finish(result, call)

    def finish(self, result, call):
        """The result, or an error; `call` calls again, and may be told that overlaps were looked at."""
        overlaps = False
        while type(result) is _Failure:
            if result.kind == _Kind.ERROR:
                raise self._get_error(result)
            if result.kind != _Kind.OVERLAP or overlaps:
                raise ShapeError(f"expected arrays that compiled code can read, found {result.kind}")
            self._check_overlap()
            overlaps = True
            result = call(overlaps)
        return self._given_out if self._given_out is not None else result

    def _check_overlap(self):
        for index, value in enumerate(self.inputs):
            if self.arrays.share_memory(self.out, value):
                raise ShapeError(f"expected an out that overlaps no operand, found that it shares memory with array {index}: "
                                 "pass another one, or a copy of the operand", self.spec, index, None,
                                 *(get_term(self.spec, index) or ()))

    def prepare(self):
        """Makes arrays of all arguments that compiled code can take."""
        self._check_text()
        arrays = self.arrays
        operands = [arrays.prepare_operand(value, self.spec, i) for i, value in enumerate(self.operands)]
        tables = [arrays.prepare_table(value, name) for name, value in self.tables.items()]
        self._given_out = self.out
        self.result_code = self._get_result_code([self.describe(value)[0] for value in operands])
        if self.out is not None:
            self.out = arrays.prepare_output(self.out)
        bias = [] if self.bias is None else [arrays.prepare_bias(self.bias, self.result_code)]
        self.inputs = [*operands, *tables, *bias]

    def _check_text(self):
        try:
            self.spec.encode()
        except UnicodeEncodeError as error:
            raise SpecError(f"expected characters that UTF-8 has, found {self.spec[error.start]!r}", self.spec, None, None,
                            error.start) from None
        if "\0" in self.spec:
            raise SpecError("expected an index, '(', ',' or '->', found a character 0", self.spec, None, None,
                            self.spec.index("\0"))

    def _get_result_code(self, codes):
        for operand, code in enumerate(codes):
            if (code in INTEGERS) != (codes[0] in INTEGERS):
                raise TypeError(f"expected floats or integers in all operands, found {NAMES[codes[0]]} in operand 0 and "
                                f"{NAMES[code]} in operand {operand}: convert one of them{describe_place(self.spec, operand)}")
        if self.out is None:
            return self.arrays.promote(codes) if codes else TYPES["float32"]
        result = self.arrays.get_output_code(self.out)
        if codes and (result in INTEGERS) != (codes[0] in INTEGERS):
            raise TypeError(f"expected out to have {'integers' if codes[0] in INTEGERS else 'floats'}, as the operands, found "
                            f"{NAMES[result]}")
        return result

    def describe(self, value, is_output=False):
        """The number of the type, the shape and the strides of what `prepare` gave."""
        return _native.describe(value, is_output)

    def make_description(self):
        """What the compiled module creates it by."""
        described = [self.describe(value) for value in self.inputs]
        count = len(self.operands)
        self._text = specification = Specification(self.spec, [shape for _, shape, _ in described[:count]])
        inputs = [(code, [shape[axis] for axis in axes], [strides[axis] for axis in axes])
                  for (code, shape, strides), axes in zip(described, specification.axes)]
        tables = [(name, code, list(shape)) for name, (code, shape, _) in zip(self.tables, described[count:])]
        out = None if self.out is None else self.describe(self.out, is_output=True)
        bias = None if self.bias is None else self._get_bias_strides(specification.text, described[-1])
        return _native.Description(specification.text, inputs, tables, self._get_sizes(), self._get_padding(), self.result_code,
                                   self._get_accumulator(), bias, list(out[2]) if out else [], self._get_relu(), self._get_threads())

    def create(self):
        """Compiles it."""
        self.description = self.make_description()
        operation = _native.create(self.description, self.tuned)
        if type(operation) is _Failure:
            raise self._get_error(operation)
        self.check_result(operation.shape)
        if self.tuned is not None and not operation.tuned:
            warnings.warn(f"no result of tuning is known for '{self.spec}' of these shapes and strides on this CPU: it runs as "
                          "without; tileir.tune(tileir.compile(...)) finds one", TuneWarning, stacklevel=_arrays.get_level())
        self.arrays.prepare_result(operation, self.result_code)
        operation.checks_tables = bool(self.tables) and bool(self.checked)
        return operation

    def check_result(self, shape):
        """Checks that out and bias fit the shape of the result."""
        if self.out is not None and (found := self.describe(self.out, is_output=True)[1]) != shape:
            raise ShapeError(f"expected out to have the shape {shape} of the result, found {found}")
        if self.bias is not None:
            found = self.describe(self.inputs[-1])[1]
            for size, wanted in zip(reversed(found), reversed(shape)):
                if size not in (1, wanted):
                    raise ShapeError(f"expected a bias that can be broadcast to the shape {shape} of the result, found {found}")

    def _get_sizes(self):
        if self.sizes is None:
            return ""
        if not isinstance(self.sizes, dict):
            raise TypeError(f"expected sizes to be a dictionary as in {{'r': 3}}, found {type(self.sizes).__name__}")
        parts = []
        for index, size in self.sizes.items():
            if not (isinstance(index, str) and len(index) == 1 and index.isascii() and index.isalpha()):
                raise ValueError(f"expected sizes of indices, which are letters, found {index!r}")
            size = operator.index(size)
            if not 0 <= size < 2**63:
                raise ShapeError(f"expected the size of index '{index}' not to be negative, and to have 64 bits, found {size}")
            parts.append(f"{index}={size}")
        return ",".join(parts)

    def _get_padding(self):
        if self.pad not in ("none", "zero"):
            raise ValueError(f"expected pad to be 'none' or 'zero', found {self.pad!r}")
        return self.pad

    def _get_accumulator(self):
        if self.acc is None:
            return None
        name = SHORT.get(self.acc, self.acc) if isinstance(self.acc, str) else self.acc
        code = TYPES.get(name) if isinstance(name, str) else self.arrays.get_code(self.arrays.to_dtype(name))
        if code is None:
            raise ValueError(f"expected acc to be one of {', '.join(SHORT.values())}, found {self.acc!r}")
        return code

    def _get_relu(self):
        if self.epilogue not in (None, "relu"):
            raise ValueError(f"expected epilogue to be None or 'relu', found {self.epilogue!r}")
        return self.epilogue == "relu"

    def _get_threads(self):
        threads = 0 if self.threads is None else operator.index(self.threads)
        if not 0 <= threads < 2**31:
            raise ValueError(f"expected threads to be positive, or None for all cores, found {threads}")
        return threads

    def _get_bias_strides(self, text, described):
        """How the bias moves along each index of the result."""
        _, shape, strides = described
        rank = sum(c.isalpha() for c in text.partition("->")[2])
        if len(shape) > rank:
            raise ShapeError(f"expected a bias of at most {rank} axes, as the result has, found {len(shape)}")
        moving = [0 if size == 1 else stride for size, stride in zip(shape, strides)]
        return [0] * (rank - len(shape)) + moving

    def _get_error(self, failure):
        """A failure as an exception that points into the specification as it was written."""
        kind, operand, axis, position, length = failure.error
        message = failure.message
        text = getattr(self, "_text", None)
        if text is None:
            text = Specification(self.spec, [self.describe(value)[1] for value in self.inputs[:len(self.operands)]])
        if position >= 0:
            # The C interface counts bytes, and says in words what a caret shows.
            prefix = f'in the specification "{text.text}", at character {position + 1}: '
            message = message[len(prefix):] if message.startswith(prefix) else message
            raw = text.text.encode()
            first = len(raw[:position].decode(errors="ignore"))
            count = len(raw[position:position + length].decode(errors="ignore"))
            position, length = text.place(first, max(count, 1) if length else 0)
        return _ERRORS.get(kind, CompileError)(message, self.spec, operand if operand >= 0 else None,
                                               axis if axis >= 0 else None, position if position >= 0 else None, length)
