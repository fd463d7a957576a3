// SPDX-License-Identifier: MIT
// A dense rectangular table: the relations of small universes.
#pragma once

#include <cstddef>
#include <vector>

namespace isomer {

template <class Cell>
class Matrix {
 public:
  Matrix() = default;

  Matrix(std::size_t rows, std::size_t columns, Cell fill)
      : rows_(rows), columns_(columns), cells_(rows * columns, fill) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }

  [[nodiscard]] std::size_t columns() const { return columns_; }

  [[nodiscard]] Cell& operator()(std::size_t row, std::size_t column) {
    return cells_[row * columns_ + column];
  }

  [[nodiscard]] const Cell& operator()(std::size_t row, std::size_t column) const {
    return cells_[row * columns_ + column];
  }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace isomer
