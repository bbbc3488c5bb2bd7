// cjose.h uses the C library's types without including them.
#include <stdlib.h>
#include <cjose/cjose.h>
