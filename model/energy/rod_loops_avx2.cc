// The rod's loops compiled for AVX2 and FMA.
#define STRAND_WIDTH 4
#define STRAND_LOOPS kRodLoopsAvx2
#include "model/energy/rod_loops.inl"
