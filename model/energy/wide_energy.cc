#include "model/energy/wide_energy.h"

#include <algorithm>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/stencil/edge.h"

namespace strand {
namespace {

// Edges and joints of a rod in order, including the clamps at its ends.
struct Chain {
  std::vector<int> edge, joint;
  bool closed;
};

Chain ChainOf(const Network& network, int rod) {
  const RodTopology& of = network.rod(rod);
  Chain chain{of.edge, of.joint, of.closed};
  for (int i = 0; i < network.joints() && !of.closed; ++i) {
    const auto& [a, b] = network.joint()[i].edge;
    if (b == of.edge.front() && network.edge()[a].length == 0) {
      chain.edge.insert(chain.edge.begin(), a);
      chain.joint.insert(chain.joint.begin(), i);
    } else if (a == of.edge.back() && network.edge()[b].length == 0) {
      chain.edge.push_back(b);
      chain.joint.push_back(i);
    }
  }
  return chain;
}

// Which terms there are, by the rules of the plugin's rods.
RodRest RulesOf(const Network& network, const ElasticRest& rest, const Chain& chain, int order) {
  RodParameters parameters;
  parameters.closed = chain.closed;
  parameters.rest_straight = true;
  parameters.order = order;
  for (int e : chain.edge) parameters.length.push_back(network.edge()[e].length);
  for (int i : chain.joint) {
    const double l = rest.voronoi_length[i];
    constexpr double kAnyGJ = 1;  // the rules depend on bending alone
    parameters.stiffness.push_back(
        {{l * rest.bend_stiffness[0][i], l * rest.bend_stiffness[1][i]}, kAnyGJ});
  }
  const std::vector<Frame> frames(chain.edge.size(), Frame::Identity());
  return MakeRodRest(parameters, frames);
}

// Rows by edges, and two by angles, as rows by nodes: e_k = x_{k+1} - x_k.
template <int Rows, int Columns>
Eigen::Matrix<double, Rows + 3, Columns> RowsToNodes(
    const Eigen::Matrix<double, Rows, Columns>& by_edge) {
  Eigen::Matrix<double, Rows + 3, Columns> by_node;
  by_node.template topRows<3>() = -by_edge.template topRows<3>();
  for (int k = 3; k + 5 <= Rows; k += 3) {
    by_node.template middleRows<3>(k) =
        by_edge.template middleRows<3>(k - 3) - by_edge.template middleRows<3>(k);
  }
  by_node.template bottomRows<5>() = by_edge.template bottomRows<5>();
  return by_node;
}

}  // namespace

/// Derivatives over the directions of six links, then over two angles.
struct WideEnergy::Derived {
  static constexpr int kSlots = 3 * kLinks + 2;
  using Slots = Eigen::Matrix<double, kSlots, 1>;
  Slots gradient = Slots::Zero();
  Eigen::Matrix<double, kSlots, kSlots> hessian = Eigen::Matrix<double, kSlots, kSlots>::Zero();
  bool wants_hessian = false;

  /// A variable of the terms: the direction of a link, or a turn, the difference of two.
  struct Variable {
    int link;
    bool turn;
  };

  static void AddSlope(const Variable& v, const Vector3& slope, Slots* to) {
    to->segment<3>(3 * v.link + (v.turn ? 3 : 0)) += slope;
    if (v.turn) to->segment<3>(3 * v.link) -= slope;
  }
  void AddBlock(const Variable& row, const Variable& column, const Eigen::Matrix3d& block) {
    for (int r = 0; r <= int(row.turn); ++r) {
      for (int c = 0; c <= int(column.turn); ++c) {
        const bool opposite = (row.turn && r == 0) != (column.turn && c == 0);
        auto at = hessian.block<3, 3>(3 * (row.link + r), 3 * (column.link + c));
        if (opposite) {
          at -= block;
        } else {
          at += block;
        }
      }
    }
  }
  /// Adds `weight` times the second derivative of the holonomy of link 2 + k of the six.
  void AddHolonomy(const HolonomyWeights& weights, const WideTurns& at, int k, double weight) {
    WideHessian second = WideHessian::Zero();
    AddHolonomyHessian(weights, at, weight, &second);
    const auto variable = [&](int v) {
      return v == 0 ? Variable{2 + k, false} : Variable{k + v - 1, true};
    };
    for (int r = 0; r < 5; ++r) {
      for (int c = 0; c < 5; ++c) {
        AddBlock(variable(r), variable(c), second.block<3, 3>(3 * r, 3 * c));
      }
    }
  }
};

WideEnergy::WideEnergy(const Network& network, const Dofs& dofs, int order, ElasticRest* rest)
    : rest_(rest) {
  if (!rest->isotropic_straight) {
    throw ConfigError("curvature", order == 4 ? "smooth4" : "smooth",
                      "angle or tangent, unless all rods are straight at rest and as stiff about "
                      "either axis");
  }
  for (int r = 0; r < network.rods(); ++r) AddRod(network, dofs, r, order);
}

void WideEnergy::AddRod(const Network& network, const Dofs& dofs, int rod, int order) {
  const Chain chain = ChainOf(network, rod);
  if (chain.joint.size() < 2) return;
  const RodRest rules = RulesOf(network, *rest_, chain, order);
  const int links = rules.links(), joints = rules.joints();
  const auto wrapped = [&](int k, int count) {
    if (chain.closed) return (k + count) % count;
    return k >= 0 && k < count ? k : -1;
  };
  for (int i = 0; i < joints; ++i) {
    rest_->Soften(chain.joint[i], rules.softness[i]);
    const WideLink here = rules.wide[i], next = rules.wide[rules.next(i)];
    if (!here.holonomy.exist() && !next.holonomy.exist()) continue;
    Site site;
    site.change = next.change[0] > 0, site.second_change = here.second_change > 0;
    site.holonomy = {here.holonomy, next.holonomy};
    for (int j = 0; j < 5; ++j) {
      const int at = wrapped(i - 2 + j, joints);
      site.joint[j] = at < 0 ? -1 : chain.joint[at];
    }
    site.node.fill(-1);
    for (int k = 0; k < kLinks; ++k) {
      const int link = wrapped(i - 2 + k, links);
      site.edge[k] = link < 0 ? -1 : chain.edge[link];
      if (link < 0) continue;
      const auto& node = network.edge()[site.edge[k]].node;
      site.node[k] = dofs.node(node[0]), site.node[k + 1] = dofs.node(node[1]);
    }
    for (int side = 0; side < 2; ++side) site.angle[side] = dofs.edge(site.edge[2 + side]);
    site_.push_back(site);
  }
}

std::array<int, WideEnergy::kSize> WideEnergy::DofsOf(const Site& site) {
  std::array<int, kSize> dofs;
  for (int k = 0; k < kSize - 2; ++k) {
    const int first = site.node[k / 3];
    dofs[k] = first < 0 ? -1 : first + k % 3;
  }
  dofs[kSize - 2] = site.angle[0], dofs[kSize - 1] = site.angle[1];
  return dofs;
}

void WideEnergy::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Site& site : site_) CoupleBlock(dofs, DofsOf(site), pattern);
}

void WideEnergy::Bind(const Dofs& dofs, const LinearSystem& system) {
  entry_.resize(site_.size());
  for (size_t s = 0; s < site_.size(); ++s) {
    BlockOffsets(dofs, system, DofsOf(site_[s]), entry_[s]);
  }
}

// Terms of bending. `turn`: of the joints i-2 .. i+2.
double WideEnergy::BendingTerms(const Site& site, const std::array<Vector3, 5>& turn,
                                Derived* out) const {
  std::array<double, 5> scale{};
  std::array<Vector3, 5> x, slope;
  for (int j = 0; j < 5; ++j) {
    if (site.joint[j] >= 0) scale[j] = 1 / rest_->softness[site.joint[j]];
    x[j] = scale[j] * turn[j], slope[j].setZero();
  }
  const bool second = out && out->wants_hessian;
  const auto add = [&](int a, int b, const Eigen::Matrix3d& block) {
    out->AddBlock({a, true}, {b, true}, scale[a] * scale[b] * block);
    if (a != b) out->AddBlock({b, true}, {a, true}, scale[a] * scale[b] * block.transpose());
  };
  const auto half_stiffness = [&](int j) {
    return 0.5 * rest_->bend_stiffness[0][site.joint[j]] * rest_->softness[site.joint[j]];
  };
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  double energy = 0;
  if (site.change) {
    const double B = 0.5 * (half_stiffness(2) + half_stiffness(3));
    energy += B * TurnChange(x[2], x[3], B, &slope[2], &slope[3]);
    if (second) {
      const auto own = TurnChangeHessian(x[2], x[3]);
      add(2, 2, B * own[0]), add(3, 3, B * own[1]), add(2, 3, -B / 6 * identity);
    }
  }
  if (site.second_change) {
    const double B = half_stiffness(2);
    energy += B * TurnSecondChange(x[1], x[2], x[3], B, &slope[1], &slope[2], &slope[3]);
    if (second) {
      add(1, 1, B / 45 * identity), add(3, 3, B / 45 * identity), add(1, 3, B / 45 * identity);
      add(2, 2, B * TurnSecondChangeHessian(x[2]));
      add(1, 2, -2 * B / 45 * identity), add(2, 3, -2 * B / 45 * identity);
    }
  }
  for (int j = 0; out && j < 5; ++j) {
    Derived::AddSlope({j, true}, scale[j] * slope[j], &out->gradient);
  }
  return energy;
}

// C [(m - mbar) c + c^2 / 2] for the directions t of the links i-2 .. i+3.
double WideEnergy::TwistTerms(const Site& site, double twist, const std::array<Vector3, kLinks>& t,
                              const std::array<Vector3, 5>& turn, Derived* out) const {
  const auto window = [&](int k) {
    return WideTurns{t[2 + k], {turn[k], turn[k + 1], turn[k + 2], turn[k + 3]}};
  };
  double c = 0;
  for (int k = 0; k < 2; ++k) {
    if (site.holonomy[k].exist()) c -= 0.5 * WideHolonomy(site.holonomy[k], window(k), 0, nullptr);
  }
  const int joint = site.joint[2];
  const double stiffness = rest_->twist_stiffness[joint];
  const double excess = twist - rest_->natural_twist[joint];
  const double energy = stiffness * (excess + 0.5 * c) * c;
  if (!out) return energy;

  Derived::Slots by_c = Derived::Slots::Zero(), by_m = Derived::Slots::Zero();
  for (int k = 0; k < 2; ++k) {
    if (!site.holonomy[k].exist()) continue;
    WideTurns gradient;
    gradient.SetZero();
    WideHolonomy(site.holonomy[k], window(k), -0.5, &gradient);
    Derived::AddSlope({2 + k, false}, gradient.direction, &by_c);
    for (int j = 0; j < 4; ++j) Derived::AddSlope({k + j, true}, gradient.turn[j], &by_c);
  }
  const JointGeometry geometry(t[2], t[3]);
  by_m.segment<3>(6) = by_m.segment<3>(9) = TwistSlope(geometry);
  by_m.tail<2>() << -1, 1;
  const double moment = stiffness * (excess + c);
  out->gradient += moment * by_c + stiffness * c * by_m;
  if (!out->wants_hessian) return energy;

  for (int k = 0; k < 2; ++k) {
    if (site.holonomy[k].exist()) out->AddHolonomy(site.holonomy[k], window(k), k, -0.5 * moment);
  }
  out->hessian +=
      stiffness * (by_c * by_c.transpose() + by_c * by_m.transpose() + by_m * by_c.transpose());
  JointHessian second;
  second.SetZero();
  AddTwistCurvature(geometry, stiffness * c, &second);
  out->hessian.block<3, 3>(6, 6) += second.aa;
  out->hessian.block<3, 3>(9, 9) += second.bb;
  out->hessian.block<3, 3>(6, 9) += second.ab;
  out->hessian.block<3, 3>(9, 6) += second.ab.transpose();
  return energy;
}

// Energy of a joint's terms and, unless null, its derivatives by the links' directions.
double WideEnergy::Terms(const Site& site, const Configuration& at, Derived* out) const {
  std::array<Vector3, kLinks> t;
  for (int k = 0; k < kLinks; ++k) {
    t[k].setZero();
    if (site.edge[k] >= 0) t[k] = at.direction(site.edge[k]);
  }
  std::array<Vector3, 5> turn;
  for (int j = 0; j < 5; ++j) {
    turn[j].setZero();
    if (site.edge[j] >= 0 && site.edge[j + 1] >= 0) turn[j] = t[j + 1] - t[j];
  }
  const double bend = BendingTerms(site, turn, out);
  return rest_->options.twist ? bend + TwistTerms(site, at.twist[site.joint[2]], t, turn, out)
                              : bend;
}

Evaluation WideEnergy::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t s = 0; s < site_.size(); ++s) {
    const Site& site = site_[s];
    Derived derived;
    derived.wants_hessian = out.values != nullptr;
    result.energy += Terms(site, motion.at, out.gradient ? &derived : nullptr);
    if (!out.gradient) continue;
    DirectionsToEdges(site, motion.at, &derived);
    const Eigen::Matrix<double, kSize, 1> gradient = RowsToNodes(derived.gradient);
    const std::array<int, kSize> dofs = DofsOf(site);
    for (int k = 0; k < kSize; ++k) {
      if (dofs[k] >= 0) out.gradient[dofs[k]] += gradient[k];
    }
    result.force = std::max(result.force, gradient.head<kSize - 2>().cwiseAbs().maxCoeff());
    result.moment = std::max(result.moment, gradient.tail<2>().cwiseAbs().maxCoeff());
    if (!out.values) continue;
    const auto rows = RowsToNodes(derived.hessian);
    const Eigen::Matrix<double, kSize, kSize> hessian = RowsToNodes(rows.transpose().eval());
    for (int k = 0; k < kSize * kSize; ++k) out.values[entry_[s][k]] += hessian.data()[k];
  }
  return result;
}

// The chain rule of stencil/edge.h for all links. Slots of absent links are zero.
void WideEnergy::DirectionsToEdges(const Site& site, const Configuration& at, Derived* derived) {
  auto& [gradient, hessian, wants_hessian] = *derived;
  for (int k = 0; k < kLinks; ++k) {
    if (site.edge[k] < 0) continue;
    const Vector3 t = at.direction(site.edge[k]);
    const double per_length = 1 / at.length[site.edge[k]];
    auto slope = gradient.segment<3>(3 * k);
    const double along = t.dot(slope);
    const Vector3 across = slope - along * t;
    slope = per_length * across;
    if (!wants_hessian) continue;
    auto rows = hessian.middleRows<3>(3 * k);
    rows = per_length * (rows - t * (t.transpose() * rows)).eval();
    auto columns = hessian.middleCols<3>(3 * k);
    columns = per_length * (columns - (columns * t) * t.transpose()).eval();
    const Eigen::Matrix3d turn = (0.5 * along * t - across) * t.transpose();
    auto own = hessian.block<3, 3>(3 * k, 3 * k);
    own += per_length * per_length * (turn + turn.transpose());
    own.diagonal().array() -= per_length * per_length * along;
  }
}

}  // namespace strand
