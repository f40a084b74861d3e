#include "tests/support/plain_mujoco.h"

namespace strand {

const char kAdapter[] = STRAND_ADAPTER;
const char kAdapterVersion[] = STRAND_ADAPTER_VERSION;

}  // namespace strand
