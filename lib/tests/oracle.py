"""Judges correctly rounded results of layer normalization with fractions and integers alone.

Reads lines of the form

    format kind rows eps ; z ; gain ; third ; results

(numbers as hexadecimal floats; z and dy of `rows` rows, row after row) and prints one line for each format:
"format checked wrong". Wrong results are described on stderr. Formulas, with q the variance of divisor d:

    mean, variance, rstd    one result each
    core                    (z - mean) / sqrt(q + eps)
    output                  gain * core + third
    dz                      (g - mean(g) - core * mean(g * core)) / sqrt(q + eps), g = gain * third
    dgain                   sum over rows of third * core
    dbias                   sum over rows of third

No result is computed here. A result is right if the exact number lies between the two midpoints to its
neighbours in the format, and on a midpoint only if its significand is even; comparisons are of squares.
"""

import sys
from collections import Counter
from fractions import Fraction
from math import isqrt, lcm

# digits, exponent of the smallest normal number, exponent of the largest
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}


def power_of_two(n):
    return Fraction(1 << n) if n >= 0 else Fraction(1, 1 << -n)


class Grid:
    """The non-negative values of a format, numbered from 0; the number after the last stands for infinity."""

    def __init__(self, digits, min_exponent, max_exponent):
        self.hidden = 1 << (digits - 1)
        self.lowest = min_exponent - digits + 1
        self.infinity = (max_exponent - min_exponent + 2) * self.hidden

    def value(self, number):
        """2 ** max_exponent + 1 for infinity: the midpoint below it is where overflow begins."""
        block, fraction = divmod(number, self.hidden)
        if block == 0:
            return fraction * power_of_two(self.lowest)
        return (self.hidden + fraction) * power_of_two(self.lowest + block - 1)

    def number(self, size):
        """None for a value that is not of the format."""
        if size == float("inf"):
            return self.infinity
        units = Fraction(size) / power_of_two(self.lowest)
        if units.denominator != 1:
            return None
        units = units.numerator
        block = max(units.bit_length() - self.hidden.bit_length(), 0)
        if units % (1 << block):
            return None
        number = block * self.hidden + (units >> block)
        return number if number < self.infinity else None


def sign(x):
    return (x > 0) - (x < 0)


class Number:
    """rational + sum of c / sqrt(D) over the pairs (c, D)."""

    def __init__(self, rational, pairs=()):
        self.rational = rational
        self.pairs = [(c, D) for c, D in pairs if c != 0]

    def compare(self, m):
        """Sign of this number minus the rational m."""
        t = m - self.rational
        if not self.pairs:
            return -sign(t)
        if len(self.pairs) > 1:
            return self.compare_sum(t)
        c, D = self.pairs[0]
        if sign(c) != sign(t):
            return sign(sign(c) - sign(t))
        left, right = c * c, t * t * D
        return sign(c) * ((left > right) - (left < right))

    def compare_sum(self, t):
        """Enclosures, until one excludes zero or is narrower than the least distance from zero.

        With L the common denominator, x = L * (sum - t) is an algebraic integer of degree at most 2^R whose
        conjugates differ in the signs of the roots: all have size below B = L * (|t| + sum of sizes). Unless
        x = 0, their product is a nonzero integer, so |x| >= B^(1 - 2^R).
        """
        roots = [(sign(c), c * c / D) for c, D in self.pairs]
        common = lcm(t.denominator, *(r.denominator for _, r in roots))
        bound = common * (abs(t) + sum(isqrt(r.numerator // r.denominator) + 1 for _, r in roots))
        enough = int(bound).bit_length() * (2 ** len(roots)) + common.bit_length() + len(roots) + 8
        bits = 256
        while True:
            low = high = Fraction(0)
            for s, r in roots:
                root = isqrt((r.numerator << (2 * bits)) // r.denominator)
                low += root if s > 0 else -root - 1
                high += root + 1 if s > 0 else -root
            target = t * (1 << bits)
            if low > target:
                return 1
            if high < target:
                return -1
            if bits > enough:
                return 0
            bits = min(4 * bits, enough + 1)


def is_nearest(grid, x, result):
    negative = result < 0 or str(result) == "-0.0"
    number = grid.number(abs(result))
    if number is None:
        return False
    direction = -1 if negative else 1
    even = number % 2 == 0

    def beyond(midpoint):
        return direction * x.compare(direction * midpoint)

    if number < grid.infinity:
        above = beyond((grid.value(number) + grid.value(number + 1)) / 2)
        if above > 0 or (above == 0 and not even):
            return False
    if number == 0:
        return x.compare(Fraction(0)) < 0 if negative else x.compare(Fraction(0)) >= 0
    below = beyond((grid.value(number - 1) + grid.value(number)) / 2)
    return below > 0 or (below == 0 and even)


def statistics(z):
    d = len(z)
    mean = sum(z) / d
    centered = [x - mean for x in z]
    return mean, centered, sum(v * v for v in centered) / d


def expected(kind, rows, eps, z, gain, third):
    if kind in ("dgain", "dbias"):
        d = len(third) // rows if rows else 0
        cases = [statistics(z[t * d : (t + 1) * d]) for t in range(rows)] if kind == "dgain" else []
        for i in range(d):
            column = [third[t * d + i] for t in range(rows)]
            if kind == "dbias":
                yield Number(sum(column, Fraction(0)))
            else:
                yield Number(Fraction(0), [(dy * v[i], q + eps) for dy, (_, v, q) in zip(column, cases)])
        return
    mean, centered, q = statistics(z)
    if kind == "mean":
        yield Number(mean)
    elif kind == "variance":
        yield Number(q)
    elif kind == "rstd":
        yield Number(Fraction(0), [(Fraction(1), q + eps)])
    elif kind == "core":
        for v in centered:
            yield Number(Fraction(0), [(v, q + eps)])
    elif kind == "output":
        for v, a, b in zip(centered, gain, third):
            yield Number(b, [(a * v, q + eps)])
    elif kind == "dz":
        g = [a * dy for a, dy in zip(gain, third)]
        mean_g = sum(g) / len(g)
        projection = sum(a * v for a, v in zip(g, centered)) / len(g) / (q + eps)
        for a, v in zip(g, centered):
            yield Number(Fraction(0), [(a - mean_g - v * projection, q + eps)])
    else:
        raise ValueError(f"unknown kind {kind}")


def numbers(text):
    return [Fraction(float.fromhex(word)) for word in text.split()]


def main():
    grids = {name: Grid(*shape) for name, shape in FORMATS.items()}
    checked, wrong = Counter(), Counter()
    for line in sys.stdin:
        head, z, gain, third, results = line.split(";")
        name, kind, rows, eps = head.split()
        stabilizer = Fraction(float.fromhex(eps))
        exact = list(expected(kind, int(rows), stabilizer, numbers(z), numbers(gain), numbers(third)))
        got = [float.fromhex(word) for word in results.split()]
        if len(exact) != len(got):
            raise ValueError(f"{len(got)} results where {len(exact)} are due: {line}")
        for i, (x, result) in enumerate(zip(exact, got)):
            checked[name] += 1
            if not is_nearest(grids[name], x, result):
                wrong[name] += 1
                if wrong[name] <= 3:
                    print(f"wrong result {i}, {result.hex()}: {line}", file=sys.stderr)
    for name in FORMATS:
        print(name, checked[name], wrong[name])


if __name__ == "__main__":
    main()
