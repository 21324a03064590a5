/* A shared library without any function of the interface. */
int nothing_of_the_interface(void) { return 0; }
