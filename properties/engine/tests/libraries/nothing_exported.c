/* A shared library that is no kernel: it exports nothing of layer_norm/kernel.h. */
int unrelated_function(void);
int unrelated_function(void) { return 42; }
