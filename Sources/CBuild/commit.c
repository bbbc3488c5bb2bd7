#include "CBuild.h"

#ifndef PARLEY_COMMIT
#define PARLEY_COMMIT "unknown"
#endif

const char *parley_commit(void) { return PARLEY_COMMIT; }
