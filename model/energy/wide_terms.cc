#include "model/energy/wide_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/energy/rod_loops.h"

namespace strand {
namespace {

// Ratio of two neighbouring joints' stiffnesses up to which they count as a taper. At larger steps
// the curvature itself has a step, over which the terms would be wrong.
constexpr double kTaper = 1.25;

// Joint i, counted on around a closed rod; -1 if there is none.
int JointAt(const RodRest& rest, int i) {
  const int count = rest.joints();
  if (rest.closed) return (i + count) % count;
  return i >= 0 && i < count ? i : -1;
}

// The joints k-2 .. k+1 next to link k; -1 where there is none.
std::array<int, 4> JointsAround(const RodRest& rest, int k) {
  return {JointAt(rest, k - 2), JointAt(rest, k - 1), JointAt(rest, k), JointAt(rest, k + 1)};
}

bool EqualSpans(const RodRest& rest, int a, int b) {
  if (a < 0 || b < 0) return false;
  return EquallyLong(rest.joint[a].voronoi_length, rest.joint[b].voronoi_length);
}

bool Alike(const RodRest& rest, std::span<const RodStiffness> stiffness, int a, int b) {
  if (!EqualSpans(rest, a, b)) return false;
  for (int j = 0; j < 2; ++j) {
    const double first = stiffness[a].EI[j], second = stiffness[b].EI[j];
    if (std::max(first, second) > kTaper * std::min(first, second)) return false;
  }
  return true;
}

// Softness of the two outermost joints at an end, the first of them a half joint if the rod is
// clamped at its node there. The work of a moment M and a virtual moment m is the integral of M m,
// here the sum over the joints. At an end both differ by multiples of l^2 (M m)', as the terms of
// the turns' changes do there; with these factors all of them cancel for moments that are
// proportional to each other. At a free end both moments vanish.
void SoftenEnd(int first, int step, bool clamped, std::span<const RodStiffness> stiffness,
               RodRest* rest) {
  const int whole = first + (clamped ? step : 0);
  const int last = whole + 2 * step;
  if (last < 0 || last >= rest->joints() || !Alike(*rest, stiffness, whole, whole + step) ||
      !Alike(*rest, stiffness, whole + step, last)) {
    return;
  }
  if (!clamped) {
    rest->softness[first] = 13. / 12;
    rest->softness[first + step] = 11. / 12;
    return;
  }
  // A half joint softer than its neighbour contains a spring in series, which keeps its stiffness.
  const auto &half = stiffness[first].EI, &EI = stiffness[whole].EI;
  const double share = 0.5 * (half[0] / EI[0] + half[1] / EI[1]);
  if (share > kTaper) return;
  rest->softness[first] = 1 - share / 12;
  rest->softness[whole] = 25. / 24;
}

// Softens the joints at the ends, and on either side of junctions, over which the moment has a
// step.
void SoftenEnds(std::span<const RodStiffness> stiffness, RodRest* rest) {
  const int last = rest->links() - 1;
  if (!rest->closed) {
    SoftenEnd(0, 1, rest->length[0] == 0, stiffness, rest);
    SoftenEnd(rest->joints() - 1, -1, rest->length[last] == 0, stiffness, rest);
  }
  for (int k = 1; k < last; ++k) {
    if (rest->length[k] > 0) continue;
    SoftenEnd(k - 1, -1, true, stiffness, rest);
    SoftenEnd(k, 1, true, stiffness, rest);
  }
}

// Terms at link k, once softness is known.
WideLink TermsAt(const RodRest& rest, int order, std::span<const RodStiffness> stiffness, int k) {
  WideLink link;
  const auto [outer_before, before, after, outer_after] = JointsAround(rest, k);
  for (int m = 0; const int joint : {before, after, outer_after}) {
    link.firmness[m++] = joint < 0 ? 0 : 1 / rest.softness[joint];
  }
  if (rest.length[k] == 0 || !EqualSpans(rest, before, after)) return link;
  const bool far = EqualSpans(rest, outer_before, before) && EqualSpans(rest, after, outer_after);
  link.holonomy = !far ? kNarrowHolonomy : order == 4 ? kHolonomy4 : kHolonomy6;
  if (!Alike(rest, stiffness, before, after)) return link;
  for (int j = 0; j < 2; ++j) {
    const double EI = 0.5 * (stiffness[before].EI[j] + stiffness[after].EI[j]);
    link.change[j] = EI / rest.joint[after].voronoi_length;
  }
  if (order == 6 && rest.isotropic_straight && Alike(rest, stiffness, after, outer_after)) {
    link.second_change = stiffness[after].EI[0] / rest.joint[after].voronoi_length;
  }
  return link;
}

// Copies links of a rod and their neighbours into a block. Halves of links are turned by the
// material that joins them: all directions are in the axes of the near half at which the block
// starts, and each cut since then turns by near far^T.
class BlockCopy {
 public:
  BlockCopy(const RodRest& rest, const RodFrames& frames, int first) : rest_(rest) {
    block.first = first;
    block.count = std::min(kBlockLinks, rest.links() - first);
    CopyDirections(frames);
  }

  // From the twists of the joints.
  void SetMoments(std::span<const double> twists) {
    for (int j : {0, 1}) block.moment[j] = 0;
    std::fill(block.moment + block.count, std::end(block.moment), 0.0);
    InRuns(rest_.joints(), 3, [&](int entry, int joint, int count) {
      for (int j = 0; j < count; ++j) {
        block.moment[entry + j] = TwistMoment(rest_.joint[joint + j].twist, twists[joint + j]);
      }
    });
  }

  void AddCouples(std::span<Vector3> couples) const {
    int passed = 0;
    InRuns(rest_.joints(), 3, [&](int entry, int joint, int count) {
      for (const int end = entry + count; entry < end;) {
        while (passed < cuts_ && cut_[passed].entry <= entry) ++passed;
        const int run_end = passed < cuts_ ? std::min(end, cut_[passed].entry) : end;
        const Frame back = passed ? Frame(cut_[passed - 1].carry.transpose()) : whole_;
        for (; entry < run_end; ++entry, ++joint) {
          couples[joint] += back * Vector3(block.couple[0][entry], block.couple[1][entry],
                                           block.couple[2][entry]);
        }
      }
    });
  }

  // `holonomy`: by entries, 0 of links outside the block.
  void CorrectTwists(std::span<const double, WideBlock::kReach> holonomy,
                     std::span<double> twists) const {
    InRuns(rest_.joints(), 3, [&](int entry, int joint, int count) {
      for (int j = 0; j < count; ++j) {
        twists[joint + j] -= 0.5 * (holonomy[entry + j] + holonomy[entry + j + 1]);
      }
    });
  }

  WideBlock block;

 private:
  struct Cut {
    int entry;    // of the link
    Frame carry;  // from the axes of its far half to those of all directions
  };

  // Calls visit(entry, index, count) for the existing links, or joints, of the block and its
  // neighbours, where they follow each other. There are `size` of the rod, and `around` more than
  // the block's own next to it.
  template <class Visit>
  void InRuns(int size, int around, const Visit& visit) const {
    const int before = block.first - 2;
    for (int j = rest_.closed ? 0 : std::max(0, -before); j < block.count + around;) {
      const int index = rest_.closed ? (before + j + size) % size : before + j;
      if (index >= size) return;
      const int count = std::min(block.count + around - j, size - index);
      visit(j, index, count);
      j += count;
    }
  }

  // From the axes of the links after the last cut to those of all directions.
  const Frame& carry() const { return cuts_ ? cut_[cuts_ - 1].carry : whole_; }

  // An end link stands in place of those beyond it, so that these turn by nothing.
  void CopyDirections(const RodFrames& frames) {
    int begin = -1, end = 0;
    InRuns(rest_.links(), 4, [&](int entry, int link, int count) {
      if (begin < 0) begin = entry;
      end = entry + count;
      auto cut = std::ranges::lower_bound(frames.halved, link);
      for (const Frame* near = &frames.near[link]; entry < end;) {
        const bool ends_in_cut = cut != frames.halved.end() && *cut - link < count;
        const int run = ends_in_cut ? *cut + 1 - link : count;
        ChooseRodLoops().directions({near, static_cast<size_t>(run)}, carry(), entry, &block);
        entry += run, link += run, count -= run, near += run;
        if (!ends_in_cut) continue;
        AddCut(entry - 1, frames.near[*cut] * frames.far[*cut].transpose());
        ++cut;
      }
    });
    for (auto& numbers : block.direction) {
      std::fill(numbers, numbers + begin, numbers[begin]);
      std::fill(numbers + end, std::end(numbers), numbers[end - 1]);
    }
  }

  void AddCut(int entry, const Frame& turn) {
    const Frame turned = carry() * turn;
    cut_[cuts_++] = {entry, turned};
  }

  const RodRest& rest_;
  const Frame whole_ = Frame::Identity();
  int cuts_ = 0;
  std::array<Cut, WideBlock::kReach> cut_;
};

}  // namespace

bool EquallyLong(double a, double b) {
  constexpr double kSpread = 0.01;
  return std::abs(a - b) <= kSpread * std::min(a, b);
}

void SetWideTerms(int order, std::span<const RodStiffness> stiffness, RodRest* rest) {
  rest->wide = WideLinks(rest->links());
  if (rest->closed && rest->links() < 6) return;
  SoftenEnds(stiffness, rest);
  for (int i = 0; i < rest->joints(); ++i) {
    for (double& bend : rest->joint[i].bend.stiffness) bend /= rest->softness[i];
  }
  for (int k = 0; k < rest->links(); ++k) {
    rest->wide.Set(k, TermsAt(*rest, order, stiffness, k));
  }
}

void CorrectTwists(const RodRest& rest, const RodFrames& frames, std::span<double> twists) {
  if (rest.wide.empty()) return;
  for (int first = 0; first < rest.links(); first += kBlockLinks) {
    const BlockCopy links(rest, frames, first);
    double holonomy[WideBlock::kReach] = {};
    ChooseRodLoops().holonomy(rest.wide, links.block, holonomy + 2);
    links.CorrectTwists(holonomy, twists);
  }
}

double AddWideTerms(const RodRest& rest, const RodFrames& frames, std::span<const double> twists,
                    std::span<Vector3> couples) {
  double energy = 0;
  for (int first = 0; first < rest.links(); first += kBlockLinks) {
    BlockCopy links(rest, frames, first);
    links.SetMoments(twists);
    energy +=
        ChooseRodLoops().turns(rest.wide, rest.isotropic_straight, !couples.empty(), &links.block);
    if (!couples.empty()) links.AddCouples(couples);
  }
  if (rest.isotropic_straight) return energy;
  return energy + ChooseRodLoops().curvature_changes(rest, frames, twists, couples);
}

}  // namespace strand
