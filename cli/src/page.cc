#include "page.h"

#include <porpentine/visualize/html.h>

#include "output.h"
#include "whole_file.h"

namespace porpentine::cli {
void write_page(const Judgement& judgement, const std::string& file) {
  if (!judgement.history || judgement.specification == nullptr) {
    print_error(file + ": not written, since " + judgement.file + " was not read to its end");
    return;
  }
  write_whole(file, [&](std::ostream& out) {
    write_html(out, *judgement.history, *judgement.specification, judgement.result);
  });
}

void write_page(const History& history, const std::string& file) {
  write_whole(file, [&](std::ostream& out) { write_html(out, history); });
}

}  // namespace porpentine::cli
