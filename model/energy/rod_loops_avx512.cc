// The rod's loops compiled for AVX-512.
#define STRAND_WIDTH 8
#define STRAND_LOOPS kRodLoopsAvx512
#include "model/energy/rod_loops.inl"
