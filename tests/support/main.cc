// The main function of every test executable, for Catch2 2.13, which brings none.
#define CATCH_CONFIG_MAIN
#include "support/catch.h"
