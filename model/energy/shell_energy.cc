#include "model/energy/shell_energy.h"

#include <algorithm>

#include "model/assembly/block.h"
#include "model/stencil/hinge.h"

namespace strand {
namespace {

constexpr int kStencilBlock = 128;  // stencils: enough to be worth waking a thread
constexpr int kWorthThreads = 16;   // blocks

// All degrees of freedom of a stencil: the first `nodes` entries are nodes, the rest rotations.
template <size_t N>
std::vector<int> AllDofs(const std::array<int, N>& first, size_t nodes) {
  std::vector<int> dofs;
  for (size_t k = 0; k < N; ++k) {
    for (int c = 0; c < (k < nodes ? 3 : 1); ++c) dofs.push_back(first[k] < 0 ? -1 : first[k] + c);
  }
  return dofs;
}

constexpr size_t kFacetNodes = 6;

template <class Index, class Do>
void ForEachList(Index& index, const Do& act) {
  act(index.spring, 2), act(index.membrane, 3), act(index.hinge, 4), act(index.facet, kFacetNodes);
}

}  // namespace

ShellEnergy::ShellEnergy(const Network& network, ShellRest rest, const Dofs& dofs,
                         const ShellLoops& loops)
    : rest_(std::move(rest)), loops_(loops) {
  const auto node = [&](int n) { return n < 0 ? -1 : dofs.node(n); };
  for (int e = 0; e < rest_.edges(); ++e) {
    const MeshEdge& edge = rest_.edge[e];
    if (rest_.material[rest_.shell_of_edge[e]].membrane == Membrane::kSprings) {
      index_.spring.item.push_back(e);
      index_.spring.dof.push_back({node(edge.node[0]), node(edge.node[1])});
    }
    if (!edge.folds()) continue;
    folding_.push_back(e);
    corner_.push_back(
        {node(edge.node[0]), node(edge.node[1]), node(edge.wing[0]), node(edge.wing[1])});
    if (network.shell(rest_.shell_of_edge[e]).mid_edge) continue;
    index_.hinge.item.push_back(e);
    index_.hinge.dof.push_back(corner_.back());
  }
  for (size_t t = 0; t < rest_.triangle.size(); ++t) {
    const Triangle& of = rest_.triangle[t];
    const int shell = rest_.shell_of_triangle[t];
    if (rest_.material[shell].membrane == Membrane::kContinuum) {
      index_.membrane.item.push_back(static_cast<int>(t));
      index_.membrane.dof.push_back({node(of.node[0]), node(of.node[1]), node(of.node[2])});
    }
    if (!network.shell(shell).mid_edge) continue;
    index_.facet.item.push_back(static_cast<int>(t));
    std::array<int, 9>& dof = index_.facet.dof.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const MeshEdge& across = rest_.edge[of.edge[k]];
      dof[k] = node(of.node[k]);
      dof[3 + k] = node(across.wing[of.sign[k] > 0 ? 1 : 0]);
      dof[6 + k] = dofs.rotation(of.edge[k]);
    }
  }
  Arrange(&index_.spring, &springs_), Arrange(&index_.membrane, &membranes_);
  Arrange(&index_.hinge, &hinges_), Arrange(&index_.facet, &facets_);
  UseThreads(static_cast<int>(std::thread::hardware_concurrency()));
}

// Sorts the stencils by blocks of a colouring, so that blocks of one colour can run in parallel.
template <size_t N>
void ShellEnergy::Arrange(StencilList<N>* list, Blocks* blocks) {
  std::vector<int> nodes;
  for (const auto& dof : list->dof) nodes.insert(nodes.end(), dof.begin(), dof.end());
  blocks->colouring = ColourBlocks(nodes, N, kStencilBlock);
  blocks->value.resize(blocks->colouring.blocks());
  StencilList<N> arranged;
  for (int s : blocks->colouring.order) {
    arranged.item.push_back(list->item[s]), arranged.dof.push_back(list->dof[s]);
  }
  *list = std::move(arranged);
}

void ShellEnergy::UseThreads(int threads) {
  const int most = std::max({springs_.colouring.blocks(), membranes_.colouring.blocks(),
                             hinges_.colouring.blocks(), facets_.colouring.blocks()});
  workers_ = std::make_unique<Workers>(most < kWorthThreads ? 1 : std::max(threads, 1));
}

void ShellEnergy::Couple(const Dofs& dofs, Pattern* pattern) const {
  ForEachList(index_, [&](const auto& list, size_t nodes) {
    for (const auto& first : list.dof) {
      std::vector<int> unknowns = AllDofs(first, nodes);
      for (int& dof : unknowns) dof = dof < 0 ? -1 : dofs.unknown(dof);
      pattern->Couple(unknowns);
    }
  });
}

void ShellEnergy::Bind(const Dofs& dofs, const LinearSystem& system) {
  ForEachList(index_, [&](auto& list, size_t nodes) {
    list.plan = {};
    for (const auto& first : list.dof) {
      PlanStencil(dofs, system, AllDofs(first, nodes), &list.plan);
    }
  });
}

template <class Loop>
Evaluation ShellEnergy::EvaluateAll(Loop loop, Blocks* blocks, const Motion& motion,
                                    const Derivatives& out) {
  const Colouring& colouring = blocks->colouring;
  for (int c = 0; c < colouring.colours(); ++c) {
    const int first = colouring.colour[c];
    workers_->Run(colouring.colour[c + 1] - first, [&](int task) {
      const int b = first + task;
      const StencilRange range{colouring.block[b], colouring.block[b + 1]};
      blocks->value[b] = loop(index_, rest_, motion.at, range, out);
    });
  }
  Evaluation sum;
  for (const Evaluation& value : blocks->value) sum += value;
  return sum;
}

Evaluation ShellEnergy::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation sum = EvaluateAll(loops_.springs, &springs_, motion, out);
  sum += EvaluateAll(loops_.membranes, &membranes_, motion, out);
  sum += EvaluateAll(loops_.hinges, &hinges_, motion, out);
  sum += EvaluateAll(loops_.facets, &facets_, motion, out);
  return sum;
}

double ShellEnergy::AngleNear(int hinge, const Configuration& at, double near) const {
  const auto [x0, x1, x2, x3] = corner_[hinge];
  return Hinge(at.position(x0), at.position(x1), at.position(x2), at.position(x3)).AngleNear(near);
}

void ShellEnergy::Accept(const Motion& motion) {
  for (size_t h = 0; h < folding_.size(); ++h) {
    double& near = rest_.near_angle[folding_[h]];
    near = AngleNear(static_cast<int>(h), motion.at, near);
  }
}

void ShellEnergy::CountFromRest(const Configuration& at) {
  for (size_t h = 0; h < folding_.size(); ++h) {
    const int e = folding_[h];
    rest_.near_angle[e] = AngleNear(static_cast<int>(h), at, rest_.natural_angle[e]);
  }
}

void ShellEnergy::Save(std::vector<double>* memory) const {
  memory->insert(memory->end(), rest_.near_angle.begin(), rest_.near_angle.end());
}

void ShellEnergy::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, rest_.near_angle.size());
  rest_.near_angle.assign(saved.begin(), saved.end());
}

}  // namespace strand
