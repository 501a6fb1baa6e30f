#include "page.h"

#include <unistd.h>

#include <porpentine/visualize/html.h>

#include "output.h"
#include "output_file.h"

namespace porpentine::cli {
namespace {

template <typename Write>
void write_file(const std::string& name, const Write& write) {
  if (name == "-") {
    Output out(STDOUT_FILENO, "standard output");
    write(out.stream());
    out.flush();
    return;
  }
  OutputFile file(name);
  Output out(file.descriptor(), name);
  write(out.stream());
  out.flush();
  file.commit();
}

}  // namespace

void write_page(const Judgement& judgement, const std::string& file) {
  if (!judgement.history || judgement.specification == nullptr) {
    print_error(file + ": not written, since " + judgement.file + " was not read to its end");
    return;
  }
  write_file(file, [&](std::ostream& out) {
    write_html(out, *judgement.history, *judgement.specification, judgement.result);
  });
}

void write_page(const History& history, const std::string& file) {
  write_file(file, [&](std::ostream& out) { write_html(out, history); });
}

}  // namespace porpentine::cli
