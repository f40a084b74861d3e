// The elastic loops for every machine.
#define STRAND_WIDTH 2
#define STRAND_LOOPS kElasticLoopsBaseline
#include "model/energy/elastic_loops.inl"
