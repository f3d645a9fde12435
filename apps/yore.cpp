// The program: everything it does is in cli.
#include "cli/run.hpp"

int main(int argc, char** argv) {
  return yore::cli::run_process(argc, argv, YORE_SAMPLES_DIR);
}
