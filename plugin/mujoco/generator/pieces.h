// How a cable is split into kinematic trees.
//
// The mass matrix of a chain of ball joints is dense: MuJoCo's cost grows with the cube of the
// links in a tree. A cable is therefore cut every few links through the middle of a link: the
// link's two halves belong to different trees, and a weld holds them together. A link is rigid, so
// that nothing elastic crosses the cut.
#pragma once

#include <vector>

#include "plugin/mujoco/description/description.h"

namespace strand::mujoco {

/// What a body consists of.
enum class LinkPart { kWhole, kNearHalf, kFarHalf };

/// A kinematic tree: the links from `first` to `last`. Where it meets another piece, it has only
/// the far half of `first` and the near half of `last`.
struct Piece {
  int first, last;  ///< a ring's first piece starts with a negative index, counted from its end
  bool cut_first, cut_last;
  int root;  ///< link at the root of the tree

  LinkPart Part(int link) const {
    if (cut_last && link == last) return LinkPart::kNearHalf;
    return cut_first && link == first ? LinkPart::kFarHalf : LinkPart::kWhole;
  }
};

/// Number of pieces of a cable of `links` links, about `per_piece` links each; 0: one piece.
int PieceCount(int links, int per_piece);

/// The pieces of a cable of `links` links, about `per_piece` links each; 0: one piece with the root
/// `root`. Pieces that contain an end that is held in place have their root there, others in their
/// middle. The first piece of a ring has its root at link 0.
std::vector<Piece> SplitIntoPieces(const CableDescription& cable, int links, int per_piece,
                                   int root);

/// True for an end that the carrying body holds in its initial pose.
bool HeldInPlace(EndCondition end);

}  // namespace strand::mujoco
