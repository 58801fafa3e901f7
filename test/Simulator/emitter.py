"""Text of the LLVM dialect, and tiles of shared memory in it; for gemm.py."""
import itertools

from fragments import SYMBOLS

# Of lanes, for ldmatrix: the row of a matrix, and bits 3 and 4.
LANES = SYMBOLS | {"l8": "lane & 7", "b3": "lane >> 3 & 1", "b4": "lane >> 4"}


class Emitter:
    def __init__(self):
        self.lines, self.constants, self.head, self.symbols = [], {}, "", {}
        self.counter = itertools.count()

    @staticmethod
    def value(parts, lane):
        """A sum of symbols of a lane, as a number."""
        return sum(eval(LANES[s], {"lane": lane}) * c for s, c in parts.items())

    def begin(self, title, shared_bytes):
        self.head = (f"// gemm.py {title}\n"
                     "gpu.module @gemms {\n"
                     "  llvm.mlir.global external @tiles() {addr_space = 3 : i32, alignment = 128 : i64} : "
                     "!llvm.array<0 x i8>\n"
                     "  llvm.func @gemm(%A: !llvm.ptr<1>, %B: !llvm.ptr<1>, %C: !llvm.ptr<1>) "
                     "attributes {gpu.kernel, nvvm.kernel} {\n"
                     f"    // {shared_bytes} bytes of dynamic shared memory.\n"
                     "    %tiles = llvm.mlir.addressof @tiles : !llvm.ptr<3>\n")
        for name, register in ("bx", "ctaid.x"), ("by", "ctaid.y"), ("tid", "tid.x"), ("lane", "laneid"):
            self.line(f"%{name} = nvvm.read.ptx.sreg.{register} : i32")

    def finish(self):
        constants = "".join(f"    {name} = llvm.mlir.constant({value}) : {kind}\n"
                            for (value, kind), name in self.constants.items())
        return self.head + constants + "\n".join(self.lines) + "\n    llvm.return\n  }\n}\n"

    def line(self, text):
        self.lines.append("    " + text)

    def op(self, text):
        name = f"%v{next(self.counter)}"
        self.line(f"{name} = {text}")
        return name

    def constant(self, value):
        return self.constants.setdefault((f"{value} : i32", "i32"), f"%c{value}")

    def zero(self, kind):
        value = {"i32": "0 : i32", "f32": "0.0 : f32", "vector<2xf16>": "dense<0.0> : vector<2xf16>"}[kind]
        return self.constants.setdefault((value, kind), "%zero")

    def multiply(self, value, factor):
        return value if factor == 1 else self.op(f"llvm.mul {value}, {self.constant(factor)} : i32")

    def add(self, a, b):
        """Sum of values, where None is 0."""
        if a is None or b is None:
            return a or b
        return self.op(f"llvm.add {a}, {b} : i32")

    def lane_symbols(self):
        """Values of all symbols of lanes: each is (lane >> shift) & mask."""
        for name, text in LANES.items():
            parts = text.split()
            value = "%lane"
            if ">>" in parts:
                value = self.op(f"llvm.lshr {value}, {self.constant(int(parts[2]))} : i32")
            if "&" in parts:
                value = self.op(f"llvm.and {value}, {self.constant(int(parts[-1]))} : i32")
            self.symbols[name] = value

    def lane_sum(self, parts):
        """A sum of symbols as a value; None if it is empty."""
        total = None
        for name, factor in parts.items():
            total = self.add(total, self.multiply(self.symbols[name], factor))
        return total

    def gep(self, pointer, index, kind, space):
        """`index`: a value or a number."""
        if index == 0:
            return pointer
        types = f"(!llvm.ptr<{space}>, i32)" if isinstance(index, str) else f"(!llvm.ptr<{space}>)"
        return self.op(f"llvm.getelementptr {pointer}[{index}] : {types} -> !llvm.ptr<{space}>, {kind}")

    def branch(self, label, operands, arguments):
        types = ", ".join(a.split(": ")[1] for a in arguments)
        self.line(f"llvm.br ^{label}({', '.join(operands)} : {types})")
        self.lines.append(f"  ^{label}({', '.join(arguments)}):")

    def label(self, name):
        self.lines.append(f"  ^{name}:")

    def guard(self, name, condition, body):
        """body() if the condition holds."""
        self.line(f"llvm.cond_br {condition}, ^{name}, ^{name}_done")
        self.label(name)
        body()
        self.line(f"llvm.br ^{name}_done")
        self.label(f"{name}_done")

    def rotate(self, stage, bytes_, stages):
        """The offset of the stage after `stage`."""
        up = self.op(f"llvm.add {stage}, {self.constant(bytes_)} : i32")
        wraps = self.op(f'llvm.icmp "eq" {up}, {self.constant(bytes_ * stages)} : i32')
        return self.op(f"llvm.select {wraps}, {self.constant(0)}, {up} : i1, i32")

    def cast(self, value, source, target):
        return value if source == target else self.op(f"llvm.bitcast {value} : {source} to {target}")

    def unpack(self, struct, kind, number):
        type_ = f"!llvm.struct<({', '.join([kind] * number)})>"
        return [self.op(f"llvm.extractvalue {struct}[{i}] : {type_}") for i in range(number)]

    def load_elements(self, pointer, number, size):
        """One load of `number` elements of `size` bytes: words of 4 bytes, in place of the first element of each,
        if there are whole words; else single elements."""
        bytes_ = number * size
        if bytes_ % 4:
            return [self.op(f"llvm.load {pointer} {{alignment = {size} : i64}} : !llvm.ptr<3> -> i{8 * size}")]
        words = bytes_ // 4
        kind = "i32" if words == 1 else f"vector<{words}xi32>"
        value = self.op(f"llvm.load {pointer} {{alignment = {bytes_} : i64}} : !llvm.ptr<3> -> {kind}")
        if words > 1:
            values = [self.op(f"llvm.extractelement {value}[{self.constant(i)} : i32] : {kind}") for i in range(words)]
        else:
            values = [value]
        return list(itertools.chain.from_iterable([("word", v)] + [None] * (4 // size - 1) for v in values))

    def pack(self, values, size, per_register):
        """Registers from what load_elements gave."""
        registers = []
        for i in range(0, len(values), per_register):
            part = values[i:i + per_register]
            if isinstance(part[0], tuple):
                registers.append(part[0][1])
                continue
            kind = f"vector<{per_register}xi{8 * size}>"
            vector = self.op(f"llvm.mlir.undef : {kind}")
            for j, value in enumerate(part):
                vector = self.op(f"llvm.insertelement {value}, {vector}[{self.constant(j)} : i32] : {kind}")
            registers.append(self.cast(vector, kind, "i32"))
        return registers

    def store_words(self, words, pointer, space):
        kind = "i32" if len(words) == 1 else f"vector<{len(words)}xi32>"
        value = words[0]
        if len(words) > 1:
            value = self.op(f"llvm.mlir.undef : {kind}")
            for i, word in enumerate(words):
                value = self.op(f"llvm.insertelement {word}, {value}[{self.constant(i)} : i32] : {kind}")
        self.line(f"llvm.store {value}, {pointer} {{alignment = {4 * len(words)} : i64}} : {kind}, !llvm.ptr<{space}>")


class Tile:
    """A tile of rows x columns elements in shared memory, `offset` bytes from the start of a stage.

    Chunk c (16 bytes) of row r lies at chunk c ^ f(r), where bit j of f(r) is bit swizzle[j] of r (None: 0). The parts
    of a place that are known when the kernel is written have other bits than the parts of the lane: so
    f(lane + known) = f(lane) ^ f(known), and a pointer needs one XOR and a constant offset.
    """

    def __init__(self, rows, columns, element_bytes, pad, offset, threads):
        self.rows, self.element_bytes, self.offset = rows, element_bytes, offset
        self.chunks = columns * element_bytes // 16
        self.pitch = columns * element_bytes + pad
        self.bytes = -(-rows * self.pitch // 128) * 128
        self.swizzle = ()
        self.threads = threads

    def f(self, row):
        return sum((row >> s & 1) << j for j, s in enumerate(self.swizzle) if s is not None)

    def address(self, row, column):
        byte = column * self.element_bytes
        return row * self.pitch + ((byte // 16 ^ self.f(row)) * 16) + byte % 16

    def choose_swizzle(self, loads):
        """Takes the first f that has no bank conflicts in the loads and in the stores of whole chunks."""
        width = 16 // self.element_bytes
        patterns = [*loads, ([(t // self.chunks, t % self.chunks * width) for t in range(32)], 16)]
        bits = max(self.chunks.bit_length() - 1, 0)
        for candidate in itertools.product((None, 0, 1, 2, 3), repeat=min(bits, 3)):
            self.swizzle = candidate
            if not any(self.conflicts(places, size) for places, size in patterns):
                return
        raise ValueError(f"no swizzle for {self.rows} rows of {self.pitch} bytes")

    def conflicts(self, places, size):
        """Whether a warp's access of `size` bytes a lane needs more than one pass a group of lanes."""
        lanes = 32 if size <= 4 else 128 // size
        for start in range(0, 32, lanes):
            words = {self.address(*place) // 4 + w for place in places[start:start + lanes]
                     for w in range(-(-size // 4))}
            if len({w % 32 for w in words}) < len(words):
                return True
        return False

    def prepare(self, e, row, column):
        """What pointer() needs for a place that depends on the lane: values, None is 0."""
        base, chunk, rest = e.multiply(row, self.pitch) if row else None, None, None
        if column:
            byte = e.multiply(column, self.element_bytes)
            chunk = e.op(f"llvm.and {byte}, {e.constant(-16)} : i32")
            rest = e.op(f"llvm.and {byte}, {e.constant(15)} : i32")
        for j, s in enumerate(self.swizzle):
            if s is not None and row:  # bit s of the row to bit j of the chunk, which is bit 4 + j of the address
                bit = e.op(f"llvm.and {row}, {e.constant(1 << s)} : i32")
                shift = 4 + j - s
                if shift:
                    bit = e.op(f"llvm.{'shl' if shift > 0 else 'lshr'} {bit}, {e.constant(abs(shift))} : i32")
                chunk = e.op(f"llvm.xor {chunk}, {bit} : i32") if chunk else bit
        return {"base": e.add(base, rest), "chunk": chunk, "pointers": {}}

    def pointer(self, e, prepared, row, column, stage=None):
        """The address of the lane's place plus (row, column), in the stage at the byte offset `stage`."""
        byte = column * self.element_bytes
        flip = (byte // 16 ^ self.f(row)) * 16
        if not self.swizzle:
            flip, byte = 0, byte + row * self.pitch
        else:
            byte = byte % 16 + row * self.pitch
        key = (flip, stage)
        if key not in prepared["pointers"]:
            chunk = prepared["chunk"]
            if flip:
                chunk = (e.op(f"llvm.xor {chunk}, {e.constant(flip)} : i32") if chunk else e.constant(flip))
            pointer = e.gep("%tiles", e.add(e.add(prepared["base"], chunk), stage) or 0, "i8", 3)
            prepared["pointers"][key] = e.gep(pointer, self.offset, "i8", 3)
        return e.gep(prepared["pointers"][key], byte, "i8", 3)
