#include "page.h"

#include <porpentine/visualize/html.h>

#include "output.h"

namespace porpentine::cli {
void write_page(const Judgement& judgement, const std::string& file) {
  if (judgement.causal && judgement.causal->trace) {
    return write_whole(file,
                       [&](std::ostream& out) { write_html(out, *judgement.causal->trace, judgement.causal->result); });
  }
  if (!judgement.history || judgement.specification == nullptr) {
    print_error(file + ": not written, since " + judgement.file + " was not read to its end");
    return;
  }
  write_whole(file, [&](std::ostream& out) {
    write_html(out, *judgement.history, *judgement.specification, judgement.result);
  });
}

void write_page(const Whole& whole, const std::string& file) {
  write_whole(file, [&](std::ostream& out) { std::visit([&](const auto& read) { write_html(out, read); }, whole); });
}

}  // namespace porpentine::cli
