#include "model/contact/box_tree.h"

#include <algorithm>
#include <limits>

namespace strand {
namespace {

constexpr int kCodeBits = 21;  // per axis

// Inserts two zero bits between neighbouring bits of x.
std::uint64_t Spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001F00000000FFFFu;
  x = (x | x << 16) & 0x001F0000FF0000FFu;
  x = (x | x << 8) & 0x100F00F00F00F00Fu;
  x = (x | x << 4) & 0x10C30C30C30C30C3u;
  return (x | x << 2) & 0x1249249249249249u;
}

// Cell of a coordinate in [0, 1]; other values, NaN included, go to a border cell.
std::uint64_t Cell(double x) {
  constexpr double kLast = (1 << kCodeBits) - 1;
  return static_cast<std::uint64_t>(x > 0 ? (x < 1 ? x * kLast : kLast) : 0);
}

}  // namespace

void BoxTree::Build(std::span<const Box> boxes) {
  boxes_ = boxes;
  nodes_.clear();
  Order();
  if (!boxes.empty()) Split(0, static_cast<int>(boxes.size()));
}

void BoxTree::Order() {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Box& box : boxes_) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  const double scale = 1 / (high - low).maxCoeff();  // the same for all axes: cells are cubes
  order_.resize(boxes_.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Vector3 x = (0.5 * (boxes_[i].low + boxes_[i].high) - low) * scale;
    const std::uint64_t code =
        Spread(Cell(x[0])) | Spread(Cell(x[1])) << 1 | Spread(Cell(x[2])) << 2;
    order_[i] = {code, static_cast<int>(i)};
  }
  std::sort(order_.begin(), order_.end());
}

void BoxTree::Split(int begin, int end) {
  const std::size_t at = nodes_.size();
  nodes_.emplace_back();
  if (end - begin == 1) {
    nodes_[at] = {boxes_[order_[begin].second], 0, begin, end};
  } else {
    const int middle = begin + (end - begin) / 2;
    Split(begin, middle);
    const std::size_t right = nodes_.size();
    Split(middle, end);
    const Box &a = nodes_[at + 1].box, &b = nodes_[right].box;
    nodes_[at] = {{a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}, 0, -1, end};
  }
  nodes_[at].skip = static_cast<int>(nodes_.size());
}

}  // namespace strand
