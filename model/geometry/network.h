// Topology of rods and shells that are joined to networks.
//
// Nodes carry positions, edges (from edge.node[0] to edge.node[1]) carry material frames, and a
// joint is a pair of edges that share a node: where a rod bends and twists. A rod has one joint at
// every inner node. Where rods are connected, every pair of edges at the node is a joint, too:
// edges that point the wrong way are seen through (-t, m1, -m2), sign -1.
//
// Shells are triangle meshes over nodes of their own, which rods can be attached to. A shell's
// edges have no frames: where it is to carry a rod's moment, those round the node get a second
// edge, a rib, which bends and twists against the rod but is nothing by itself.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/geometry/frame.h"
#include "model/geometry/mesh.h"

namespace strand {

struct Edge {
  std::array<int, 2> node;
  /// Length (m) of rod it stands for: |e| of the drawn shape, or 0 of a clamp, which only holds a
  /// direction.
  double length;
};

/// The nodes (in the order of its vertices), triangles and mesh edges of one shell.
struct ShellTopology {
  std::vector<int> node, triangle, edge;
  std::vector<std::vector<int>> seam;  ///< mesh edges of each, where three or more sheets meet
  /// Each mesh edge has a rotation of its normal, a degree of freedom (stencil/mid_edge.h).
  bool mid_edge = false;
};

/// A node that belongs to a place fixed in a body, by weights of its carriers.
struct Tie {
  int node;
  std::array<double, 4> weight;
};

/// An edge whose frame turns with a body.
struct TiedEdge {
  int edge;
  Vector3 director;  ///< m1 along the body's principal axes, unit
};

/// A rigid body: four carrier nodes, which move with it, at the corners of a tetrahedron about its
/// centre of mass. With a quarter of its mass each they have its moments of inertia.
struct BodyTopology {
  Vector3 centre;                ///< m, where it is drawn
  Eigen::Matrix3d axes;          ///< columns: its principal axes, where it is drawn
  Vector3 spread;                ///< m, of the carriers along them
  std::array<int, 4> carrier{};  ///< nodes
  std::vector<int> point;        ///< nodes without mass that are fixed in it
  std::vector<Tie> tie;          ///< those, and nodes of rods that are attached to it
  std::vector<TiedEdge> edge;    ///< of rods that are attached rigidly: beyond their ends
};

/// A triangle mesh that stands still or is driven. It touches rods and shells, and is nothing else.
struct ObstacleMesh {
  std::vector<int> node;                     ///< in the order of its vertices
  std::vector<std::array<int, 2>> edge;      ///< where it is creased or ends
  std::vector<std::array<int, 3>> triangle;  ///< their nodes
};

/// Signs of the carriers' coordinates, a row each: any rigid body is equimomental with four such
/// points.
inline const Eigen::Matrix<double, 4, 3> kCarrierSigns{
    {1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/// s_j, a row each (1/m): a point at p in a body's principal axes is the mean of its carriers by
/// the weights 1/4 + s_j . p.
using CarrierSlopes = Eigen::Matrix<double, 4, 3>;
CarrierSlopes SlopesOf(const BodyTopology& body);

/// Where the carriers of a body are along its principal axes (m): m a^2 is the integral of x^2 dm.
/// That of a plate's or a needle's thin directions is 1/100 of the largest. Throws ConfigError on a
/// mass (kg) or moments of inertia (kg m^2) that no body has.
Vector3 CarrierSpread(double mass, const Vector3& inertia);

/// How a rod holds on to a shell.
enum class Attachment {
  kHinged,     ///< by the node alone
  kRigid,      ///< ribs along the edges that end at the node bend and twist against the rod
  kPublished,  ///< ribs along all edges of the triangles at the node, joined wherever they meet
};

/// Edge a, its far node, the shared node, edge b's far node, edge b.
struct Joint {
  std::array<int, 2> edge;
  std::array<int, 2> sign;  ///< +1 where the edge points from a's far node towards b's, else -1
  std::array<int, 3> node;  ///< far node of a, shared node, far node of b

  bool operator==(const Joint&) const = default;
};

/// The nodes, edges and joints of one rod within a network, in order along the rod.
struct RodTopology {
  std::vector<int> node, edge, joint;
  bool closed = false;
};

/// Nodes, edges and joints with the shape they are drawn in.
class Network {
 public:
  /// Adds a rod through `nodes` (m), closed by an edge from the last to the first node if asked
  /// for. Frames: the first edge's m1 is `normal` made orthogonal (geometry/curve.h), the others
  /// follow by parallel transport. Returns its index. Throws ConfigError on fewer than two nodes
  /// (closed: three), non-finite numbers, coinciding neighbours, a normal along the first edge.
  int AddRod(const std::vector<Vector3>& nodes, const Vector3& normal, bool closed = false);

  /// Connects the ends or middles of rods: `node_b` of rod b becomes `node_a` of rod a, and every
  /// pair of edges there a joint, but for two clamps. Returns the indices of the new joints. Throws
  /// ConfigError where an index is out of range, the nodes lie more than `tolerance` (m) apart or
  /// would collapse an edge or a shell.
  std::vector<int> Connect(int rod_a, int node_a, int rod_b, int node_b, double tolerance = 1e-6);

  /// Holds the direction in which the rod is drawn at its first (end 0) or last (end 1) node: adds
  /// an edge of length 0 that stands still, and the joint to it. Such a clamp is accurate to second
  /// order, as a locked edge is not. Returns the joint's index.
  int Clamp(int rod, int end);

  /// Adds a shell over `vertices` (m); `mid_edge`: with a rotation at each of its edges. Returns
  /// its index. Throws ConfigError as MakeMesh does.
  int AddShell(const std::vector<Vector3>& vertices,
               const std::vector<std::array<int, 3>>& triangles, bool mid_edge = false);

  /// `node` of a rod becomes `vertex` of a shell. Returns the indices of the new joints: those of
  /// ribs with each other among them. Edges that leave the node side by side (within 20 degrees)
  /// are not joined. Throws ConfigError as Connect does, and where that leaves the rod loose.
  std::vector<int> Attach(int rod, int node, int shell, int vertex, Attachment how,
                          double tolerance = 1e-6);

  /// Holds the direction in which the shell is drawn across rim edges (indices along the shell's):
  /// gives each a wing that stands still. As accurate as the clamp of a rod. Throws ConfigError
  /// where an edge is none of the rim or clamped already.
  void ClampShell(int shell, const std::vector<int>& edges);

  /// Adds a rigid body about `centre` (m); columns of `axes` are its principal axes, `spread` (m)
  /// is CarrierSpread. Returns its index. Throws ConfigError where `axes` is no rotation.
  int AddBody(const Vector3& centre, const Eigen::Matrix3d& axes, const Vector3& spread);

  /// Adds a node without mass that is fixed in a body at `place` (m). Returns the node.
  int AddBodyPoint(int body, const Vector3& place);

  /// Fixes `node` of a rod in a body where it is drawn: a ball joint. Throws ConfigError on an
  /// index out of range, or a node that has been attached already.
  void AttachToBody(int rod, int node, int body);

  /// Fixes a vertex of a shell in a body where it is drawn: a ball joint. Throws ConfigError as
  /// AttachToBody does.
  void AttachShellToBody(int shell, int vertex, int body);

  /// Adds an obstacle with these vertices (m). Any number of its triangles may meet at an edge.
  /// Returns its index. Throws ConfigError as CheckTriangles does.
  int AddObstacleMesh(const std::vector<Vector3>& vertices,
                      const std::vector<std::array<int, 3>>& triangles);

  /// Fixes the first (end 0) or last (end 1) node of a rod in a body, with the direction and the
  /// twist that it is drawn with there: as a clamp, by an edge of length 0 that goes with the body.
  /// Returns the joint to it. Throws ConfigError as AttachToBody and Clamp do.
  int AttachToBodyRigidly(int rod, int end, int body);

  int nodes() const { return static_cast<int>(node_.size()); }
  int edges() const { return static_cast<int>(edge_.size()); }
  int joints() const { return static_cast<int>(joint_.size()); }
  int rods() const { return static_cast<int>(rod_.size()); }
  const std::vector<Vector3>& node() const { return node_; }
  const std::vector<Edge>& edge() const { return edge_; }
  const std::vector<Frame>& frame() const { return frame_; }
  const std::vector<Joint>& joint() const { return joint_; }
  const RodTopology& rod(int index) const;
  int shells() const { return static_cast<int>(shell_.size()); }
  const std::vector<Triangle>& triangle() const { return triangle_; }
  const std::vector<MeshEdge>& mesh_edge() const { return mesh_edge_; }
  const ShellTopology& shell(int index) const;
  int bodies() const { return static_cast<int>(body_.size()); }
  const BodyTopology& body(int index) const;
  const std::vector<ObstacleMesh>& obstacle_mesh() const { return obstacle_mesh_; }
  /// What users know them by, for messages: "rod 1, node 3", counted along the rod (the first one
  /// that has it), or "shell 0, vertex 5"; "clamp 0" for what belongs to a clamp, "rib 0".
  std::string NodeName(int node) const;
  std::string EdgeName(int edge) const;
  /// Nodes and edges of clamps: they have no mass and never move by themselves.
  const std::vector<int>& clamp_nodes() const { return clamp_node_; }
  const std::vector<int>& clamp_edges() const { return clamp_edge_; }
  /// Edges beside those of shells: only their frames and joints count.
  const std::vector<int>& ribs() const { return rib_; }
  /// A shell's ribs, and the frames that they were drawn with if its nodes lay at `x` (m, of all).
  std::vector<std::pair<int, Frame>> RibFrames(int shell, const std::vector<Vector3>& x) const;

 private:
  int AddJoint(int edge_a, int edge_b, int shared);
  void AttachNodeToBody(int node, int body);
  void TieTo(int body, int node);
  int AddEndEdge(int rod, int end);
  int NodeOfRod(int rod, int node, const char* field) const;
  std::vector<int> EdgesAt(int node) const;
  void CheckMerge(const char* field, int keep, int drop, double tolerance) const;
  int Merge(int keep, int drop);
  void CheckHold(int vertex, int rod_node) const;
  int RibAlong(int mesh_edge);
  std::vector<int> AddRibs(int node, bool whole_triangles);
  std::vector<int> JoinRibs(const std::vector<int>& at);

  std::vector<Vector3> node_;
  std::vector<Edge> edge_;
  std::vector<Frame> frame_;
  std::vector<Joint> joint_;
  std::vector<RodTopology> rod_;
  std::vector<Triangle> triangle_;
  std::vector<MeshEdge> mesh_edge_;
  std::vector<ShellTopology> shell_;
  std::vector<BodyTopology> body_;
  std::vector<ObstacleMesh> obstacle_mesh_;
  std::vector<int> clamp_node_, clamp_edge_, rib_;
};

}  // namespace strand
