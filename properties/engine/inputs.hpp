// Inputs<W>: the arrays of a case as a law reads them, in its working type.
#pragma once

#include <layer_norm/array.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/case.hpp"

namespace lnverify {

template <class W>
class Inputs {
 public:
  using Row = layer_norm::Row<W>;
  using Matrix = layer_norm::Matrix<W>;

  explicit Inputs(const Case& c) : case_(c) {}

  // The array as a row, of whatever shape.
  Row operator[](std::string_view name) const { return row(required(name)); }
  // A two-axis array; a one-axis array is a matrix of one row.
  Matrix matrix(std::string_view name) const {
    const Array& array = required(name);
    const std::size_t rows = array.axes.size() > 1 ? case_.size(array.axes.front()) : 1;
    const std::size_t cols = case_.size(array.axes.back());
    return Matrix(rows, cols, row(array));
  }
  W scalar(std::string_view name) const { return W(required(name).values.at(0)); }
  // A scalar input that counts or numbers something.
  std::size_t index(std::string_view name) const {
    const double value = required(name).values.at(0);
    return value >= 1 ? static_cast<std::size_t>(value) : 0;
  }
  W eps() const { return scalar("eps"); }
  std::optional<Row> maybe(std::string_view name) const {
    const Array* array = case_.find(name);
    return array == nullptr ? std::nullopt : std::optional<Row>(row(*array));
  }
  std::optional<Row> gain() const { return maybe("gain"); }
  std::optional<Row> bias() const { return maybe("bias"); }
  std::size_t size(const std::string& axis) const { return case_.size(axis); }

 private:
  const Array& required(std::string_view name) const {
    const Array* array = case_.find(name);
    if (array == nullptr) throw std::invalid_argument("the case has no array '" + std::string(name) + "'");
    return *array;
  }
  static Row row(const Array& array) {
    Row result(array.values.size());
    for (std::size_t i = 0; i < array.values.size(); ++i) result[i] = W(array.values[i]);
    return result;
  }

  const Case& case_;
};

}  // namespace lnverify
