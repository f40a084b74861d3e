// The loops over shells compiled for every machine.
#define STRAND_WIDTH 2
#define STRAND_SHELL_LOOPS kShellLoopsBaseline
#include "model/energy/shell_loops.inl"
