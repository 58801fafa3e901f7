//===- Tuner.h - Measure configurations -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the configurations of a space, each checked against the interpreter, and
// those that are near the best one again, in turns, so that what disturbs a
// machine for a while disturbs all of them. Of large spaces it runs some at
// random, and then the neighbours of the best ones, which differ from them in
// one parameter by one value, as long as these are better; or those first that
// a model predicts to be fast.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_TUNER_H
#define TILEIR_TUNE_TUNER_H

#include "tileir/Tune/Cache.h"
#include "tileir/Tune/Space.h"
#include "tileir/Tune/Worker.h"

namespace tileir::tune {

struct TunerOptions {
  std::string tileRun; ///< its path
  std::string file;
  /// Options of tile-run, with `${name}` for parameters.
  std::vector<std::string> arguments;
  /// Options for the run that is compared with the interpreter, beside those,
  /// the one that asks for it first; "--inputs=" takes the place of the other.
  std::vector<std::string> checkArguments;
  /// Options for the runs that are timed, beside those.
  std::vector<std::string> timeArguments;
  /// Whether the simulator's estimate counts, which is always the same.
  bool isEstimate = false;
  /// How many processes run at once. Where times count, none runs beside one
  /// that is timed.
  unsigned jobs = 1;
  /// Whether all configurations are run, however many there are.
  bool isExhaustive = false;
  /// How often those near the best are timed at the most, and the timed runs
  /// of a process.
  unsigned rounds = 12, repeat = 5;
  unsigned budgetSeconds = 0; ///< 0: all the time
  Limits limits;
};

/// A configuration and what is known of it.
struct Result {
  Configuration configuration;
  size_t number = 0; ///< its place in the space
  Outcome outcome;
  bool isMeasured = false, isFromCache = false;
  /// When it was measured, in seconds from the beginning.
  double time = 0;
  /// Its least times and medians of the rounds in which those near the best
  /// were timed in turns, and how many times as long as the best one it takes
  /// by the former; 0 if it was not among them.
  std::vector<double> rounds, medians;
  double ratio = 0;

  bool isRight() const { return isMeasured && outcome.reason.empty(); }
};

class Tuner {
public:
  Tuner(const Space &space, const TunerOptions &options, Cache &cache)
      : space(space), options(options), cache(cache) {}

  /// Measures until all is known, the time is over, or SIGINT. Progress goes to
  /// stderr. Fails if nothing can be run.
  llvm::Error run();

  /// The one that is chosen first, then others that are right, then the rest.
  llvm::ArrayRef<Result> getResults() const { return results; }
  /// The least milliseconds, or estimated microseconds.
  double getCost(const Result &result) const {
    return options.isEstimate ? result.outcome.estimate : result.outcome.least;
  }
  /// How many times as long as the best one it takes: by the rounds that it was
  /// in, if any.
  double getRatio(const Result &result) const {
    return result.ratio ? result.ratio : getCost(result) / leastCost;
  }
  /// Why some are not measured; empty if all are.
  llvm::StringRef getStop() const { return stop; }
  /// The options of tile-run that ask for a configuration.
  std::vector<std::string> getOptions(const Configuration &configuration) const;

private:
  /// A configuration that is run: compared with the interpreter first, then
  /// timed.
  struct Job {
    Result *result = nullptr;
    bool isChecked = false;
    Worker worker;
  };

  /// Runs all of a small space, or some of a large one.
  llvm::Error search();
  /// Those that differ from `result` in one parameter by one value.
  std::vector<Result *> findNeighbours(const Result &result);
  llvm::Error runRound(llvm::ArrayRef<Result *> candidates, bool isFirst);
  llvm::Error start(Job &job, bool isFirst);
  /// Takes what came of a run; whether nothing is left to be done.
  bool finish(Job &job, const Outcome &outcome, bool isFirst);
  /// Runs one by itself, to its end.
  llvm::Expected<Outcome> runAlone(const std::vector<std::string> &arguments);
  /// Times those near the best in turns, again and again, until one is left or
  /// all rounds are over.
  llvm::Error runFinals();
  /// Times the best one and what comes first in the space, these two alone: the
  /// best one of many may just have had most luck.
  llvm::Error confirm();
  /// Of those that are still in, the ones that stay for another round.
  std::vector<Result *> selectFinalists(std::vector<Result *> left,
                                        unsigned round);
  /// Sorts the results, what is chosen first, and keeps the choice.
  void choose();
  /// Compares the chosen one with the interpreter, on the inputs that it was
  /// measured on, if only others were compared: if it is wrong, the next one.
  llvm::Error checkBest();
  void keep(const Result &result);
  bool hasOtherInputs() const;
  /// Those of tile-run for a configuration, and `more`.
  std::vector<std::string> getArguments(const Result &result,
                                        llvm::ArrayRef<std::string> more) const;
  const Result *findBest() const;
  /// The best ones, at most so many.
  std::vector<const Result *> findBest(size_t count) const;
  bool isOver();
  /// The first ones to run of a large space, at most so many.
  std::vector<Result *> chooseFirst(std::vector<Result *> left, size_t most);
  /// A line of progress; `each` is how long one has taken, in seconds.
  void tell(size_t number, size_t count, double each, const Result &result);

  const Space &space;
  const TunerOptions &options;
  Cache &cache;
  std::vector<Result> results;
  std::string stop;
  /// Of what may run beside another one, and what may not.
  std::string lockFile;
  double begin = 0, leastCost = 0;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_TUNER_H
