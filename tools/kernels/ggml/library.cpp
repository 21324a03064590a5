#include "library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

namespace ggml {

namespace {

void* open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return library;
}

template <class Function>
void look_up(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("ggml has no ") + name);
}

// 0: this processor lacks an instruction set that the library needs.
int score(void* library) {
  int (*function)() = nullptr;
  look_up(library, "ggml_backend_score", function);
  return function();
}

void* best_for_this_processor(const std::string& folder, std::string& variant) {
  const std::string prefix = "libggml-cpu-";
  void* best = nullptr;
  int best_score = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    void* library = open(entry.path().string());
    const int rating = score(library);
    if (rating <= best_score) {
      dlclose(library);
      continue;
    }
    if (best != nullptr) dlclose(best);
    best = library;
    best_score = rating;
    variant = entry.path().stem().string().substr(prefix.size());
  }
  if (best == nullptr) throw std::runtime_error("ggml has nothing for this processor");
  return best;
}

}  // namespace

Library::Library(const std::string& folder) {
  void* base = open(folder + "/libggml-base.so");
  look_up(base, "ggml_version", version);
  look_up(base, "ggml_init", init);
  look_up(base, "ggml_free", free);
  look_up(base, "ggml_tensor_overhead", tensor_overhead);
  look_up(base, "ggml_graph_overhead_custom", graph_overhead_custom);
  look_up(base, "ggml_new_tensor_1d", new_tensor_1d);
  look_up(base, "ggml_new_tensor_2d", new_tensor_2d);
  look_up(base, "ggml_get_data", get_data);
  look_up(base, "ggml_norm", norm);
  look_up(base, "ggml_mul", mul);
  look_up(base, "ggml_add", add);
  look_up(base, "ggml_new_graph_custom", new_graph_custom);
  look_up(base, "ggml_build_forward_expand", build_forward_expand);
  look_up(best_for_this_processor(folder, variant), "ggml_graph_compute_with_ctx", graph_compute_with_ctx);
}

}  // namespace ggml
