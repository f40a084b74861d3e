// What of a network meets obstacles: its nodes as balls, its edges as capsules, its triangles as
// plates with round rims (N = 1, 2, 3 points each); and those of rigid bodies, whose points are
// fixed in four carriers.
//
// Obstacles stand where they have been placed in the step (DrivenObstacle::Place): gaps and their
// derivatives know nothing of their motion. Friction slips by the way over the obstacle, so that
// what sticks is carried along exactly.
//
// Where nodes suffice (NodesSuffice) they are all there is. Solids of other shapes meet the nearest
// point of every edge and triangle instead, and the nodes of clamps, which have neither. An edge is
// as thick as the thinner of its ends, a triangle as the thinnest of its corners. All stencils lie
// within one edge or triangle, so that a chain's matrix keeps its band. Friction turns edges of
// rods about their axes: that which is the site, or those that meet at the node; and bodies by
// where their surface touches (stencil/carried_touch.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "model/contact/body_shape.h"
#include "model/contact/driven_obstacle.h"
#include "model/energy/contact_arms.h"
#include "model/energy/contact_force.h"
#include "model/energy/contact_options.h"
#include "model/stencil/carried_touch.h"

namespace strand {

/// `S` nodes: the points themselves, or the carriers of a body (4) that they are fixed in.
template <int N, int S = N>
class ObstacleSites {
 public:
  static constexpr bool kOfBody = S != N;
  static constexpr int kArms = kOfBody ? 0 : N == 1 ? 2 : N == 2 ? 1 : 0;

  /// `nodes` of each site in the network, `radius` (m) and `has_face` per node: whether edges or
  /// triangles stand for it. The obstacles and the options stay the caller's. Throws ConfigError
  /// where the middle of a site starts inside an obstacle, its nodes at `start` (m, of all).
  ObstacleSites(const Network& network, const Dofs& dofs,
                const std::vector<std::array<int, N>>& nodes, const std::vector<double>& radius,
                const std::vector<bool>& has_face, std::span<const Obstacle> obstacles,
                double tolerance, std::span<const Vector3> start)
    requires(!kOfBody);
  /// Those of bodies.
  ObstacleSites(const Network& network, const Dofs& dofs, const std::vector<BodySite<N>>& sites,
                std::span<const Obstacle> obstacles, double tolerance,
                std::span<const Vector3> start)
    requires(kOfBody);

  /// Edges that friction turns: of each site's node, or the one that is the site.
  void SetTurning(const std::vector<std::array<TurningEdge, kArms>>& turning);

  void Couple(const Dofs& dofs, Pattern* pattern) const;
  void Bind(const Dofs& dofs, const LinearSystem& system);
  Evaluation Evaluate(std::span<const DrivenObstacle> obstacles, const ContactOptions& options,
                      bool frozen, const Motion& motion, const Derivatives& out,
                      ContactSummary* summary);
  void FreezeFriction(std::span<const DrivenObstacle> obstacles, const ContactOptions& options,
                      const Motion& motion);
  void Push(std::span<const DrivenObstacle> obstacles, const Configuration& start,
            std::span<double> move) const;
  double Limit(std::span<const DrivenObstacle> obstacles, const Configuration& from,
               std::span<const double> step, const Passage& passage, double part) const;
  bool AcceptsEndpoint(std::span<const DrivenObstacle> obstacles, double tolerance,
                       const Configuration& from, const Configuration& to,
                       const Passage& passage) const;
  void Accept(std::span<const DrivenObstacle> obstacles, const ContactOptions& options,
              const Motion& motion);

  /// Carried slips (m), the normals they belong to, and whether they held.
  void Save(std::vector<double>* memory) const;
  void Load(std::span<const double>* memory);

 private:
  static constexpr int kSize = 3 * S + kArms;  ///< of a stencil: positions and spins
  using Friction = SharedFriction<S, kArms>;
  using Arms = std::array<Arm, kArms>;
  using Moves = Eigen::Matrix<double, kSize, 1>;
  using Gradient = Eigen::Matrix<double, 3 * S, 1>;
  using Points = std::array<Vector3, N>;
  using Nodes = std::array<Vector3, S>;

  /// Of a body's points: their weights (none of a network's).
  struct OfBody {
    BodyWeights<N> weights;
    CarrierSlopes slope;
  };
  struct OfNodes {};
  struct Site {
    std::array<int, S> dof;  ///< of each node's x
    RoundSimplex<N> simplex;
    std::array<TurningEdge, kArms> turning;
    std::array<int, kSize * kSize> offset;
    [[no_unique_address]] std::conditional_t<kOfBody, OfBody, OfNodes> in_body;

    double radius() const { return simplex.radius(); }
    bool turns() const {
      if constexpr (kArms == 0) return false;
      return turning[0].exists();
    }
  };
  /// What friction remembers of a site at an obstacle.
  struct Memory {
    bool meets = true;  ///< else the obstacle meets what else the site's nodes belong to
    Vector3 slip = Vector3::Zero(), normal = Vector3::Zero();
    bool sticks = false;                                ///< at the end of the step before
    double force = 0;                                   ///< normal force of the last evaluation (N)
    bool touched() const { return !normal.isZero(0); }  ///< at the end of the step before
  };
  struct FrozenSite {
    FrozenContact contact;
    typename Friction::Rows ways = Friction::Rows::Zero();  ///< of the surface, per unknown
  };
  /// How far a site has moved over an obstacle in this step, against where that would have carried
  /// its nodes; and what is added to that.
  /// `rate` turns it into slip. All 0 at rest for what did not touch before: the way to its place
  /// is none over the obstacle.
  template <int K>
  struct Way {
    Gradient moved = Gradient::Zero();
    std::array<Arm, K> arms;
    Vector3 beside = Vector3::Zero();
    double rate = 0;
  };

  void CheckStart(const Configuration& start, const Dofs& dofs,
                  const std::vector<std::string>& name, std::span<const Obstacle> obstacles);
  void SetMeeting(size_t site, bool has_face, std::span<const Obstacle> obstacles);
  Nodes NodesOf(const Site& site, const Configuration& at) const;
  Points PointsAt(const Site& site, const Nodes& nodes) const;
  Points PointsOf(const Site& site, const Configuration& at) const {
    return PointsAt(site, NodesOf(site, at));
  }
  std::array<int, kSize> Group(const Site& site) const;
  Arms ArmsOf(const Site& site, const Motion& motion) const;
  SimplexTouch<S> Locate(const Obstacle& obstacle, const Site& site, const Configuration& at) const;
  Penalty PenaltyOf(const DrivenObstacle& obstacle, const ContactOptions& options,
                    const Motion& motion, const Site& site, double gap,
                    const Penalty& elastic) const;
  double LimitOnTheWay(const DrivenObstacle& obstacle, const Site& site, const Points& x,
                       const Points& dx, const Passage& passage) const;
  void TakeOff(const Frame& turn, const Site& site, const Configuration& start, Arms* arms) const;
  template <int K>
  Way<K> WayOf(const DrivenObstacle& obstacle, const FrictionLaw& law, const Motion& motion,
               const Site& site, const Memory& memory) const;
  template <int K>
  Evaluation AddContact(const DrivenObstacle& obstacle, const ContactOptions& options, bool rubs,
                        const Motion& motion, const Site& site, Memory* memory,
                        const Derivatives& out, ContactSummary* summary) const;
  double AddFrozenFriction(const DrivenObstacle& obstacle, const FrictionLaw& law,
                           const Motion& motion, size_t site, size_t place,
                           const Derivatives& out) const;

  std::vector<Site> site_;
  std::vector<Memory> memory_;              ///< all sites of the first obstacle, of the second ...
  std::vector<FrozenSite> frozen_contact_;  ///< as memory_
};

}  // namespace strand
