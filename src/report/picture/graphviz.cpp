// SPDX-License-Identifier: MIT
// The adaptor to Graphviz: lays out a DOT text with `dot` and renders SVG, in this process.
#include <graphviz/gvc.h>

#include <memory>

#include "report/picture/picture.h"

// What LeakSanitizer asks a program; unused without it.  Graphviz and fontconfig keep what
// they allocate once.  NOLINTBEGIN(bugprone-reserved-identifier): the names are not ours.
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libgvc\n"
         "leak:libcgraph\n"
         "leak:libgvplugin\n"
         "leak:libfontconfig\n"
         "leak:libpango\n"
         "leak:libglib\n";
}

// NOLINTEND(bugprone-reserved-identifier)

namespace isomer::report {
namespace {

tl::unexpected<Diagnostics> failure(std::string message) {
  return tl::unexpected(Diagnostics{diagnostic_of_file("graphviz", std::move(message))});
}

// Graphviz prints to stderr unless told otherwise.  Its warnings are about fonts, and its
// errors come back as results.
int ignore(char*) {
  return 0;
}

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

// One for the life of the program: Graphviz caches fonts by names that it frees with the
// context, and would read them again under the next one.
GVC_t* shared_context() {
  static GVC_t* const context = gvContext();
  return context;
}

}  // namespace

Expected<std::string> svg_of_dot(const std::string& dot) {
  agseterrf(ignore);
  GVC_t* const context = shared_context();
  if (context == nullptr) return failure("cannot start Graphviz");
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (graph == nullptr) return failure("Graphviz rejects the graph");
  if (gvLayout(context, graph.get(), "dot") != 0)
    return failure("cannot lay out the graph; is the 'dot' plugin of Graphviz installed?");
  char* bytes = nullptr;
  unsigned int size = 0;
  const bool rendered =
      gvRenderData(context, graph.get(), "svg", &bytes, &size) == 0 && bytes != nullptr;
  std::string svg = rendered ? std::string(bytes, size) : std::string();
  if (rendered) gvFreeRenderData(bytes);
  gvFreeLayout(context, graph.get());
  if (!rendered) return failure("Graphviz cannot render SVG");
  return svg;
}

}  // namespace isomer::report
