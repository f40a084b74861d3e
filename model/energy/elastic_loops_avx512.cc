// The elastic loops compiled for AVX-512.
#define STRAND_WIDTH 8
#define STRAND_LOOPS kElasticLoopsAvx512
#include "model/energy/elastic_loops.inl"
