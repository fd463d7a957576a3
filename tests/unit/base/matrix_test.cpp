// SPDX-License-Identifier: MIT
#include "base/matrix.h"

#include <gtest/gtest.h>

namespace isomer {
namespace {

TEST(Matrix, begins_empty) {
  const Matrix<int> matrix;
  EXPECT_EQ(matrix.rows(), 0U);
  EXPECT_EQ(matrix.columns(), 0U);
}

TEST(Matrix, is_filled_with_what_was_given) {
  const Matrix<int> matrix(2, 3, 7);
  EXPECT_EQ(matrix.rows(), 2U);
  EXPECT_EQ(matrix.columns(), 3U);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_EQ(matrix(row, column), 7);
}

TEST(Matrix, every_place_has_a_cell_of_its_own) {
  Matrix<int> matrix(3, 2, 0);
  int next = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 2; ++column)
      matrix(row, column) = ++next;
  const Matrix<int>& written = matrix;
  next = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 2; ++column)
      EXPECT_EQ(written(row, column), ++next);
}

TEST(Matrix, equal_means_shape_and_cells) {
  EXPECT_EQ(Matrix<int>(2, 3, 1), Matrix<int>(2, 3, 1));
  EXPECT_NE(Matrix<int>(2, 3, 1), Matrix<int>(3, 2, 1));
  EXPECT_NE(Matrix<int>(2, 3, 1), Matrix<int>(2, 3, 0));
}

}  // namespace
}  // namespace isomer
