#include "engine/instances.hpp"

LNVERIFY_INSTANCES(, double)
LNVERIFY_INSTANCES(, layer_norm::mp50)
LNVERIFY_INSTANCES(, layer_norm::mp100)
LNVERIFY_INSTANCES(, layer_norm::exact)
