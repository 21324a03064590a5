#include "runtime.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <array>
#include <memory>

namespace {

// Places in the table of functions.
namespace slot {
constexpr std::size_t get_error_code = 1, get_error_message = 2, create_env = 3,
                      create_session_from_array = 8, run = 9, create_session_options = 10,
                      disable_cpu_mem_arena = 19, set_session_graph_optimization_level = 23,
                      set_intra_op_num_threads = 24, create_tensor_with_data = 49,
                      create_cpu_memory_info = 69, release_status = 93, release_session = 95,
                      release_value = 96;
}

struct ApiBase {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*get_version)();
};

std::size_t bytes_of(ElementType type) {
  if (type == ElementType::f64) return 8;
  return type == ElementType::f32 ? 4 : 2;
}

template <class Function>
Function as_function(const void* address) {
  return reinterpret_cast<Function>(const_cast<void*>(address));
}

}  // namespace

template <class... Parameters>
Runtime::Status* Runtime::call(std::size_t place, Parameters... parameters) const {
  return as_function<Status* (*)(Parameters...)>(table_[place])(parameters...);
}

template <class Object>
void Runtime::release(std::size_t place, Object* object) const {
  as_function<void (*)(Object*)>(table_[place])(object);
}

void Runtime::check(Status* status) const {
  if (status == nullptr) return;
  constexpr int not_implemented = 9, invalid_graph = 10;
  const int code = as_function<int (*)(const Status*)>(table_[slot::get_error_code])(status);
  const std::string message =
      as_function<const char* (*)(const Status*)>(table_[slot::get_error_message])(status);
  release(slot::release_status, status);
  throw RuntimeError(message, code == not_implemented || code == invalid_graph);
}

Runtime::Runtime(const char* library_path) {
  // Later versions report their use over the network, and each session to a file, unless told otherwise here.
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  void* library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw RuntimeError(dlerror(), false);
  const auto get_base = as_function<const ApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
  if (get_base == nullptr) throw RuntimeError("no OrtGetApiBase", false);
  constexpr std::uint32_t api_version = 12;
  version_ = get_base()->get_version;
  table_ = get_base()->get_api(api_version);
  if (table_ == nullptr) throw RuntimeError("too old", false);

  // Only fatal messages: a refused model is reported by its status.
  constexpr int fatal = 4, no_optimizations = 0, one_thread = 1, arena_allocator = 1, default_memory = 0;
  check(call(slot::create_env, fatal, "layer_norm", &environment_));
  check(call(slot::create_session_options, &options_));
  check(call(slot::set_intra_op_num_threads, options_, one_thread));
  // There is nothing to optimize in one node, and looking for it would take most of the time of a new
  // session.
  check(call(slot::set_session_graph_optimization_level, options_, no_optimizations));
  // One arena for each session would grow with the number of cached sessions.
  check(call(slot::disable_cpu_mem_arena, options_));
  check(call(slot::create_cpu_memory_info, arena_allocator, default_memory, &memory_));
}

std::string Runtime::version() const { return version_(); }

Runtime::Session* Runtime::make_session(const std::string& model) const {
  Session* session = nullptr;
  const void* data = model.data();
  check(call(
      slot::create_session_from_array, static_cast<const Environment*>(environment_), data, model.size(),
      static_cast<const Options*>(options_), &session));
  return session;
}

void Runtime::release(Session* session) const { release(slot::release_session, session); }

// A tensor that refers to an array of the caller.
class Runtime::OwnedValue {
 public:
  OwnedValue(
      const Runtime& runtime, ElementType type, const void* data, const std::int64_t* shape, std::size_t rank)
      : runtime_(runtime) {
    std::size_t bytes = bytes_of(type);
    for (std::size_t k = 0; k < rank; ++k) bytes *= static_cast<std::size_t>(shape[k]);
    runtime_.check(runtime_.call(
        slot::create_tensor_with_data, static_cast<const MemoryInfo*>(runtime_.memory_),
        const_cast<void*>(data), bytes, shape, rank, static_cast<int>(type), &value_));
  }
  OwnedValue(const OwnedValue&) = delete;
  OwnedValue& operator=(const OwnedValue&) = delete;
  ~OwnedValue() { runtime_.release(slot::release_value, value_); }

  Value* get() const { return value_; }

 private:
  const Runtime& runtime_;
  Value* value_ = nullptr;
};

void Runtime::run(
    Session* session, ElementType type, std::size_t rows, std::size_t d, const Argument* inputs,
    std::size_t input_count, void* y) const {
  const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(d)};
  constexpr std::size_t most_inputs = 3;
  std::array<std::unique_ptr<OwnedValue>, most_inputs> owned;
  std::array<const char*, most_inputs> names{};
  std::array<const Value*, most_inputs> values{};
  for (std::size_t k = 0; k < input_count; ++k) {
    const std::size_t rank = inputs[k].matrix ? 2 : 1;
    owned[k] = std::make_unique<OwnedValue>(*this, type, inputs[k].data, shape.data() + (2 - rank), rank);
    names[k] = inputs[k].name;
    values[k] = owned[k]->get();
  }
  const OwnedValue output(*this, type, y, shape.data(), 2);
  const char* const output_name = "y";
  Value* output_value = output.get();
  const void* no_options = nullptr;
  const char* const* input_names = names.data();
  const Value* const* input_values = values.data();
  check(call(
      slot::run, session, no_options, input_names, input_values, input_count, &output_name, std::size_t{1},
      &output_value));
}
