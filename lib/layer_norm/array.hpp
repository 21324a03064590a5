// Row and Matrix: the two shapes that layer normalization is written in.
//
// A Row<T> is one case (d coordinates of one number type); a Matrix<T> is a batch of rows, a dense Jacobian
// or a weight matrix, row-major. Arithmetic on rows is elementwise; a scalar operand acts on every
// coordinate. Operands of different sizes throw std::invalid_argument naming both sizes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace layer_norm {

template <class T>
class Row {
 public:
  using value_type = T;

  Row() = default;
  explicit Row(std::size_t size, const T& value = T(0)) : values_(size, value) {}
  Row(std::initializer_list<T> values) : values_(values) {}
  template <class Iterator>
  Row(Iterator first, Iterator last) : values_(first, last) {}

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  friend bool operator==(const Row& a, const Row& b) { return a.values_ == b.values_; }

 private:
  std::vector<T> values_;
};

namespace detail {

inline void require_same_size(std::size_t a, std::size_t b) {
  if (a != b) throw std::invalid_argument("sizes differ: " + std::to_string(a) + " and " + std::to_string(b));
}

template <class T, class Op>
Row<T> elementwise(Row<T> a, const Row<T>& b, Op op) {
  require_same_size(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = op(a[i], b[i]);
  return a;
}

template <class T, class Op>
Row<T> elementwise(Row<T> a, Op op) {
  for (T& value : a) value = op(value);
  return a;
}

}  // namespace detail

template <class T>
Row<T> operator+(Row<T> a, const Row<T>& b) {
  return detail::elementwise(std::move(a), b, [](const T& x, const T& y) { return T(x + y); });
}
template <class T>
Row<T> operator-(Row<T> a, const Row<T>& b) {
  return detail::elementwise(std::move(a), b, [](const T& x, const T& y) { return T(x - y); });
}
template <class T>
Row<T> operator*(Row<T> a, const Row<T>& b) {
  return detail::elementwise(std::move(a), b, [](const T& x, const T& y) { return T(x * y); });
}
template <class T>
Row<T> operator+(Row<T> a, const T& s) {
  return detail::elementwise(std::move(a), [&s](const T& x) { return T(x + s); });
}
template <class T>
Row<T> operator-(Row<T> a, const T& s) {
  return detail::elementwise(std::move(a), [&s](const T& x) { return T(x - s); });
}
template <class T>
Row<T> operator*(Row<T> a, const T& s) {
  return detail::elementwise(std::move(a), [&s](const T& x) { return T(x * s); });
}
template <class T>
Row<T> operator*(const T& s, Row<T> a) {
  return std::move(a) * s;
}
template <class T>
Row<T> operator/(Row<T> a, const T& s) {
  return detail::elementwise(std::move(a), [&s](const T& x) { return T(x / s); });
}
template <class T>
Row<T> operator-(Row<T> a) {
  return detail::elementwise(std::move(a), [](const T& x) { return T(-x); });
}

template <class T>
T sum(const Row<T>& a) {
  T total(0);
  for (const T& x : a) total += x;
  return total;
}
template <class T>
T dot(const Row<T>& a, const Row<T>& b) {
  detail::require_same_size(a.size(), b.size());
  T total(0);
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}
template <class T>
T magnitude(const T& x) {
  return x < T(0) ? T(-x) : x;
}
template <class T>
T max_abs(const Row<T>& a) {
  T largest(0);
  for (const T& x : a)
    if (magnitude(x) > largest) largest = magnitude(x);
  return largest;
}
template <class T>
T squared_norm(const Row<T>& a) {
  return dot(a, a);
}

// rows x cols, row-major. A batch of cases is a Matrix whose rows are the cases.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(rows * cols) {}
  Matrix(std::size_t rows, std::size_t cols, Row<T> values)
      : rows_(rows), cols_(cols), values_(std::move(values)) {
    detail::require_same_size(values_.size(), rows * cols);
  }
  static Matrix of_row(const Row<T>& row) { return Matrix(1, row.size(), row); }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T& operator()(std::size_t i, std::size_t j) { return values_[i * cols_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return values_[i * cols_ + j]; }
  const Row<T>& values() const { return values_; }
  Row<T>& values() { return values_; }

  Row<T> row(std::size_t i) const {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(i * cols_);
    return Row<T>(first, first + static_cast<std::ptrdiff_t>(cols_));
  }
  void set_row(std::size_t i, const Row<T>& row) {
    detail::require_same_size(row.size(), cols_);
    for (std::size_t j = 0; j < cols_; ++j) (*this)(i, j) = row[j];
  }
  Row<T> column(std::size_t j) const {
    Row<T> result(rows_);
    for (std::size_t i = 0; i < rows_; ++i) result[i] = (*this)(i, j);
    return result;
  }

  friend bool operator==(const Matrix& a, const Matrix& b) {
    return a.rows_ == b.rows_ && a.cols_ == b.cols_ && a.values_ == b.values_;
  }
  friend Row<T> operator*(const Matrix& m, const Row<T>& x) {
    detail::require_same_size(m.cols_, x.size());
    Row<T> result(m.rows_);
    for (std::size_t i = 0; i < m.rows_; ++i)
      for (std::size_t j = 0; j < m.cols_; ++j) result[i] += m(i, j) * x[j];
    return result;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  Row<T> values_;
};

}  // namespace layer_norm
