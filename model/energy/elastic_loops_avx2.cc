// The elastic loops compiled for AVX2 and FMA.
#define STRAND_WIDTH 4
#define STRAND_LOOPS kElasticLoopsAvx2
#include "model/energy/elastic_loops.inl"
