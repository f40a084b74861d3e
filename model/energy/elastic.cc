#include "model/energy/elastic.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/stencil/natural_shape.h"

namespace strand {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void CheckStiffness(const char* field, double value, const char* unit) {
  if (!(value >= 0) || !std::isfinite(value)) {
    throw ConfigError(field, std::to_string(value), std::string("finite, >= 0 (") + unit + ")");
  }
}

void CheckFinite(const char* field, double value) {
  if (!std::isfinite(value)) throw ConfigError(field, std::to_string(value), "finite (rad)");
}

void CheckFactor(double factor) {
  if (factor > 0 && std::isfinite(factor)) return;
  throw ConfigError("stiffness_factor", std::to_string(factor), "finite, > 0");
}

// Springs in series: half an edge on each side of the joint. A clamp's edge has length 0.
double InSeries(double length_a, double stiffness_a, double length_b, double stiffness_b) {
  const double compliance_a = length_a > 0 ? length_a / stiffness_a : 0;
  const double compliance_b = length_b > 0 ? length_b / stiffness_b : 0;
  return (length_a + length_b) / (compliance_a + compliance_b);  // 0 if a compliance is infinite
}

}  // namespace

Frame Seen(const Frame& frame, int sign) {
  Frame seen = frame;
  if (sign < 0) seen.col(0) *= -1, seen.col(2) *= -1;
  return seen;
}

ElasticRest::ElasticRest(const Network& network, std::span<const EdgeMaterial> material,
                         const ElasticOptions& given)
    : options(given), joint(network.joint()) {
  if (static_cast<int>(material.size()) != network.edges()) {
    throw ConfigError("material", std::to_string(material.size()),
                      "one per edge: " + std::to_string(network.edges()));
  }
  for (int e = 0; e < network.edges(); ++e) AddEdge(network, e, material[e]);
  for (auto* array : {&bend_stiffness[0], &bend_stiffness[1], &twist_stiffness, &natural_twist,
                      &given_bend_stiffness_[0], &given_bend_stiffness_[1], &given_twist_stiffness_,
                      &voronoi_length, &natural[0], &natural[1], &natural[2], &natural[3],
                      &drawn_twist, &turned_back}) {
    array->resize(joint.size());
  }
  softness.assign(joint.size(), 1);
  factor_.assign(joint.size(), 1);
  given_.assign(joint.size(), false);
  drawn_turn = {std::vector<double>(joint.size(), 1), std::vector<double>(joint.size(), 0)};
  if (options.average == BendAverage::kMiddle && !options.twist) {
    options.average = BendAverage::kEnergies;
  }
  // Curvatures averaged over two frames that are twisted against each other are too small.
  isotropic_straight = options.average != BendAverage::kCurvatures;
  std::vector<bool> within_rod(joint.size(), false);
  for (int r = 0; r < network.rods(); ++r) {
    for (int i : network.rod(r).joint) within_rod[i] = true;
  }
  for (int i = 0; i < joints(); ++i) {
    const auto [a, b] = joint[i].edge;
    const double length_a = network.edge()[a].length, length_b = network.edge()[b].length;
    const auto average = [&](double of_a, double of_b) {
      return InSeries(length_a, of_a, length_b, of_b);
    };
    voronoi_length[i] = 0.5 * (length_a + length_b);
    in_series_.push_back({average(material[a].EI[0], material[b].EI[0]),
                          average(material[a].EI[1], material[b].EI[1]),
                          average(material[a].GJ, material[b].GJ)});
    SetGiven(i, in_series_.back());
    if (!options.rest_straight) SetDrawnShape(network, i, within_rod[i]);
  }
  joints_at_.resize(network.nodes());
  for (int i = 0; i < joints(); ++i) joints_at_[joint[i].node[1]].push_back(i);
  for (int node = 0; node < network.nodes(); ++node) {
    if (joints_at_[node].size() > 1) ShareHubs(node);
  }
}

void ElasticRest::AddEdge(const Network& network, int index, const EdgeMaterial& material) {
  CheckStiffness("EA", material.EA, "N");
  for (double EI : material.EI) CheckStiffness("EI", EI, "N m^2");
  CheckStiffness("GJ", material.GJ, "N m^2");
  CheckDamping(material.damping);
  const Edge& edge = network.edge()[index];
  const bool clamp = edge.length == 0;
  edge_stiffness_.push_back({material.EI[0], material.EI[1], material.GJ});
  for (double& k : edge_stiffness_.back()) k = clamp ? kInfinite : k / edge.length;
  edge_node.push_back(edge.node);
  axial_stiffness.push_back(clamp ? 0 : material.EA);
  given_axial_stiffness_.push_back(axial_stiffness.back());
  const Vector3 along = network.node()[edge.node[1]] - network.node()[edge.node[0]];
  rest_length.push_back(clamp ? along.norm() : edge.length);
}

void ElasticRest::SetDrawnShape(const Network& network, int i, bool within_rod) {
  const Frame a = Seen(network.frame()[joint[i].edge[0]], joint[i].sign[0]);
  const Frame b = Seen(network.frame()[joint[i].edge[1]], joint[i].sign[1]);
  const NaturalShape drawn = DrawnShape(a, b, options.measure);
  natural_twist[i] = drawn_twist[i] = drawn.twist;
  const bool continues = options.average == BendAverage::kMiddle && within_rod;
  // Frames made by parallel transport stay unturned: their twist is rounding error only.
  if (std::abs(drawn.twist) > kDrawnStraight && !continues) {
    turned_back[i] = drawn.twist;
    drawn_turn[0][i] = std::cos(drawn.twist), drawn_turn[1][i] = std::sin(drawn.twist);
  }
  SetNatural(i, drawn);
  isotropic_straight = isotropic_straight && drawn.straight();
  CorrectTwist(i);
}

void ElasticRest::SetNatural(int i, const NaturalShape& shape) {
  const bool middle = options.average == BendAverage::kMiddle;
  const NaturalShape seen = middle ? InTheMiddle(shape, turned_back[i]) : shape;
  for (int n = 0; n < 4; ++n) natural[n][i] = seen.curvature[n / 2][n % 2];
}

void ElasticRest::CorrectTwist(int i) {
  const BendRest bend{{bend_stiffness[0][i], bend_stiffness[1][i]},
                      {{{natural[0][i], natural[1][i]}, {natural[2][i], natural[3][i]}}}};
  const double given = given_twist_stiffness(i);
  const bool energies = options.average == BendAverage::kEnergies;
  twist_stiffness[i] = energies ? CorrectedTwistStiffness(given, bend) : given;
}

void ElasticRest::SetJointStiffness(int i, const std::array<double, 2>& EI, double GJ) {
  CheckIndex("joint", i, joints());
  for (double value : EI) CheckStiffness("EI", value, "N m^2");
  CheckStiffness("GJ", GJ, "N m^2");
  given_[i] = true;
  SetGiven(i, {EI[0], EI[1], GJ});
  ShareHubs(joint[i].node[1]);
}

void ElasticRest::SetGiven(int i, const std::array<double, 3>& stiffness) {
  for (int j : {0, 1}) {
    given_bend_stiffness_[j][i] = stiffness[j] / voronoi_length[i];
    bend_stiffness[j][i] = factor_[i] * given_bend_stiffness_[j][i] / softness[i];
  }
  given_twist_stiffness_[i] = options.twist ? stiffness[2] / voronoi_length[i] : 0;
  CorrectTwist(i);
  isotropic_straight = isotropic_straight && stiffness[0] == stiffness[1];
}

// Springs k_i between edges and a hub act like springs k_i k_j / sum(k) between any two edges (the
// star-mesh transform); the two alone, in series, have k_i k_j / (k_i + k_j).
void ElasticRest::ShareHubs(int node) {
  if (options.junction == Junction::kPairs) return;
  std::vector<int> left;
  std::ranges::copy_if(joints_at_[node], std::back_inserter(left),
                       [&](int i) { return !given_[i]; });
  while (!left.empty()) {
    const auto [joints, edges] = TakeConnected(&left);
    std::array<double, 3> sum{};
    for (int e : edges) {
      for (int c = 0; c < 3; ++c) sum[c] += edge_stiffness_[e][c];
    }
    // Every edge is joined to every other one, and none is a clamp.
    const bool hub = 2 * joints.size() == edges.size() * (edges.size() - 1) && sum[0] < kInfinite;
    for (int i : joints) {
      std::array<double, 3> stiffness = in_series_[i];
      const auto& [a, b] = joint[i].edge;
      for (int c = 0; hub && edges.size() > 2 && c < 3; ++c) {
        const double both = edge_stiffness_[a][c] + edge_stiffness_[b][c];
        if (sum[c] > 0) stiffness[c] *= both / sum[c];
      }
      SetGiven(i, stiffness);
    }
  }
}

// Removes from `left` the joints that are connected with its last one by edges that they share.
ElasticRest::Connected ElasticRest::TakeConnected(std::vector<int>* left) const {
  Connected found;
  const auto has = [&](int e) { return std::ranges::count(found.edge, e) > 0; };
  const auto take = [&](int i) {
    found.joint.push_back(i);
    for (int e : joint[i].edge) {
      if (!has(e)) found.edge.push_back(e);
    }
  };
  take(left->back()), left->pop_back();
  const auto touches = [&](int i) {
    const bool shares = has(joint[i].edge[0]) || has(joint[i].edge[1]);
    if (shares) take(i);
    return shares;
  };
  while (std::erase_if(*left, touches) > 0) {
  }
  return found;
}

void ElasticRest::Soften(int i, double factor) {
  for (auto& stiffness : bend_stiffness) stiffness[i] *= softness[i] / factor;
  softness[i] = factor;
}

void ElasticRest::SetStiffnessFactor(int i, double factor) {
  CheckIndex("joint", i, joints());
  CheckFactor(factor);
  if (options.order > 2) {
    throw ConfigError("curvature", "smooth", "angle or tangent, with stiffness factors of joints");
  }
  factor_[i] = factor;
  for (int j : {0, 1}) bend_stiffness[j][i] = factor * given_bend_stiffness_[j][i];
  CorrectTwist(i);
}

void ElasticRest::SetStretchFactor(int edge, double factor) {
  CheckIndex("edge", edge, edges());
  if (factor != 0) CheckFactor(factor);
  axial_stiffness[edge] = factor * given_axial_stiffness_[edge];
}

void ElasticRest::SetTwistStiffness(int i, double stiffness) {
  given_twist_stiffness_[i] = stiffness;
  CorrectTwist(i);
}

void ElasticRest::SetNaturalCurvature(int i, const std::array<double, 2>& curvature) {
  CheckIndex("joint", i, joints());
  for (double w : curvature) CheckFinite("natural_curvature", w);
  const auto at_b = TurnedPair(curvature, drawn_turn[0][i], drawn_turn[1][i]);
  SetNatural(i, {{curvature, at_b}, drawn_twist[i]});
  isotropic_straight = false;
  CorrectTwist(i);
}

void ElasticRest::SetNaturalTwist(int i, double twist) {
  CheckIndex("joint", i, joints());
  CheckFinite("natural_twist", twist);
  natural_twist[i] = twist;
}

void ElasticRest::SetRestLength(int edge, double length) {
  CheckIndex("edge", edge, edges());
  if (!(length > 0) || !std::isfinite(length)) {
    throw ConfigError("rest_length", std::to_string(length), "finite, > 0 (m)");
  }
  rest_length[edge] = length;
}

}  // namespace strand
