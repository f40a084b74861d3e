// Sites that touch rigid bodies: edges of rods, triangles of shells, and the corners, axes and
// faces of other bodies (N = 1, 2, 3 points each). The shape of a body is an obstacle in the body's
// axes.
//
// The stencil of a pair consists of the nodes of the site and the four carriers of the body
// (stencil/carried_touch.h): action and reaction are equal and act at the same point. Pairs in or
// close to contact are coupled in the matrix, as in surface contact. Near its attachment a rod does
// not touch the body that it is attached to.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "model/contact/body_shape.h"
#include "model/energy/contact_arms.h"
#include "model/energy/contact_options.h"
#include "model/energy/site_points.h"
#include "model/energy/step_force.h"

namespace strand {

/// A body as an obstacle.
struct CarriedObstacle {
  Obstacle shape;          ///< in the body's axes
  std::array<int, 4> dof;  ///< of each carrier's x
  CarrierSlopes slope;
  double extent;  ///< m, bounding radius about its centre

  BodyPlace At(const Configuration& at) const {
    return {{at.position(dof[0]), at.position(dof[1]), at.position(dof[2]), at.position(dof[3])},
            slope};
  }
};
std::vector<CarriedObstacle> CarriedObstacles(const Network& network, const Dofs& dofs,
                                              const std::vector<Obstacle>& shape);

/// Indices of a site and a body that may touch.
struct CarriedPair {
  int site, body;
};

/// A site with nodes of the network, or fixed in a body.
template <int N, int S>
struct CarriedSite {
  static constexpr bool kOfBody = S != N;

  std::array<int, S> dof;  ///< of each node's x
  RoundSimplex<N> simplex;
  TurningEdge turning;  ///< an edge of a rod that friction turns
  double reach;         ///< m, from its middle to the surface where friction acts
  std::string name;
  [[no_unique_address]] SitePoints<N, S> in_body;
};

template <int N, int S>
class CarriedSites {
 public:
  using Site = CarriedSite<N, S>;

  /// Throws ConfigError if the middle of a site is inside the body of its pair at the positions
  /// `drawn`.
  CarriedSites(std::vector<Site> sites, const std::vector<CarriedPair>& pairs,
               std::span<const CarriedObstacle> bodies, const Configuration& drawn);

  /// Returns true if the coupled pairs have changed.
  bool Recouple(std::span<const CarriedObstacle> bodies, double tolerance, const Configuration& at);
  void Couple(std::span<const CarriedObstacle> bodies, const Dofs& dofs, Pattern* pattern) const;
  void Bind(std::span<const CarriedObstacle> bodies, const Dofs& dofs, const LinearSystem& system);
  /// To be called at the start of a time step.
  void ForgetLags();
  Evaluation Evaluate(std::span<const CarriedObstacle> bodies, const ContactOptions& options,
                      bool frozen, const Motion& motion, const Derivatives& out,
                      ContactSummary* summary);
  void FreezeFriction(std::span<const CarriedObstacle> bodies, const ContactOptions& options,
                      const Motion& motion);
  /// Adds to `move` the motion of sites that driven or pushed bodies push or carry along.
  void Push(std::span<const CarriedObstacle> bodies, const Configuration& start,
            std::span<double> move) const;
  double Limit(std::span<const CarriedObstacle> bodies, const Configuration& from,
               std::span<const double> step, double part) const;
  bool AcceptsEndpoint(std::span<const CarriedObstacle> bodies, double tolerance,
                       const Configuration& from, const Configuration& to) const;
  bool Misses(std::span<const CarriedObstacle> bodies, const Configuration& from,
              std::span<const double> step) const;
  void Accept(std::span<const CarriedObstacle> bodies, const ContactOptions& options,
              const Motion& motion);

  /// Carried slips (m), whether the contacts stuck, and which pairs are coupled.
  void Save(std::vector<double>* memory) const;
  void Load(std::span<const double>* memory);

 private:
  static constexpr bool kOfBody = Site::kOfBody;
  static constexpr int kArms = !kOfBody && N == 2 ? 1 : 0;
  static constexpr int kNodes = S + 4, kSize = 3 * kNodes + kArms;
  using Points = std::array<Vector3, N>;
  using Nodes = std::array<Vector3, S>;
  using Friction = SharedFriction<kNodes, kArms>;
  using Arms = std::array<Arm, kArms>;

  /// The displacement of a site and a body. In the body's frame the site moves along arcs, which
  /// are approximated by chords.
  struct Course {
    Course(const Site& site, const CarriedObstacle& body, const Configuration& from,
           std::span<const double> step);
    /// The site in the body's frame, after a fraction of the displacement.
    Points Seen(double part) const;
    /// Longest displacement (m) of a point of the site relative to the body.
    double Farthest() const;
    /// The fraction, at most `part`, that is free; `free_of(x, way)` returns that of a chord.
    template <class FreeOf>
    double Free(double part, const FreeOf& free_of) const;

    const CarrierSlopes& slope;
    Points x, dx;                         ///< m
    std::array<Vector3, 4> carrier, way;  ///< m
    double angle;                         ///< rad, rotation of the body
  };
  struct Pair {
    int site, body;
    Vector3 slip = Vector3::Zero();  ///< carried (m)
    bool touched = false;            ///< at the end of the previous step
    bool sticks = false;             ///< at that time
    int block = -1;                  ///< index among the coupled pairs, or -1
    ContactLag lag{};
    FrozenContact frozen{};
    typename Friction::Rows ways = Friction::Rows::Zero();  ///< when friction was frozen
  };
  struct Way {
    Eigen::Matrix<double, 3 * kNodes, 1> moved = Eigen::Matrix<double, 3 * kNodes, 1>::Zero();
    Arms arms;
    Vector3 beside = Vector3::Zero();
    double rate = 0;
  };

  std::array<int, kSize> Group(const Pair& pair, std::span<const CarriedObstacle> bodies) const;
  /// Of its block in the matrix; empty if it is not coupled.
  std::span<const int> OffsetsOf(const Pair& pair) const;
  void FindPlaces(std::span<const CarriedObstacle> bodies, const Configuration& at);
  Points PointsOf(const Site& site, const Configuration& at) const;
  static Points In(const BodyPlace& place, const Points& x);
  bool Far(const Pair& pair, const CarriedObstacle& body, const Points& x, double gap) const;
  SimplexTouch<kNodes> Locate(const Pair& pair, const CarriedObstacle& body,
                              const Configuration& at) const;
  Arms ArmsOf(const Site& site, const Motion& motion) const;
  Way WayOf(const Pair& pair, const CarriedObstacle& body, const FrictionLaw& law,
            const Motion& motion) const;
  StepPenalty PenaltyOf(const Pair& pair, const CarriedObstacle& body,
                        const ContactOptions& options, const Motion& motion, double gap,
                        const Penalty& elastic, ContactLag* lag) const;
  double GapAtOrigin(const Pair& pair, const CarriedObstacle& body, const Motion& motion) const;
  Evaluation AddContact(const Pair& pair, ContactLag* lag, std::span<const CarriedObstacle> bodies,
                        const ContactOptions& options, bool rubs, const Motion& motion,
                        const Derivatives& out, ContactSummary* summary) const;
  double AddFrozenFriction(const Pair& pair, std::span<const CarriedObstacle> bodies,
                           const FrictionLaw& law, const Motion& motion,
                           const Derivatives& out) const;

  std::vector<Site> site_;
  std::vector<Pair> pair_;
  std::vector<int> coupled_;                            ///< pairs in the matrix
  std::vector<std::array<int, kSize * kSize>> offset_;  ///< matrix offsets of each coupled pair
  std::vector<BodyPlace> place_;                        ///< workspace, per body
};

}  // namespace strand
