// The loops over shells compiled for AVX-512.
#define STRAND_WIDTH 8
#define STRAND_SHELL_LOOPS kShellLoopsAvx512
#include "model/energy/shell_loops.inl"
