#pragma once

/// The commit that the program was built from; "unknown" outside of a checkout.
const char *parley_commit(void);
