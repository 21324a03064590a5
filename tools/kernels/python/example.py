"""A kernel of one line: lnverify run --kernel 'exec:python3 tools/kernels/python/example.py'"""

from layer_norm_kernel import serve

serve(
    forward_f32=lambda z, gain, bias, eps: (
        (z - z.mean(1, keepdims=True)) / (z.var(1, keepdims=True) + z.dtype.type(eps)) ** 0.5
        * (1 if gain is None else gain) + (0 if bias is None else bias)))
