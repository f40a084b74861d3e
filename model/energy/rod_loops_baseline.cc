// The rod's loops for every machine.
#define STRAND_WIDTH 2
#define STRAND_LOOPS kRodLoopsBaseline
#include "model/energy/rod_loops.inl"
