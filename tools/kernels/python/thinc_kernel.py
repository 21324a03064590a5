"""thinc's LayerNorm: float32, forward and backward, with a fixed epsilon.

tools/kernels/install thinc; lnverify run --kernel 'exec:/usr/bin/python3 tools/kernels/python/thinc_kernel.py'
"""

import numpy
import thinc
from thinc.layers import LayerNorm

from layer_norm_kernel import serve

# The variance is float32, and so is what is added to it.
EPSILON = float(numpy.float32(1e-8))


def layer(d, gain, bias):
    model = LayerNorm(d)
    model.initialize()
    if gain is not None:
        model.set_param("G", gain)
    if bias is not None:
        model.set_param("b", bias)
    return model


def forward(z, gain, bias, eps):
    return layer(z.shape[1], gain, bias).predict(z)


def backward(z, gain, eps, dy):
    model = layer(z.shape[1], gain, None)
    _, backprop = model.begin_update(z)
    return backprop(dy), model.get_grad("G"), model.get_grad("b")


serve(
    name=f"thinc {thinc.__version__} (numpy {numpy.__version__})",
    epsilon=lambda eps: EPSILON,
    forward_f32=forward,
    backward_f32=backward)
