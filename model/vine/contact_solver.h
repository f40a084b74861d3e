// Unilateral contact in a step of a growing robot: the active contacts and their impulses.
//
// With A the equality rows, H the mass matrix and N the contacts' rows, the step is the quadratic
// program  min 1/2 v' H v - f' v,  A v = b,  N v >= h.  Its dual in the contacts' impulses alone is
//
//     S l + N v_free - h >= 0,  l >= 0,  complementary,   S = N [H A'; A 0]^-1 N'
//
// whose columns cost one banded solve each and are computed only for contacts that become active.
// Without friction it is solved by the dual active-set method of D. Goldfarb and A. Idnani (Math.
// Programming 27, 1983). Every pivot raises the dual objective, so that the method terminates, with
// the exact solution or the proof that there is none. It starts from the last step's active
// contacts.
//
// With friction (coefficient mu, planar cone |t| <= mu l, friction of a sliding contact opposed to
// its sliding: not the convex relaxation of the cone) it is the linear complementarity problem of
// D. Stewart and J. Trinkle (Int. J. Num. Meth. Eng. 39, 1996); see friction_problem.h. The
// tangential velocity of a sticking contact is zero: nothing creeps.
#pragma once

#include <vector>

#include "model/vine/chain_system.h"
#include "model/vine/contact_set.h"
#include "model/vine/friction_problem.h"

namespace strand {

enum class ContactOutcome { kSolved, kInfeasible, kPivots };

class VineContactSolver {
 public:
  VineContactSolver(int capacity, double friction);

  /// `free`: the unknowns without contact; `tolerance` (m): linearised gaps may be negative by
  /// this. If the outcome is not kSolved, blocking() is the contact that could not be satisfied.
  ContactOutcome Solve(const VineSystem& system, VineContactSet* set, const Eigen::VectorXd& free,
                       double dt, double tolerance);

  /// Active contacts of the last solution, in the order in which they became active.
  const std::vector<VineContact>& active() const { return active_; }
  const VineContact& blocking() const { return blocking_; }
  int pivots() const { return pivots_; }  ///< of the last Solve

  /// Adds the active contacts' impulses to the right-hand side of a system.
  void AddImpulses(VineContactSet* set, Eigen::VectorXd* right) const;

  /// Removes active contacts of pairs that have been retracted; `points` is the number left.
  void Truncate(int points);

 private:
  // A contact that has been active in this Solve, and its rows of N.
  struct Slot {
    VineContact contact;
    ContactRows rows;
  };

  int Directions() const { return friction_ > 0 ? 2 : 1; }
  const ContactRows& Rows(int column) const { return slot_[column / Directions()].rows; }
  int Direction(int column) const { return column % Directions(); }

  int Enter(const VineContact& contact);
  void Begin(const Eigen::VectorXd& free);
  void AddColumn(int column);
  bool Active(int slot) const;
  int FindSlot(const VineContact& contact) const;
  // Whether a pair of the contact has been retracted.
  bool Gone(const VineContact& contact) const {
    return contact.point >= points_ || set_->Segment(contact.object) >= points_;
  }
  // Whether a contact of the last solution is one to start from.
  bool Stays(const VineContact& last) const { return !Gone(last) && set_->Exists(last); }
  void RefactorActive();
  void SolveActive(Eigen::VectorXd* x) const;
  void Drop(int place);
  void WarmStart();
  ContactOutcome Add(int slot, int* left);
  void UpdateVelocity();
  ContactOutcome SolveFrictionless(double tolerance);
  ContactOutcome SolveFrictional(double rate_tolerance, double tolerance);
  void Finish();

  int pairs_, points_ = 0;
  double friction_;
  const VineSystem* system_ = nullptr;
  VineContactSet* set_ = nullptr;
  int pivots_ = 0;

  std::vector<Slot> slot_;
  std::vector<int> work_;            // active slots, in the order of the factor
  Eigen::VectorXd impulse_;          // by column
  Eigen::MatrixXd response_;         // velocities of bodies b by column
  Eigen::MatrixXd delassus_;         // S by column
  Eigen::MatrixXd factor_;           // Cholesky factor of S over work_
  Eigen::VectorXd free_, velocity_;  // of bodies b
  Eigen::VectorXd unknowns_, direction_;
  std::vector<VineContact> active_;
  VineContact blocking_;
  FrictionProblem problem_;
  std::vector<FrictionMode> modes_;  // by slot
};

}  // namespace strand
