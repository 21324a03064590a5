// oneDNN's layer normalization, f32 forward and backward, on the CPU.
//
// Statistics are oneDNN's own in both directions: the backward pass runs a forward training pass first. Scale
// and shift are switched on only where gain and bias are given, so that the plain paths are tested too.
#include <dlfcn.h>
#include <layer_norm/kernel.h>

#include <cstring>
#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace {

using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;
using Forward = dnnl::layer_normalization_forward;
using Backward = dnnl::layer_normalization_backward;

// What a primitive is compiled for.
struct Shape {
  prop_kind kind;
  memory::dim rows, d;
  float eps;
  bool scale, shift;

  auto key() const {
    std::uint32_t eps_bits;
    std::memcpy(&eps_bits, &eps, sizeof eps_bits);
    return std::tuple(static_cast<int>(kind), rows, d, eps_bits, scale, shift);
  }
  normalization_flags flags() const {
    return (scale ? normalization_flags::use_scale : normalization_flags::none) |
           (shift ? normalization_flags::use_shift : normalization_flags::none);
  }
  memory::desc matrix() const { return {{rows, d}, memory::data_type::f32, memory::format_tag::ab}; }
  memory::desc vector() const { return {{d}, memory::data_type::f32, memory::format_tag::a}; }
  memory::desc statistics() const { return {{rows}, memory::data_type::f32, memory::format_tag::a}; }
};

// The engine, and primitives that have been used lately: making one takes milliseconds, running one
// microseconds.
class Machine {
 public:
  Machine() : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) { use_one_thread(); }

  const dnnl::primitive& primitive(const Shape& shape) {
    constexpr std::size_t most_primitives = 64;
    if (const auto found = primitives_.find(shape.key()); found != primitives_.end()) return found->second;
    if (primitives_.size() >= most_primitives) primitives_.clear();
    return primitives_.emplace(shape.key(), make(shape)).first->second;
  }

  memory wrap(const memory::desc& desc, const float* data) const {
    return memory(desc, engine_, const_cast<float*>(data));
  }

  void run(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
    primitive.execute(stream_, arguments);
    stream_.wait();
  }

 private:
  // By name, since oneDNN may have been built for another threading library.
  static void use_one_thread() {
    void* openmp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (openmp == nullptr) return;
    const auto set = reinterpret_cast<void (*)(int)>(dlsym(openmp, "omp_set_num_threads"));
    if (set != nullptr) set(1);
  }

  dnnl::primitive make(const Shape& s) const {
    const bool backward = s.kind == prop_kind::backward || s.kind == prop_kind::backward_data;
    const prop_kind forward_kind = backward ? prop_kind::forward_training : s.kind;
    const Forward::primitive_desc forward(
        {forward_kind, s.matrix(), s.statistics(), s.eps, s.flags()}, engine_);
    if (!backward) return Forward(forward);
    return Backward(Backward::primitive_desc(
        {s.kind, s.matrix(), s.matrix(), s.statistics(), s.eps, s.flags()}, engine_, forward));
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  std::map<decltype(Shape{}.key()), dnnl::primitive> primitives_;
};

Machine& machine() {
  static Machine instance;
  return instance;
}

// Runs `work`; a refusal by oneDNN becomes "not supported", any other error "failed".
template <class Work>
int guarded(const Work& work) {
  try {
    work();
    return 0;
  } catch (const dnnl::error& error) {
    const bool refused = error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments;
    return refused ? 1 : -1;
  } catch (...) {
    return -1;
  }
}

void forward(const Shape& s, const float* z, const float* gain, const float* bias, float* y) {
  Machine& m = machine();
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, m.wrap(s.matrix(), z)}, {DNNL_ARG_DST, m.wrap(s.matrix(), y)}};
  if (s.scale) arguments.emplace(DNNL_ARG_SCALE, m.wrap(s.vector(), gain));
  if (s.shift) arguments.emplace(DNNL_ARG_SHIFT, m.wrap(s.vector(), bias));
  m.run(m.primitive(s), arguments);
}

// The two statistics that oneDNN's forward training pass leaves for the backward pass.
struct Statistics {
  std::vector<float> mean, variance;
};

Statistics statistics(Shape s, const float* z, const float* gain, const float* bias) {
  Machine& m = machine();
  s.kind = prop_kind::forward_training;
  const auto rows = static_cast<std::size_t>(s.rows);
  Statistics result{std::vector<float>(rows), std::vector<float>(rows)};
  std::vector<float> unused(rows * static_cast<std::size_t>(s.d));
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, m.wrap(s.matrix(), z)},
      {DNNL_ARG_DST, m.wrap(s.matrix(), unused.data())},
      {DNNL_ARG_MEAN, m.wrap(s.statistics(), result.mean.data())},
      {DNNL_ARG_VARIANCE, m.wrap(s.statistics(), result.variance.data())}};
  if (s.scale) arguments.emplace(DNNL_ARG_SCALE, m.wrap(s.vector(), gain));
  if (s.shift) arguments.emplace(DNNL_ARG_SHIFT, m.wrap(s.vector(), bias));
  m.run(m.primitive(s), arguments);
  return result;
}

// oneDNN gives both parameter gradients or neither, always dz, and takes a scale only where it gives both:
// what is not wanted goes to scratch memory.
void backward(
    Shape s, const float* z, const float* gain, const float* dy, float* dz, float* dgain, float* dbias) {
  Machine& m = machine();
  const auto d = static_cast<std::size_t>(s.d);
  const bool parameters = gain != nullptr || dgain != nullptr || dbias != nullptr;
  s.kind = parameters ? prop_kind::backward : prop_kind::backward_data;
  s.scale = s.shift = parameters;
  const std::vector<float> ones(gain == nullptr ? d : 0, 1.0f), zeros(d, 0.0f);
  std::vector<float> no_dz(dz == nullptr ? static_cast<std::size_t>(s.rows) * d : 0), no_dgain(d),
      no_dbias(d);
  if (gain == nullptr) gain = ones.data();

  const Statistics found = statistics(s, z, gain, zeros.data());
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, m.wrap(s.matrix(), z)},
      {DNNL_ARG_MEAN, m.wrap(s.statistics(), found.mean.data())},
      {DNNL_ARG_VARIANCE, m.wrap(s.statistics(), found.variance.data())},
      {DNNL_ARG_DIFF_DST, m.wrap(s.matrix(), dy)},
      {DNNL_ARG_DIFF_SRC, m.wrap(s.matrix(), dz == nullptr ? no_dz.data() : dz)}};
  if (parameters) {
    arguments.emplace(DNNL_ARG_SCALE, m.wrap(s.vector(), gain));
    arguments.emplace(DNNL_ARG_SHIFT, m.wrap(s.vector(), zeros.data()));
    arguments.emplace(DNNL_ARG_DIFF_SCALE, m.wrap(s.vector(), dgain == nullptr ? no_dgain.data() : dgain));
    arguments.emplace(DNNL_ARG_DIFF_SHIFT, m.wrap(s.vector(), dbias == nullptr ? no_dbias.data() : dbias));
  }
  m.run(m.primitive(s), arguments);
}

Shape shape(prop_kind kind, std::size_t rows, std::size_t d, float eps, bool scale, bool shift) {
  return {kind, static_cast<memory::dim>(rows), static_cast<memory::dim>(d), eps, scale, shift};
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (rows == 0) return 0;
  const Shape s = shape(prop_kind::forward_inference, rows, d, eps, gain != nullptr, bias != nullptr);
  return guarded([&] { forward(s, z, gain, bias, y); });
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  // A convention of this adapter: oneDNN leaves the parameter gradients of an empty batch unwritten.
  if (rows == 0) {
    if (dgain != nullptr) std::memset(dgain, 0, d * sizeof *dgain);
    if (dbias != nullptr) std::memset(dbias, 0, d * sizeof *dbias);
    return 0;
  }
  const Shape s = shape(prop_kind::backward, rows, d, eps, false, false);
  return guarded([&] { backward(s, z, gain, dy, dz, dgain, dbias); });
}

const char* layer_norm_kernel_name(void) {
  static const std::string name = [] {
    const dnnl_version_t* v = dnnl::version();
    return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." +
           std::to_string(v->patch);
  }();
  return name.c_str();
}
