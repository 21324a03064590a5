// Half and bfloat16: sums, squares and means kept in the storage type instead of float.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* in_half = "half accumulation";

struct SquareInHalf : Honest<SquareInHalf> {
  static constexpr Entry entry{
      "square_in_f16", in_half, "each squared deviation is rounded to f16: 256 squared is infinite",
      "onnxruntime#29034"};
  static float variance(const Row<float>& z, float mean, const Place<float>& p) {
    Row<float> squares = z - mean;
    for (float& v : squares) v = F16::round(v * v);
    return total(squares) / p.n;
  }
};

template <class Storage>
struct SumInHalf : Honest<SumInHalf<Storage>> {
  static float mean(const Row<float>& z, const Place<float>& p) {
    float sum = 0;
    for (const float x : z) sum = Storage::round(sum + x);
    return sum / p.n;
  }
};
struct SumInF16 : SumInHalf<F16> {
  static constexpr Entry entry{
      "sum_in_f16", in_half, "the running sum of the mean is kept in f16", "pytorch#66707"};
};
struct SumInBf16 : SumInHalf<BF16> {
  static constexpr Entry entry{
      "sum_in_bf16", in_half, "the running sum of the mean is kept in bf16", "pytorch#66707"};
};

struct MeanInHalf : Honest<MeanInHalf> {
  static constexpr Entry entry{
      "mean_in_f16", in_half, "the mean is stored in f16 before it is subtracted", "pytorch#66707"};
  static float mean(const Row<float>& z, const Place<float>& p) { return F16::round(Honest::mean(z, p)); }
};

struct MeanInBf16 : Honest<MeanInBf16> {
  static constexpr Entry entry{
      "mean_in_bf16", in_half, "the mean is stored in bf16 before it is subtracted", "pytorch#66707"};
  static float mean(const Row<float>& z, const Place<float>& p) { return BF16::round(Honest::mean(z, p)); }
};

struct SquaresSumInBf16 : Honest<SquaresSumInBf16> {
  static constexpr Entry entry{"squares_sum_in_bf16", in_half, "the running sum of squares is kept in bf16",
                               "onnxruntime#29034",   "",      false};
  static float variance(const Row<float>& z, float mean, const Place<float>& p) {
    float sum = 0;
    for (const float x : z) sum = BF16::round(sum + (x - mean) * (x - mean));
    return sum / p.n;
  }
};

template <class Storage>
struct ParametersInHalf : Honest<ParametersInHalf<Storage>> {
  static float added(float sum, float term, const Place<float>&) { return Storage::round(sum + term); }
};
struct ParametersInF16 : ParametersInHalf<F16> {
  static constexpr Entry entry{
      "parameter_gradients_in_f16", in_half, "dgain and dbias are summed over the rows in f16",
      "onnxruntime#29034"};
};
struct ParametersInBf16 : ParametersInHalf<BF16> {
  static constexpr Entry entry{
      "parameter_gradients_in_bf16", in_half, "dgain and dbias are summed over the rows in bf16",
      "pytorch#66707"};
};

struct EpsilonInHalf : Honest<EpsilonInHalf> {
  static constexpr Entry entry{
      "epsilon_in_f16", "epsilon vanishes in half", "epsilon is rounded to f16 before it is added",
      "DeepSpeed#581"};
  static float sigma(float q, const Place<float>& p) { return std::sqrt(q + F16::round(p.eps)); }
};

}  // namespace

std::vector<Mutant> half_accumulation() {
  return {wrong_forward<SquareInHalf, F16>(),     wrong_forward<SumInF16, F16>(),
          wrong_forward<SumInBf16, BF16>(),       wrong_forward<MeanInHalf, F16>(),
          wrong_forward<MeanInBf16, BF16>(),      wrong_forward<SquaresSumInBf16, BF16>(),
          wrong_backward<ParametersInF16, F16>(), wrong_backward<ParametersInBf16, BF16>(),
          wrong_forward<EpsilonInHalf, F16>()};
}

}  // namespace lnverify::mutants
