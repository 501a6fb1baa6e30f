#include "command.h"

int main(int argc, char** argv) { return static_cast<int>(porpentine::cli::run_command(argc, argv)); }
