// Topology of networks of rods and shells.
//
// Nodes carry positions, edges (from edge.node[0] to edge.node[1]) carry material frames, and a
// joint is a pair of edges that share a node: where a rod bends and twists. A rod has one joint at
// every inner node. Where rods are connected, every pair of edges at the node is a joint, too.
// Edges that point the wrong way enter with the frame (-t, m1, -m2), sign -1.
//
// Shells are triangle meshes over nodes of their own, to which rods can be attached. A shell's
// edges have no frames. If a shell is to carry a rod's moment, its edges around the node get ribs:
// second edges along them, which bend and twist against the rod but have no mass and no stretching
// stiffness of their own.
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
  /// Length (m) of rod that it represents: |e| of the drawn shape, or 0 for a clamp, which only
  /// holds a direction.
  double length;
};

/// The nodes (in the order of its vertices), triangles and mesh edges of one shell.
struct ShellTopology {
  std::vector<int> node, triangle, edge;
  std::vector<std::vector<int>> seam;  ///< mesh edges of each seam of three or more sheets
  /// Each mesh edge has a rotation of its normal, a degree of freedom (stencil/mid_edge.h).
  bool mid_edge = false;
};

/// A node that is tied to a point fixed in a body, the mean of its carriers by these weights.
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
  Vector3 centre;                ///< m, in the drawn shape
  Eigen::Matrix3d axes;          ///< columns: principal axes in the drawn shape
  Vector3 spread;                ///< m, coordinates of the carriers along the axes (CarrierSpread)
  std::array<int, 4> carrier{};  ///< nodes
  std::vector<int> point;        ///< massless nodes that are fixed in the body
  std::vector<Tie> tie;          ///< ties of these nodes, and of nodes attached to the body
  std::vector<TiedEdge> edge;    ///< edges of length 0 at the ends of rigidly attached rods
};

/// A triangle mesh that stands still or is driven. It acts only by contact.
struct ObstacleMesh {
  std::vector<int> node;                     ///< in the order of its vertices
  std::vector<std::array<int, 2>> edge;      ///< nodes of edges at creases and at the rim
  std::vector<std::array<int, 3>> triangle;  ///< nodes of triangles
};

/// Signs of the carriers' coordinates, one row per carrier: any rigid body is equimomental with
/// four such points.
inline const Eigen::Matrix<double, 4, 3> kCarrierSigns{
    {1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/// s_j, one row per carrier (1/m): a point at p in a body's principal axes is the mean of its
/// carriers with the weights 1/4 + s_j . p.
using CarrierSlopes = Eigen::Matrix<double, 4, 3>;
CarrierSlopes SlopesOf(const BodyTopology& body);

/// Coordinates a (m) of a body's carriers along its principal axes: m a^2 is the integral of
/// x^2 dm. In the thin directions of a plate or a needle they are at least 1/100 of the largest.
/// Throws ConfigError if no body has this mass (kg) and these moments of inertia (kg m^2).
Vector3 CarrierSpread(double mass, const Vector3& inertia);

/// How a rod is attached to a shell.
enum class Attachment {
  kHinged,     ///< by the shared node alone
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

/// Nodes, edges and joints, and the shape in which they are drawn.
class Network {
 public:
  /// Adds a rod through `nodes` (m); `closed` adds an edge from the last to the first node.
  /// Frames: the first edge's m1 is `normal` made orthogonal (geometry/curve.h), the others follow
  /// by parallel transport. Returns its index. Throws ConfigError on fewer than two nodes (closed:
  /// three), non-finite numbers, coinciding neighbours, or a normal along the first edge.
  int AddRod(const std::vector<Vector3>& nodes, const Vector3& normal, bool closed = false);

  /// Connects rods at any of their nodes: `node_b` of rod b becomes `node_a` of rod a, and every
  /// pair of edges there becomes a joint, except pairs of two clamps. Returns the indices of the
  /// new joints. Throws ConfigError if an index is out of range, the nodes lie farther apart than
  /// 1e-6 m or a hundredth of a rod's edge there, or an edge or a shell would collapse.
  std::vector<int> Connect(int rod_a, int node_a, int rod_b, int node_b);

  /// Holds the direction in which the rod is drawn at its first (end 0) or last (end 1) node: adds
  /// an edge of length 0 that stands still, and the joint to it. Such a clamp is accurate to second
  /// order; a locked edge is not. Returns the joint's index.
  int Clamp(int rod, int end);

  /// Adds a shell over `vertices` (m); `mid_edge`: with a rotation at each of its edges. Returns
  /// its index. Throws ConfigError as MakeMesh does.
  int AddShell(const std::vector<Vector3>& vertices,
               const std::vector<std::array<int, 3>>& triangles, bool mid_edge = false);

  /// `node` of a rod becomes `vertex` of a shell. Returns the indices of the new joints, including
  /// those between ribs. Edges that leave the node side by side (within 20 degrees) are not joined.
  /// Throws ConfigError as Connect does, and if no rib would then be joined to the rod.
  std::vector<int> Attach(int rod, int node, int shell, int vertex, Attachment how);

  /// Holds the direction in which the shell is drawn across rim edges (`edges`: indices into
  /// ShellTopology::edge) by giving each of them a wing that stands still. As accurate as the clamp
  /// of a rod. Throws ConfigError if an edge is not at the rim or is clamped already.
  void ClampShell(int shell, const std::vector<int>& edges);

  /// Adds a rigid body about `centre` (m); columns of `axes` are its principal axes, `spread` (m)
  /// is CarrierSpread. Returns its index. Throws ConfigError if `axes` is not a rotation matrix.
  int AddBody(const Vector3& centre, const Eigen::Matrix3d& axes, const Vector3& spread);

  /// Adds a massless node that is fixed in a body at `place` (m). Returns the node.
  int AddBodyPoint(int body, const Vector3& place);

  /// Fixes `node` of a rod in a body at its drawn position: a ball joint. Throws ConfigError if an
  /// index is out of range or the node is attached already.
  void AttachToBody(int rod, int node, int body);

  /// Fixes a vertex of a shell in a body at its drawn position: a ball joint. Throws ConfigError as
  /// AttachToBody does.
  void AttachShellToBody(int shell, int vertex, int body);

  /// Adds an obstacle with these vertices (m). Any number of its triangles may meet at an edge.
  /// Returns its index. Throws ConfigError as CheckTriangles does.
  int AddObstacleMesh(const std::vector<Vector3>& vertices,
                      const std::vector<std::array<int, 3>>& triangles);

  /// Fixes the first (end 0) or last (end 1) node of a rod in a body, with its drawn direction and
  /// twist. Like a clamp, it uses an edge of length 0, which moves with the body. Returns the joint
  /// to that edge. Throws ConfigError as AttachToBody and Clamp do.
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
  /// Names for messages: "rod 1, node 3", numbered along the first rod that has the node, or
  /// "shell 0, vertex 5"; "clamp 0" for nodes and edges of clamps, "rib 0".
  std::string NodeName(int node) const;
  std::string EdgeName(int edge) const;
  /// Nodes and edges of clamps: they have no mass and never move by themselves.
  const std::vector<int>& clamp_nodes() const { return clamp_node_; }
  const std::vector<int>& clamp_edges() const { return clamp_edge_; }
  /// Edges of which only the frames and joints count: along edges of shells, and at rods attached
  /// rigidly to bodies.
  const std::vector<int>& ribs() const { return rib_; }
  /// A shell's ribs, with the frames that they would have if it were drawn with its nodes at `x`
  /// (m, positions of all nodes).
  std::vector<std::pair<int, Frame>> RibFrames(int shell, const std::vector<Vector3>& x) const;

 private:
  int AddJoint(int edge_a, int edge_b, int shared);
  void AttachNodeToBody(int node, int body);
  void TieTo(int body, int node);
  int AddEndEdge(int rod, int end);
  int NodeOfRod(int rod, int node, const char* field) const;
  std::vector<int> EdgesAt(int node) const;
  void CheckMerge(const char* field, int keep, int drop) const;
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
