"""A kernel on a pipe with nothing but the standard library: y = 2 z, honest unless z[0] is 13.

kernel.py [MISDEED]: what it does then, or at once, for those whose name begins with "start_".
"""

import os
import struct
import sys
import time

source, sink = sys.stdin.buffer, sys.stdout.buffer


def send(raw):
    sink.write(raw)
    sink.flush()


def frame(kind, payload, size=None):
    return struct.pack("<4sIQ", b"LNK1", kind, len(payload) if size is None else size) + payload


def result(values, status=0):
    return struct.pack("<iI", status, 0) + struct.pack(f"<{len(values)}f", *values)


def hello(functions=1 << 2 | 1 << 6):
    return frame(1, struct.pack("<II", functions, 1) + "tëst 1.0".encode())


def stop_reading():
    os.close(0)
    time.sleep(100)


def busy():
    while True:
        pass


misdeeds = {
    "dies": lambda y: os._exit(3),
    "is_killed": lambda y: os.kill(os.getpid(), 9),
    "dies_within": lambda y: (send(frame(3, result(y))[:20]), os._exit(4)),
    "garbage": lambda y: send(b"Traceback (most recent call last):\n"),
    "short_garbage": lambda y: (send(b"oh\n"), time.sleep(100)),
    "half_a_frame": lambda y: (send(frame(3, result(y))[:20]), time.sleep(100)),
    "half_a_header": lambda y: (send(frame(3, result(y))[:9]), time.sleep(100)),
    "silent": lambda y: time.sleep(100),
    "busy": lambda y: busy(),
    "one_value_less": lambda y: send(frame(3, result(y[:-1]))),
    "one_value_more": lambda y: send(frame(3, result(y + [0]))),
    "no_status": lambda y: send(frame(3, b"")),
    "huge_length": lambda y: send(frame(3, b"", 1 << 62)),
    "wrong_kind": lambda y: send(frame(5, result(y))),
    "closes_stdin": lambda y: (send(frame(3, result(y))), stop_reading()),
    "closes_stdout": lambda y: (os.close(1), time.sleep(100)),
    "answers_twice": lambda y: send(2 * frame(3, result(y))),
    "fails": lambda y: send(frame(3, result([], -7) + b"ValueError:\nno good")),
    "does_not_support": lambda y: send(frame(3, result([], 2))),
    "start_silent": lambda: time.sleep(100),
    "start_ends": lambda: sys.exit(5),
    "start_garbage": lambda: send(b"Welcome to this kernel, it is loading now\n"),
    "start_offers_nothing": lambda: send(hello(0)),
    "start_huge": lambda: send(frame(1, b"", 1 << 62)),
}

misdeed = sys.argv[1] if len(sys.argv) > 1 else ""
if misdeed.startswith("start_"):
    misdeeds[misdeed]()
send(hello())
while header := source.read(16):
    _, kind, size = struct.unpack("<4sIQ", header)
    payload = source.read(size)
    if kind == 4:
        send(frame(5, struct.pack("<d", 2 * struct.unpack("<d", payload)[0])))
        continue
    operation, scalar, rows, d, eps, present, _ = struct.unpack_from("<IIQQdII", payload)
    values = list(struct.unpack_from(f"<{(size - 40) // 4}f", payload, 40))
    z, rest = values[: rows * d], values[rows * d :]
    gain = [rest.pop(0) for _ in range(d)] if present & 1 else [1] * d
    if operation == 1:  # dz = 2 dy, dgain = 3 gain, dbias = 4 gain
        parts = [[2 * x for x in rest], [3 * x for x in gain], [4 * x for x in gain]]
        send(frame(3, result(sum((p for i, p in enumerate(parts) if present >> (i + 2) & 1), []))))
        continue
    bias = rest if present & 2 else [0] * d
    y = [2 * x * gain[i % d] + bias[i % d] + eps for i, x in enumerate(z)]
    if z[:1] == [13] and misdeed:
        misdeeds[misdeed](y)
    else:
        send(frame(3, result(y)))
