"""Puts a layer normalization in Python under test; numpy is all it needs.

    from layer_norm_kernel import serve
    serve(forward_f32=lambda z, gain, bias, eps: ...)      # returns y

    lnverify run --kernel 'exec:python3 my_kernel.py'

z is a float32 (f16: float16, f64: float64, bf16: float32 holding bfloat16 values) array of rows x d; gain and bias
are arrays of d numbers or None (absent: 1 and 0); eps is a float. y is anything that becomes an array of rows x d.

    serve(backward_f32=lambda z, gain, eps, dy: ...)       # returns dz, dgain, dbias

An exception counts as failed; raise NotSupported for arguments that the kernel does not claim to handle. The protocol
is in PROTOCOL.md beside this file.
"""

import os
import struct
import sys

import numpy

SCALARS = ("f16", "bf16", "f32", "f64")
STORAGE = dict(zip(SCALARS, (numpy.dtype(name) for name in ("<f2", "<u2", "<f4", "<f8"))))

_HEADER = struct.Struct("<4sIQ")
_CALL = struct.Struct("<IIQQdII")
_STATUS = struct.Struct("<iI")
_MAGIC = b"LNK1"
_HELLO, _CALL_KIND, _RESULT, _EPSILON, _ADDED_EPSILON = range(1, 6)
_GAIN, _BIAS, _DZ, _DGAIN, _DBIAS = 1, 2, 4, 8, 16
_MOST_TEXT = 4096


class NotSupported(Exception):
    """These arguments are not handled: the case is skipped and counted, nothing is held against the kernel."""


def _bf16_to_float(bits):
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def _float_to_bf16(values):
    """To nearest, ties to even; a NaN stays a NaN."""
    bits = numpy.ascontiguousarray(values, dtype=numpy.float32).view(numpy.uint32)
    rounded = ((bits.astype(numpy.uint64) + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)
    return numpy.where(numpy.isnan(values), numpy.uint16(0x7FC0), rounded)


def _decoded(scalar, values):
    return _bf16_to_float(values) if scalar == "bf16" else values


def _encoded(scalar, values, shape, what):
    values = numpy.asarray(values)
    if values.shape != shape:
        raise ValueError(f"{what} has the shape {values.shape}, expected {shape}")
    if scalar == "bf16":
        values = _float_to_bf16(values.astype(numpy.float32))
    return numpy.ascontiguousarray(values, dtype=STORAGE[scalar]).tobytes()


def _result(functions, payload):
    """The arrays that answer one call, as bytes."""
    operation, index, rows, d, eps, present, _ = _CALL.unpack_from(payload)
    scalar = SCALARS[index]
    offset = _CALL.size

    def taken(count):
        nonlocal offset
        values = numpy.frombuffer(payload, STORAGE[scalar], count, offset)
        offset += values.nbytes
        return _decoded(scalar, values)

    z = taken(rows * d).reshape(rows, d)
    gain = taken(d) if present & _GAIN else None
    if operation == 0:
        bias = taken(d) if present & _BIAS else None
        return _encoded(scalar, functions["forward_" + scalar](z, gain, bias, eps), (rows, d), "y")
    dy = taken(rows * d).reshape(rows, d)
    dz, dgain, dbias = functions["backward_" + scalar](z, gain, eps, dy)
    answer = _encoded(scalar, dz, (rows, d), "dz") if present & _DZ else b""
    answer += _encoded(scalar, dgain, (d,), "dgain") if present & _DGAIN else b""
    return answer + (_encoded(scalar, dbias, (d,), "dbias") if present & _DBIAS else b"")


def _answer_of_call(functions, payload):
    try:
        return _STATUS.pack(0, 0) + _result(functions, payload)
    except NotSupported as reason:
        status, words = 1, str(reason)
    except Exception as error:  # whatever the kernel throws is the kernel's failure, and is reported as such
        status, words = -1, f"{type(error).__name__}: {error}"
    return _STATUS.pack(status, 0) + words.encode()[:_MOST_TEXT]


def _functions_mask(functions):
    names = [f"{operation}_{scalar}" for operation in ("forward", "backward") for scalar in SCALARS]
    unknown = set(functions) - set(names)
    if unknown or not functions:
        raise TypeError(f"serve: expected some of {', '.join(names)}; found {', '.join(sorted(unknown)) or 'none'}")
    return sum(1 << bit for bit, name in enumerate(names) if name in functions)


def serve(*, name=None, epsilon=None, **functions):
    """Serves calls until the input ends.

    functions: forward_f16, forward_bf16, forward_f32, forward_f64, backward_f16, ... as described above.
    name: name and version as reports show them; default: the name of the program.
    epsilon: a function from the epsilon that is asked for to the one that is really added, where they differ.
    """
    mask = _functions_mask(functions)
    # The kernel's own prints must not end up among the frames.
    source = sys.stdin.buffer
    sink = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    numpy.seterr(all="ignore")  # overflow and NaN are what is being tested, and no news

    def send(kind, payload):
        rest = memoryview(_HEADER.pack(_MAGIC, kind, len(payload)) + payload)
        while rest:
            rest = rest[sink.write(rest):]

    name = name if name is not None else os.path.basename(sys.argv[0])
    send(_HELLO, struct.pack("<II", mask, int(epsilon is not None)) + name.encode()[:_MOST_TEXT])
    while True:
        header = source.read(_HEADER.size)
        if len(header) < _HEADER.size:
            return
        _, kind, size = _HEADER.unpack(header)
        payload = source.read(size)
        if len(payload) < size:
            return
        if kind == _CALL_KIND:
            send(_RESULT, _answer_of_call(functions, payload))
        elif kind == _EPSILON:
            send(_ADDED_EPSILON, struct.pack("<d", epsilon(*struct.unpack("<d", payload))))
