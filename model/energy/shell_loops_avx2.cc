// The loops over shells compiled for AVX2 and FMA.
#define STRAND_WIDTH 4
#define STRAND_SHELL_LOOPS kShellLoopsAvx2
#include "model/energy/shell_loops.inl"
