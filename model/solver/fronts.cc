#include "model/solver/fronts.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace strand {
namespace {

// Node of the elimination tree. Its columns and rows are blocks, numbered by minimum degree until
// the postorder renumbers them.
struct Node {
  std::vector<int> columns, rows, children;  // rows[0] is a column of the parent
  int width = 0, height = 0;                 // unknowns of the columns and the rows
};

// The blocks in the order of approximate minimum degree.
std::vector<int> MinimumDegree(const Pattern::Columns& lower) {
  using Matrix = Eigen::SparseMatrix<double>;
  const std::vector<double> ones(lower.rows.size(), 1.0);
  const Eigen::Index size = static_cast<Eigen::Index>(lower.begin.size()) - 1;
  const Eigen::Map<const Matrix> matrix(size, size, static_cast<Eigen::Index>(ones.size()),
                                        lower.begin.data(), lower.rows.data(), ones.data());
  Eigen::AMDOrdering<int>::PermutationType order;
  if (size > 0) {
    Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Lower>(), order);
  }
  return {order.indices().begin(), order.indices().end()};
}

// Cost of a front in multiply-adds: its elimination, the transfer of its update to the parent, and
// a constant overhead. The coefficients were measured.
double Cost(double width, double rows) {
  const double size = width + rows;
  return width * (size - 0.5 * width) * (size - 0.5 * width) + 3 * size * size + 400;
}

class Tree {
 public:
  Tree(const Pattern::Blocks& blocks, const std::vector<int>& order);
  void Relax();
  std::vector<int> PostOrder();
  std::vector<Node> node;  // empty if absorbed by another

 private:
  void Absorb(int child, int parent);
};

// The rows of a node are those of its column of the matrix and of its children, which are
// eliminated before it (Liu, SIAM Review 34, 1992).
Tree::Tree(const Pattern::Blocks& blocks, const std::vector<int>& order) : node(order.size()) {
  const Pattern::Columns& lower = blocks.lower;
  const int count = static_cast<int>(order.size());
  std::vector<int> place(count), seen(count, -1);
  for (int k = 0; k < count; ++k) place[order[k]] = k;
  for (int c = 0; c < count; ++c) {
    for (int k = lower.begin[c] + 1; k < lower.begin[c + 1]; ++k) {
      const auto [first, last] = std::minmax(place[c], place[lower.rows[k]]);
      node[first].rows.push_back(last);
    }
  }
  for (int j = 0; j < count; ++j) {
    std::vector<int>& rows = node[j].rows;
    for (int r : rows) seen[r] = j;
    for (int child : node[j].children) {
      for (int r : node[child].rows) {
        if (r > j && seen[r] != j) seen[r] = j, rows.push_back(r);
      }
    }
    node[j].columns = {j}, node[j].width = blocks.width(order[j]);
    for (int r : rows) node[j].height += blocks.width(order[r]);
    if (!rows.empty()) {
      std::iter_swap(rows.begin(), std::min_element(rows.begin(), rows.end()));
      node[rows[0]].children.push_back(j);
    }
    for (int child : node[j].children) {
      if (node[child].rows.size() != rows.size() + 1) continue;
      if (node[child].width + node[j].width > Fronts::kWidest) continue;
      Absorb(child, j);
      break;
    }
  }
}

// The parent's rows contain the child's already.
void Tree::Absorb(int child, int parent) {
  Node &from = node[child], &to = node[parent];
  std::erase(to.children, child);
  to.children.insert(to.children.end(), from.children.begin(), from.children.end());
  from.columns.insert(from.columns.end(), to.columns.begin(), to.columns.end());
  to.columns.swap(from.columns);
  to.width += from.width;
  from = {};
}

// Merges fronts where storing a few zeros costs less than a separate front.
void Tree::Relax() {
  for (int j = 0; j < static_cast<int>(node.size()); ++j) {
    const std::vector<int> children = node[j].children;
    for (int child : children) {
      const double width = node[j].width, rows = node[j].height, more = node[child].width;
      if (width + more > Fronts::kWidest) continue;
      const double apart = Cost(width, rows) + Cost(more, node[child].height);
      if (Cost(width + more, rows) < apart) Absorb(child, j);
    }
  }
}

// Of several children, the one with the largest update comes first, so that it is lowest in the
// stack of updates.
std::vector<int> Tree::PostOrder() {
  std::vector<int> order, stack;
  for (int j = 0; j < static_cast<int>(node.size()); ++j) {
    if (!node[j].columns.empty() && node[j].rows.empty()) stack.push_back(j);
  }
  while (!stack.empty()) {  // parents first; reversed at the end
    const int j = stack.back();
    stack.pop_back();
    order.push_back(j);
    std::vector<int>& children = node[j].children;
    std::ranges::stable_sort(children, std::greater(), [&](int c) { return node[c].height; });
    stack.insert(stack.end(), children.begin(), children.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Fronts::Fronts(const Pattern::Blocks& blocks)
    : place(blocks.unknown.size()), front_of(place.size()) {
  const std::vector<int> order = MinimumDegree(blocks.lower);
  Tree tree(blocks, order);
  tree.Relax();
  const std::vector<int> names = tree.PostOrder();
  const auto unknowns = [&](int k) {
    const int block = order[k];
    return std::span(&blocks.unknown[blocks.begin[block]], blocks.width(block));
  };
  int count = 0;
  for (int name : names) {
    const Node& node = tree.node[name];
    Front& of = front.emplace_back();
    of.first = count, of.width = node.width, of.rows = node.height;
    for (int column : node.columns) {
      for (int unknown : unknowns(column)) {
        front_of[count] = static_cast<int>(front.size()) - 1;
        place[unknown] = count++;
      }
    }
  }
  for (std::size_t f = 0; f < front.size(); ++f) {
    front[f].begin = static_cast<int>(row.size());
    std::vector<int>& rows = tree.node[names[f]].rows;
    std::ranges::sort(rows, {}, [&](int r) { return place[unknowns(r)[0]]; });
    for (int r : rows) {
      for (int unknown : unknowns(r)) row.push_back(place[unknown]);
    }
  }
  FindRoom();
  FindSlots();
}

// Updates are a stack: a front's update takes the place of those of its children. If the first
// child has exactly the parent's unknowns and rows as its rows (a wide front that was cut), its
// update stays in place.
void Fronts::FindRoom() {
  struct Room {
    std::size_t begin, end;
    int inset;  // number of lines and columns of the original update that are eliminated
  };
  std::vector<Room> room(front.size());
  std::size_t top = 0;
  for (int f = 0; f < static_cast<int>(front.size()); ++f) {
    Front& of = front[f];
    of.panel = panels;
    panels += static_cast<std::size_t>(of.width) * of.line();
    int first = -1;
    for (int child = of.child; child >= 0; child = front[child].sibling) first = child;
    if (first >= 0) top = room[first].begin;
    of.goes_on = first >= 0 && front[first].rows == of.width + of.rows &&
                 room[first].inset + of.width + of.below() <= front[first].step;
    if (of.goes_on) {
      of.step = front[first].step;
      of.update = front[first].update + static_cast<std::size_t>(of.width) * (of.step + 1);
      room[f] = {top, room[first].end, room[first].inset + of.width};
    } else {
      of.step = of.below(), of.update = top;
      room[f] = {top, top + static_cast<std::size_t>(of.step) * of.step, 0};
      widest = std::max(widest, of.below());
    }
    top = room[f].end;
    updates = std::max(updates, top);
    if (of.rows == 0) continue;
    Front& parent = front[front_of[row[of.begin]]];
    of.sibling = std::exchange(parent.child, f);
  }
}

void Fronts::FindSlots() {
  slot.resize(row.size());
  std::vector<int> slot_of(place.size());
  for (const Front& of : front) {
    for (int k = 0; k < of.width; ++k) slot_of[of.first + k] = k;
    for (int k = 0; k < of.rows; ++k) slot_of[row[of.begin + k]] = of.pivots() + k;
    for (int child = of.child; child >= 0; child = front[child].sibling) {
      Front& from = front[child];
      for (int k = from.begin; k < from.begin + from.rows; ++k) {
        slot[k] = slot_of[row[k]];
        from.inner += row[k] < of.first + of.width;
      }
      FindRuns(&from);
    }
  }
}

void Fronts::FindRuns(Front* of) {
  of->first_run = static_cast<int>(run.size());
  for (int k = 0; k < of->rows; ++k) {
    const int at = slot[of->begin + k];
    if (k == of->inner) of->outer_run = static_cast<int>(run.size());
    if (k > 0 && k != of->inner && slot[of->begin + k - 1] == at - 1) {
      ++run.back().length;
    } else {
      run.push_back({k, at, 1});
    }
  }
  of->last_run = static_cast<int>(run.size());
  if (of->inner == of->rows) of->outer_run = of->last_run;
}

std::size_t Fronts::Place(int r, int c, int* hint) const {
  const Front& of = front[front_of[std::min(r, c)]];
  const int first = std::min(r, c) - of.first, last = std::max(r, c);
  const std::size_t line = of.line();
  if (last < of.first + of.width) return of.panel + line * (r - of.first) + c - of.first;
  const auto fits = [&](int k) {
    return k >= of.begin && k < of.begin + of.rows && row[k] == last;
  };
  if (fits(*hint + 1)) ++*hint;
  if (!fits(*hint)) {
    const auto begin = row.begin() + of.begin;
    *hint = static_cast<int>(std::lower_bound(begin, begin + of.rows, last) - row.begin());
  }
  return of.panel + line * first + of.pivots() + (r > c ? of.below() : 0) + *hint - of.begin;
}

}  // namespace strand
