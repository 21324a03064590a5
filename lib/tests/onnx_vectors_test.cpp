// The published test vectors of ONNX's operator LayerNormalization: their expected outputs lie within our
// bounds of the exact results, so their truth and ours agree.
//
// The files are protocol buffers; the few fields that matter are read by hand. Needs the Debian package
// libonnx-testdata and is skipped without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <layer_norm/error_bound.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace layer_norm {
namespace {

namespace fs = std::filesystem;

const fs::path vectors = LAYER_NORM_ONNX_VECTORS;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

float float_from(std::string_view bytes) {
  float value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// One field of a message: a number (wire type 0), or bytes (wire types 1, 2 and 5).
struct Field {
  std::uint64_t number = 0;
  std::uint64_t integer = 0;
  std::string_view bytes;
};

std::uint64_t take_varint(std::string_view& message) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(message.at(0));
    message.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  throw std::runtime_error("a number of more than 64 bits");
}

std::vector<Field> fields(std::string_view message) {
  std::vector<Field> result;
  while (!message.empty()) {
    const std::uint64_t key = take_varint(message);
    Field field{.number = key >> 3U, .bytes = {}};
    const std::uint64_t type = key & 7U;
    if (type == 0) {
      field.integer = take_varint(message);
    } else {
      const std::uint64_t length = type == 2 ? take_varint(message) : type == 1 ? 8 : 4;
      if (length > message.size()) throw std::runtime_error("a field that is longer than its message");
      field.bytes = message.substr(0, length);
      message.remove_prefix(length);
    }
    result.push_back(field);
  }
  return result;
}

// TensorProto: dims = 1 (int64), data_type = 2 (1 is float), raw_data = 9.
struct Tensor {
  std::vector<std::size_t> sizes;
  Row<double> values;
};

Tensor tensor(const fs::path& path) {
  const std::string message = contents(path);
  Tensor result;
  for (const Field& field : fields(message)) {
    // Repeated integers come one by one or packed into bytes.
    if (field.number == 1 && field.bytes.empty()) result.sizes.push_back(field.integer);
    for (std::string_view packed = field.bytes; field.number == 1 && !packed.empty();)
      result.sizes.push_back(take_varint(packed));
    if (field.number == 2 && field.integer != 1) throw std::runtime_error(path.string() + ": not float");
    if (field.number != 9) continue;
    result.values = Row<double>(field.bytes.size() / sizeof(float));
    for (std::size_t i = 0; i < result.values.size(); ++i)
      result.values[i] =
          static_cast<double>(float_from(field.bytes.substr(i * sizeof(float), sizeof(float))));
  }
  const std::size_t count =
      std::accumulate(result.sizes.begin(), result.sizes.end(), std::size_t{1}, std::multiplies<>());
  if (result.values.size() != count)
    throw std::runtime_error(path.string() + ": another size than its shape");
  return result;
}

struct Attributes {
  std::int64_t axis = -1;
  double epsilon = static_cast<double>(1e-5F);
};

// ModelProto: graph = 7; GraphProto: node = 1; NodeProto: attribute = 5; AttributeProto: name = 1, f = 2, i
// = 3. Nothing if the model is not the one operator alone.
std::optional<Attributes> attributes(const fs::path& path) {
  const std::string message = contents(path);
  const auto inner = [](std::string_view outer, std::uint64_t number) {
    std::vector<std::string_view> found;
    for (const Field& field : fields(outer))
      if (field.number == number) found.push_back(field.bytes);
    return found;
  };
  const std::vector<std::string_view> nodes = inner(inner(message, 7).at(0), 1);
  constexpr std::uint64_t op_type = 4;
  if (nodes.size() != 1 || inner(nodes[0], op_type).at(0) != "LayerNormalization") return std::nullopt;
  Attributes result;
  for (const std::string_view attribute : inner(nodes[0], 5)) {
    const std::string_view name = inner(attribute, 1).at(0);
    for (const Field& field : fields(attribute)) {
      if (name == "axis" && field.number == 3) result.axis = static_cast<std::int64_t>(field.integer);
      if (name == "epsilon" && field.number == 2)
        result.epsilon = static_cast<double>(float_from(field.bytes));
    }
  }
  return result;
}

std::size_t product(const std::vector<std::size_t>& sizes, std::size_t first, std::size_t last) {
  std::size_t result = 1;
  for (std::size_t i = first; i < last; ++i) result *= sizes[i];
  return result;
}

// A mean in float is off by at most (d + 5)/2 roundoffs of M. 1/sigma is off by a factor within (d/2 + 6) of
// 1, and by what that error of the mean moves sigma, a multiple of the condition number M / sigma.
void expect_statistics(const Statistics<double>& s, double mean, double rstd) {
  const double roundoffs = roundoff_count(s.core.size()) * f32_format().unit_roundoff;
  EXPECT_LE(std::abs(mean - s.mean), roundoffs * s.max_abs);
  EXPECT_LE(std::abs(rstd - 1 / s.sigma), roundoffs * (1 + s.max_abs / s.sigma) / s.sigma);
}

// How many numbers of this vector were compared.
std::size_t check_vector(const fs::path& folder, const Attributes& attributes) {
  const fs::path data = folder / "test_data_set_0";
  const Tensor x = tensor(data / "input_0.pb");
  const std::size_t axis = static_cast<std::size_t>(
      attributes.axis < 0 ? attributes.axis + static_cast<std::int64_t>(x.sizes.size()) : attributes.axis);
  const std::size_t rows = product(x.sizes, 0, axis);
  const std::size_t d = product(x.sizes, axis, x.sizes.size());
  const Matrix<double> z(rows, d, x.values);
  const Row<double> gain = tensor(data / "input_1.pb").values;
  const Row<double> bias = tensor(data / "input_2.pb").values;
  const Matrix<double> y(rows, d, tensor(data / "output_0.pb").values);
  const Row<double> mean = tensor(data / "output_1.pb").values;
  const Row<double> rstd = tensor(data / "output_2.pb").values;
  for (std::size_t t = 0; t < rows; ++t) {
    const Statistics<double> s = statistics(z.row(t), attributes.epsilon);
    const Row<double> bound =
        forward_bound(s, gain, bias, uniform_precision(f32_format()), roundoff_count(d), Range::stated);
    for (std::size_t i = 0; i < d; ++i)
      EXPECT_LE(std::abs(y(t, i) - (gain[i] * s.core[i] + bias[i])), bound[i])
          << "y of row " << t << ", " << i;
    expect_statistics(s, mean[t], rstd[t]);
  }
  return y.values().size() + mean.size() + rstd.size();
}

TEST(OnnxVectors, LieWithinTheBounds) {
  if (!fs::exists(vectors)) GTEST_SKIP() << "libonnx-testdata: not installed";
  std::size_t checked = 0;
  std::size_t numbers = 0;
  for (const auto& entry : fs::directory_iterator(vectors)) {
    const std::string name = entry.path().filename().string();
    if (name.find("layer_normalization") == std::string::npos) continue;
    SCOPED_TRACE(name);
    // "..._expanded" is the same operator spelled out in others: axis and epsilon are those of its original.
    const std::string original = name.substr(0, name.find("_expanded"));
    const auto found = attributes(vectors / original / "model.onnx");
    ASSERT_TRUE(found) << "not a model of one LayerNormalization";
    ++checked;
    numbers += check_vector(entry.path(), *found);
  }
  std::printf("%zu vectors, %zu numbers\n", checked, numbers);
  EXPECT_GE(checked, 38u);
}

}  // namespace
}  // namespace layer_norm
