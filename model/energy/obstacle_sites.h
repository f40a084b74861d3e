// Sites of a network that touch obstacles: nodes as spheres, edges as capsules, triangles as plates
// with round rims (N = 1, 2, 3 points each). Sites of rigid bodies have points that are fixed to
// the body's four carriers.
//
// During an evaluation obstacles are at rest where DrivenObstacle::Place has put them: gaps and
// their derivatives do not depend on their motion. Friction uses the displacement relative to the
// obstacle, so that a sticking site is carried along exactly.
//
// For obstacles where nodes suffice (NodesSuffice), only nodes touch. Other solids touch every edge
// and triangle at its nearest point, and nodes that belong to neither (clamps). An edge is as thick
// as the thinner of its ends, a triangle as the thinnest of its corners. Stencils lie within one
// edge or triangle, or within the edges at a node, so that a chain's matrix keeps its band.
// Friction turns rods: the edge that is the site, or the edges that meet at the node. It turns
// bodies through the point where their surface touches (stencil/carried_touch.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "model/contact/body_shape.h"
#include "model/contact/driven_obstacle.h"
#include "model/energy/contact_arms.h"
#include "model/energy/contact_force.h"
#include "model/energy/contact_options.h"
#include "model/energy/site_points.h"

namespace strand {

/// S nodes: the N points themselves, or the four carriers of the body that they are fixed in.
template <int N, int S = N>
class ObstacleSites {
 public:
  static constexpr bool kOfBody = S != N;
  static constexpr int kArms = kOfBody ? 0 : N == 1 ? 2 : N == 2 ? 1 : 0;

  /// `nodes` of each site; `radius` (m) per node of the network; `has_face` per node: whether an
  /// edge or triangle represents it. Obstacles and options are passed to each call and are not
  /// stored. Throws ConfigError if the middle of a site is inside an obstacle at `start` (m, per
  /// node).
  ObstacleSites(const Network& network, const Dofs& dofs,
                const std::vector<std::array<int, N>>& nodes, const std::vector<double>& radius,
                const std::vector<bool>& has_face, std::span<const Obstacle> obstacles,
                double tolerance, std::span<const Vector3> start)
    requires(!kOfBody);
  /// Sites of bodies.
  ObstacleSites(const Network& network, const Dofs& dofs, const std::vector<BodySite<N>>& sites,
                std::span<const Obstacle> obstacles, double tolerance,
                std::span<const Vector3> start)
    requires(kOfBody);

  /// Sets the edges that friction turns: those at each site's node, or the site's own edge.
  void SetTurning(const std::vector<std::array<TurningEdge, kArms>>& turning);

  void Couple(const Dofs& dofs, Pattern* pattern) const;
  void Bind(const Dofs& dofs, const LinearSystem& system);
  /// To be called at the start of a time step.
  void ForgetLags();
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
  bool Misses(std::span<const DrivenObstacle> obstacles, const Configuration& from,
              std::span<const double> step) const;
  void Accept(std::span<const DrivenObstacle> obstacles, const ContactOptions& options,
              const Motion& motion);

  /// Per site and obstacle: carried slip (m), normal, and whether the contact stuck.
  void Save(std::vector<double>* memory) const;
  void Load(std::span<const double>* memory);

 private:
  /// Nodes beyond the edges at a node: friction on the surface of the node turns these edges.
  static constexpr int kBeyond = kArms == 2 ? 2 : 0;
  /// Those of a site that uses K arms.
  template <int K>
  static constexpr int kTurned = K > 0 ? kBeyond : 0;
  /// Unknowns of a stencil: positions, spins.
  static constexpr int kSize = 3 * (S + kBeyond) + kArms;
  using Friction = SharedFriction<S, kArms, kBeyond>;
  using Arms = std::array<Arm, kArms>;
  using Points = std::array<Vector3, N>;
  using Nodes = std::array<Vector3, S>;

  struct Site {
    std::array<int, S> dof;  ///< of each node's x
    RoundSimplex<N> simplex;
    std::array<TurningEdge, kArms> turning;
    std::array<int, kSize * kSize> offset;
    [[no_unique_address]] SitePoints<N, S> in_body;

    double radius() const { return simplex.radius(); }
    bool turns() const {
      if constexpr (kArms == 0) return false;
      return turning[0].exists();
    }
  };
  /// State of friction between a site and an obstacle.
  struct Memory {
    bool meets = true;  ///< false: other sites of the same nodes touch the obstacle
    Vector3 slip = Vector3::Zero(), normal = Vector3::Zero();
    bool sticks = false;  ///< at the end of the previous step
    double force = 0;     ///< normal force of the last evaluation (N)
    ContactLag lag;
    bool touched() const { return !normal.isZero(0); }  ///< at the end of the previous step
  };
  struct FrozenSite {
    FrozenContact contact;
    typename Friction::Rows ways = Friction::Rows::Zero();  ///< of the surface, per unknown
  };
  /// Motion of a site relative to an obstacle in this step: `moved` is the displacement of its
  /// nodes (m) from where the obstacle would have carried them, `beside` (m) is added to that of
  /// the surface, and `rate` converts the sum to slip. In statics all are zero for a site that did
  /// not touch before: its approach is no slip.
  template <int K>
  struct Way {
    using Moved = Eigen::Matrix<double, 3 * (S + kTurned<K>), 1>;
    Moved moved = Moved::Zero();
    std::array<Arm, K> arms;
    Vector3 beside = Vector3::Zero();
    double rate = 0;
  };

  void CheckStart(const Configuration& start, const Dofs& dofs,
                  const std::vector<std::string>& name, std::span<const Obstacle> obstacles);
  void SetMeeting(size_t site, bool has_face, std::span<const Obstacle> obstacles);
  Nodes NodesOf(const Site& site, const Configuration& at) const;
  Points PointsOf(const Site& site, const Configuration& at) const {
    return site.in_body.At(NodesOf(site, at));
  }
  /// Displacements (m) of its points in a step (per dof).
  static Points WaysOf(const Site& site, std::span<const double> step) {
    Nodes moved;
    for (int k = 0; k < S; ++k) moved[k] = Vector3::Map(&step[site.dof[k]]);
    return site.in_body.At(moved);
  }
  static std::array<int, S + kBeyond> NodeDofs(const Site& site);
  std::array<int, kSize> Group(const Site& site) const;
  Arms ArmsOf(const Site& site, const Motion& motion) const;
  SimplexTouch<S> Locate(const Obstacle& obstacle, const Site& site, const Configuration& at) const;
  StepPenalty PenaltyOf(const DrivenObstacle& obstacle, const ContactOptions& options,
                        const Motion& motion, const Site& site, double gap, const Penalty& elastic,
                        ContactLag* lag) const;
  double GapAtOrigin(const DrivenObstacle& obstacle, const Motion& motion, const Site& site) const;
  template <class FreeOf>
  double FreeOnTheWay(const DrivenObstacle& obstacle, const Points& x, const Points& dx,
                      const Passage& passage, const FreeOf& free_of) const;
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
  std::vector<Memory> memory_;              ///< all sites for obstacle 0, then for 1, ...
  std::vector<FrozenSite> frozen_contact_;  ///< same order as memory_
};

}  // namespace strand
