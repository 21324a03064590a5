// OpenCV's MVN layer (mean and variance normalization), f32 forward. It has no gain and no bias of its own:
// where they are given, cv::multiply and cv::add follow, as in a network that is imported into OpenCV.
#include <layer_norm/kernel.h>

#include <limits>
#include <opencv2/dnn.hpp>
#include <opencv2/dnn/all_layers.hpp>
#include <string>
#include <vector>

namespace {

// Rows are the channels of one picture that is d wide.
cv::Mat picture(std::size_t rows, std::size_t d, const float* data) {
  const int sizes[] = {1, static_cast<int>(rows), 1, static_cast<int>(d)};
  return cv::Mat(4, sizes, CV_32F, const_cast<float*>(data));
}

cv::Mat vector(std::size_t d, const float* data) {
  return cv::Mat(1, static_cast<int>(d), CV_32F, const_cast<float*>(data));
}

void normalize(std::size_t rows, std::size_t d, const float* z, float eps, float* y) {
  cv::dnn::LayerParams parameters;
  parameters.set("normalize_variance", true);
  parameters.set("across_channels", false);
  parameters.set("eps", static_cast<double>(eps));
  const cv::Ptr<cv::dnn::MVNLayer> layer = cv::dnn::MVNLayer::create(parameters);
  std::vector<cv::Mat> inputs{picture(rows, d, z)}, outputs{picture(rows, d, y)}, internals;
  cv::OutputArrayOfArrays results = outputs;  // picks the overloads that are not deprecated
  layer->finalize(cv::InputArrayOfArrays(inputs), results);
  layer->forward(cv::InputArrayOfArrays(inputs), results, internals);
}

void forward(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  cv::setNumThreads(1);
  normalize(rows, d, z, eps, y);
  for (std::size_t t = 0; t < rows; ++t) {
    cv::Mat row = vector(d, y + t * d);
    if (gain != nullptr) cv::multiply(row, vector(d, gain), row);
    if (bias != nullptr) cv::add(row, vector(d, bias), row);
  }
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (rows > most || d > most) return 1;
  if (rows == 0) return 0;
  try {
    forward(rows, d, z, gain, bias, eps, y);
    return 0;
  } catch (...) {
    return -1;
  }
}

const char* layer_norm_kernel_name(void) {
  static const std::string name = "OpenCV " + cv::getVersionString() + " MVN";
  return name.c_str();
}
