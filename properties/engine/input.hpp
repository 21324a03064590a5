// Inputs: what a law asks for, and how each is drawn.
//
// A law lists its inputs in the order in which they are drawn. Sizes belong to axes: "d" (coordinates of a
// case), "rows" (cases of a batch), "n" (width of the layer before). Most laws need only the functions below;
// a law with a need of its own passes a function from a draw to the values of an array.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/case.hpp"
#include "engine/draw.hpp"
#include "engine/grid.hpp"

namespace lnverify {

struct Family;

// What a drawing function may look at: the grid, the family of the case, and the arrays drawn so far.
struct DrawContext {
  const Grid& grid;
  const Family& family;
  const Case& so_far;
  std::size_t size(const std::string& axis) const { return so_far.size(axis); }
};

using DrawFunction = std::function<std::vector<double>(Draw&, const DrawContext&)>;

struct Input {
  std::string name;
  std::vector<std::string> axes;
  bool optional = false;  // drawn in three of four cases
  DrawFunction draw;
};

Input row(std::string name);                       // [d], of the family of the case
Input batch(std::string name);                     // [rows, d], each row of the family of the case
Input epsilon();                                   // "eps", often near the variance of the first row
Input gain();                                      // "gain": [d], optional, different in every coordinate
Input bias();                                      // "bias": [d], optional, different in every coordinate
Input gradient(std::string name);                  // [d]: an output gradient, rarely constant
Input gradients(std::string name);                 // [rows, d]: likewise for a batch
Input scalar(std::string name);                    // one number, from tiny to large beside the first row
Input place(std::string name, std::string axis);   // the number of one index along the axis
Input non_finite(std::string name);                // NaN or an infinity
Input scale(std::string name);                     // one power of two, 2^-12 ... 2^12, never 1
Input direction(std::string name);                 // [d], small integers, never all zero
Input vector(std::string name, std::string axis);  // gentle values along another axis
Input matrix(std::string name, std::string row_axis, std::string col_axis);  // gentle values

}  // namespace lnverify
