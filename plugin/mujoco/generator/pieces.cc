#include "plugin/mujoco/generator/pieces.h"

#include <algorithm>
#include <cmath>

namespace strand::mujoco {
namespace {

constexpr int kFewestInPiece = 2;  // links: a piece needs a whole one, beside its halves

int Rounded(double number) { return static_cast<int>(std::lround(number)); }

// A ring is cut at the same distance before and after link 0.
std::vector<Piece> SplitRing(int links, int count) {
  const int shift = Rounded(0.5 * links / count);
  std::vector<Piece> pieces;
  for (int i = 0; i < count; ++i) {
    const int first = Rounded(1.0 * i * links / count) - shift;
    const int last = Rounded(1.0 * (i + 1) * links / count) - shift;
    pieces.push_back({first, last, true, true, i == 0 ? 0 : (first + last) / 2});
  }
  return pieces;
}

}  // namespace

int PieceCount(int links, int per_piece) {
  if (per_piece == 0) return 1;
  const int most = std::max(1, links / kFewestInPiece);
  return std::clamp(Rounded(1.0 * links / per_piece), 1, most);
}

std::vector<Piece> SplitIntoPieces(const CableDescription& cable, int links, int per_piece,
                                   int root) {
  const int count = PieceCount(links, per_piece);
  if (cable.closed && per_piece > 0) return SplitRing(links, count);
  if (count == 1) return {{0, links - 1, false, false, root}};
  std::vector<Piece> pieces;
  for (int i = 0; i < count; ++i) {
    const bool cut_first = i > 0, cut_last = i + 1 < count;
    const int first = Rounded(1.0 * i * links / count);
    const int last = cut_last ? Rounded(1.0 * (i + 1) * links / count) : links - 1;
    const int middle = (first + last + (cut_last ? 0 : 1)) / 2;  // a whole link
    pieces.push_back({first, last, cut_first, cut_last, middle});
  }
  if (HeldInPlace(cable.ends[0])) pieces.front().root = 0;
  if (HeldInPlace(cable.ends[1])) pieces.back().root = links - 1;
  return pieces;
}

bool HeldInPlace(EndCondition end) {
  return end == EndCondition::kFixed || end == EndCondition::kBall || end == EndCondition::kFeed;
}

}  // namespace strand::mujoco
