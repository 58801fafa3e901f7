//===- Tuner.cpp - Measure configurations ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Tuner.h"

#include "TemporaryFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

using namespace tileir::tune;
using llvm::Error;
using llvm::formatv;

/// So many configurations are all run. Of more, how many of the best ones are
/// followed to their neighbours, and how many of these are run before others.
static constexpr size_t kSmallSpace = 64, kFollowed = 4, kAtOnce = 8;
/// So many quarters of those that are run of a large space are the ones that a
/// model predicts to be fastest, if there is one.
static constexpr size_t kPredicted = 3;
static constexpr std::chrono::milliseconds kPollPeriod(2);
/// For round i those that take so many times as long as the best one are out,
/// and all but so many. Others may use the same core, unseen, for seconds, and
/// what runs then takes up to twice as long: few rounds are no reason.
static constexpr struct {
  double most;
  size_t count;
} kFinals[] = {{2, 32},  {2, 24},  {2, 16},   {1.5, 12},
               {1.5, 8}, {1.3, 6}, {1.15, 6}, {1.05, 6}};
/// So many milliseconds are timed at least in a process of a later round, by
/// more runs; but at most so many runs.
static constexpr double kTimedMilliseconds = 20;
static constexpr unsigned kMostRepeats = 1000;
/// What comes first in the space, for contractions what is chosen without
/// tuning, is in so many rounds even if its first runs took so much longer.
static constexpr unsigned kRoundsOfFirst = 3;
static constexpr double kMostOfFirst = 4;
/// Configurations are not told apart that take so many times as long as the
/// best one at the most: the one that comes first in the space is chosen. Who
/// is out in the rounds takes longer than that.
static constexpr double kSame = 1.02, kOut = 1.05;

/// In so many rounds the best one is timed beside the first one of the space,
/// if that takes at most so many times as long.
static constexpr unsigned kConfirmations = 9;
static constexpr double kMostOfConfirmed = 1.5;

static std::atomic<bool> wasInterrupted;

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

static double getSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool Tuner::isOver() {
  if (wasInterrupted)
    stop = "interrupted";
  else if (options.budgetSeconds != 0 &&
           getSeconds() - begin > options.budgetSeconds)
    stop = formatv("the budget of {0} s is used up", options.budgetSeconds);
  else
    return false;
  return true;
}

const Result *Tuner::findBest() const {
  const Result *best = nullptr;
  for (const Result &result : results)
    if (result.isRight() && (!best || getCost(result) < getCost(*best)))
      best = &result;
  return best;
}

void Tuner::tell(size_t number, size_t count, double each,
                 const Result &result) {
  llvm::raw_ostream &os = llvm::errs();
  os << "[tune] " << number << '/' << count << ' '
     << space.describe(result.configuration) << ": ";
  const char *unit = options.isEstimate ? " us" : " ms";
  if (!result.outcome.reason.empty())
    os << result.outcome.reason;
  else
    os << llvm::format("%.4g", getCost(result)) << unit;
  if (const Result *best = findBest())
    os << llvm::format("; best %.4g", getCost(*best)) << unit;
  if (number < count)
    os << llvm::format("; %.0f s left", each * double(count - number));
  os << '\n';
}

bool Tuner::hasOtherInputs() const {
  return llvm::any_of(options.checkArguments, [](llvm::StringRef option) {
    return option.starts_with("--inputs=");
  });
}

std::vector<std::string>
Tuner::getOptions(const Configuration &configuration) const {
  std::vector<std::string> result = space.getDefinitions(configuration);
  for (const std::string &option : options.arguments)
    result.push_back(space.substitute(option, configuration));
  return result;
}

std::vector<std::string>
Tuner::getArguments(const Result &result,
                    llvm::ArrayRef<std::string> more) const {
  std::vector<std::string> arguments = {options.file};
  llvm::append_range(arguments, getOptions(result.configuration));
  auto isInputs = [](llvm::StringRef option) {
    return option.starts_with("--inputs=");
  };
  if (llvm::any_of(more, isInputs))
    llvm::erase_if(arguments, isInputs);
  for (const std::string &option : more)
    arguments.push_back(space.substitute(option, result.configuration));
  if (!lockFile.empty())
    arguments.push_back("--measure-lock=" + lockFile);
  return arguments;
}

Error Tuner::start(Job &job, bool isFirst) {
  bool checks = isFirst && !job.isChecked;
  unsigned repeat = options.repeat;
  if (!isFirst && !options.isEstimate) {
    double runs = kTimedMilliseconds / job.result->outcome.median;
    repeat = std::clamp<double>(runs, repeat, std::max(repeat, kMostRepeats));
  }
  std::vector<std::string> more = options.timeArguments;
  more.push_back(formatv("--repeat={0}", repeat));
  // Each may wait until the others were timed.
  Limits limits = options.limits;
  if (!lockFile.empty())
    limits.seconds *= options.jobs;
  return job.worker.start(
      options.tileRun,
      getArguments(*job.result, checks ? options.checkArguments : more),
      limits);
}

bool Tuner::finish(Job &job, const Outcome &outcome, bool isFirst) {
  Result &result = *job.result;
  result.time = getSeconds() - begin;
  if (isFirst && !job.isChecked) {
    result.outcome = outcome;
    job.isChecked = true;
    // What is checked is what is measured, unless it had other inputs.
    return !outcome.reason.empty() || (options.isEstimate && !hasOtherInputs());
  }
  if (!outcome.reason.empty() || isFirst) {
    result.outcome = outcome;
    return true;
  }
  result.rounds.push_back(outcome.least);
  result.medians.push_back(outcome.median);
  Outcome &known = result.outcome;
  known.median = getMedian(result.medians);
  known.megahertz = outcome.megahertz;
  known.least = std::min(known.least, outcome.least);
  known.most = std::max(known.most, outcome.most);
  return true;
}

Error Tuner::runRound(llvm::ArrayRef<Result *> candidates, bool isFirst) {
  double first = getSeconds();
  std::vector<Job> jobs;
  size_t numBegun = 0, numEnded = 0;
  while (!wasInterrupted) {
    for (; jobs.size() < options.jobs && numBegun < candidates.size() &&
           !isOver();
         ++numBegun) {
      jobs.emplace_back().result = candidates[numBegun];
      if (Error error = start(jobs.back(), isFirst))
        return error;
    }
    if (jobs.empty())
      return Error::success();
    for (size_t i = 0; i < jobs.size();) {
      auto outcome = jobs[i].worker.poll();
      if (!outcome) {
        ++i;
        continue;
      }
      // Ctrl-C also ends the processes, which is no fault of theirs.
      if (wasInterrupted)
        break;
      Result &result = *jobs[i].result;
      if (!finish(jobs[i], *outcome, isFirst)) {
        if (Error error = start(jobs[i], isFirst))
          return error;
        continue;
      }
      result.isMeasured = true;
      ++numEnded;
      tell(numEnded, candidates.size(),
           (getSeconds() - first) / double(numEnded), result);
      // At once, so that nothing is lost whatever ends this process.
      keep(result);
      jobs.erase(jobs.begin() + i);
    }
    std::this_thread::sleep_for(kPollPeriod);
  }
  isOver();
  return Error::success();
}

void Tuner::keep(const Result &result) {
  cache.add(space.describe(result.configuration),
            getOptions(result.configuration), result.outcome);
}

std::vector<const Result *> Tuner::findBest(size_t count) const {
  std::vector<const Result *> best;
  for (const Result &result : results)
    if (result.isRight())
      best.push_back(&result);
  llvm::stable_sort(best, [&](const Result *a, const Result *b) {
    return getCost(*a) < getCost(*b);
  });
  best.resize(std::min(count, best.size()));
  return best;
}

std::vector<Result *> Tuner::findNeighbours(const Result &result) {
  std::vector<Result *> neighbours;
  for (Result &other : results) {
    unsigned distance = 0;
    for (auto [parameter, a, b] :
         llvm::zip_equal(space.getParameters(), result.configuration,
                         other.configuration)) {
      auto place = [&values = parameter.values](const std::string &value) {
        return llvm::find(values, value) - values.begin();
      };
      distance += a == b ? 0 : std::abs(place(a) - place(b));
    }
    if (distance == 1)
      neighbours.push_back(&other);
  }
  return neighbours;
}

std::vector<Result *> Tuner::chooseFirst(std::vector<Result *> left,
                                         size_t most) {
  std::vector<Result *> first;
  if (space.getPrediction(space.getConfigurations().front()) != 0) {
    // Most by what is predicted; the rest in case that this is wrong.
    llvm::stable_sort(left, [&](Result *a, Result *b) {
      return space.getPrediction(a->configuration) <
             space.getPrediction(b->configuration);
    });
    auto end = left.begin() + std::min(left.size(), most * kPredicted / 4);
    first.assign(left.begin(), end);
    left.erase(left.begin(), end);
  } else {
    most /= 2;
  }
  llvm::shuffle(left.begin(), left.end(), std::mt19937(1));
  left.resize(std::min(left.size(), most - first.size()));
  llvm::append_range(first, left);
  return first;
}

Error Tuner::search() {
  std::vector<Result *> left;
  for (Result &result : results)
    if (!result.isMeasured)
      left.push_back(&result);
  if (options.isExhaustive || results.size() <= kSmallSpace)
    return runRound(left, /*isFirst=*/true);
  // A quarter of them at the most.
  size_t most = std::max(kSmallSpace / 2, results.size() / 4);
  size_t numRun = results.size() - left.size();
  std::vector<Result *> next = chooseFirst(left, most - std::min(most, numRun));
  while (numRun < most && !next.empty() && !isOver()) {
    if (Error error = runRound(next, /*isFirst=*/true))
      return error;
    numRun += next.size();
    next.clear();
    for (const Result *best : findBest(kFollowed)) {
      llvm::copy_if(findNeighbours(*best), std::back_inserter(next),
                    [](Result *result) { return !result->isMeasured; });
      if (!next.empty())
        break;
    }
    // Where these lead no further, others at random.
    if (next.empty())
      llvm::copy_if(left, std::back_inserter(next),
                    [&](Result *result) { return !result->isMeasured; });
    next.resize(
        std::min({next.size(), most - std::min(most, numRun), kAtOnce}));
  }
  if (stop.empty())
    stop = "a quarter of a large space is; --effort=full measures all";
  return Error::success();
}

Error Tuner::run() {
  begin = getSeconds();
  llvm::sys::SetInterruptFunction([] { wasInterrupted = true; });
  TemporaryFile lock;
  if (options.jobs > 1 && !options.isEstimate) {
    if (Error error = lock.create("lock"))
      return error;
    lockFile = lock.path.str();
  }
  for (const Configuration &configuration : space.getConfigurations()) {
    Result &result = results.emplace_back();
    result.configuration = configuration;
    result.number = results.size() - 1;
    if (auto known = cache.find(space.describe(configuration))) {
      result.outcome = *known;
      result.isMeasured = result.isFromCache = true;
    }
  }
  if (Error error = search())
    return error;
  if (!options.isEstimate && !isOver())
    if (Error error = runFinals())
      return error;
  choose();
  return checkBest();
}

/// The second least of `times`, from three on, or the least one. It is one of
/// an undisturbed machine if that is so in two rounds, and not that of the
/// luckiest one.
static double getUndisturbed(std::vector<double> times) {
  llvm::sort(times);
  return times[times.size() > 2];
}

/// Ranks results by the rounds that all of them took part in.
static void rank(llvm::ArrayRef<Result *> results) {
  size_t numRounds = results.front()->rounds.size();
  for (const Result *result : results)
    numRounds = std::min(numRounds, result->rounds.size());
  if (numRounds == 0)
    return;
  double least = std::numeric_limits<double>::infinity();
  for (Result *result : results) {
    auto begin = result->rounds.end() - numRounds;
    result->ratio = getUndisturbed({begin, result->rounds.end()});
    least = std::min(least, result->ratio);
  }
  for (Result *result : results)
    result->ratio /= least;
}

std::vector<Result *> Tuner::selectFinalists(std::vector<Result *> left,
                                             unsigned round) {
  llvm::erase_if(left, [](Result *result) { return !result->isRight(); });
  if (left.empty())
    return left;
  if (round > 1)
    rank(left);
  const Result *best = findBest();
  auto getRatio = [&](const Result *result) {
    return round > 1 ? result->ratio : getCost(*result) / getCost(*best);
  };
  const auto &[most, count] =
      kFinals[std::min<size_t>(round - 1, std::size(kFinals) - 1)];
  llvm::erase_if(left, [&](Result *result) {
    bool isExempt = result->number == 0 && round <= kRoundsOfFirst;
    return getRatio(result) > (isExempt ? kMostOfFirst : most);
  });
  llvm::stable_sort(left, [&](const Result *a, const Result *b) {
    return getRatio(a) < getRatio(b);
  });
  // The first one of the space is chosen where others are no faster.
  auto first = llvm::min_element(left, [](const Result *a, const Result *b) {
    return a->number < b->number;
  });
  std::rotate(left.begin(), first, first + 1);
  left.resize(std::min(left.size(), count));
  return left;
}

Error Tuner::runFinals() {
  std::vector<Result *> left;
  bool isNew = false;
  for (Result &result : results) {
    left.push_back(&result);
    isNew |= result.isRight() && !result.isFromCache;
  }
  if (!isNew)
    return Error::success();
  for (unsigned round = 1; round < options.rounds && !isOver(); ++round) {
    left = selectFinalists(std::move(left), round);
    if (left.size() < 2)
      break;
    llvm::errs() << "[tune] once more, in turns: the " << left.size()
                 << " nearest to the best\n";
    if (Error error = runRound(left, /*isFirst=*/false))
      return error;
  }
  llvm::erase_if(left, [](Result *result) { return !result->isRight(); });
  if (left.empty())
    return Error::success();
  rank(left);
  // Those that were out before, when luck counted for more.
  double least = std::numeric_limits<double>::infinity();
  for (const Result *result : left)
    if (!result->rounds.empty())
      least = std::min(least, getUndisturbed(result->rounds));
  for (Result &result : results)
    if (!result.rounds.empty() && !llvm::is_contained(left, &result))
      result.ratio = std::max(kOut, getUndisturbed(result.rounds) / least);
  return confirm();
}

Error Tuner::confirm() {
  Result *first = &results.front(), *best = first;
  for (Result &result : results)
    if (result.isRight() && result.ratio != 0 && result.ratio < best->ratio)
      best = &result;
  if (best == first || !first->isRight() || first->ratio > kMostOfConfirmed)
    return Error::success();
  llvm::errs() << "[tune] the best beside the first, these two alone\n";
  first->rounds.clear();
  best->rounds.clear();
  for (unsigned round = 0; round < kConfirmations && !isOver(); ++round)
    if (Error error = runRound({first, best}, /*isFirst=*/false))
      return error;
  if (first->isRight() && best->isRight())
    rank({first, best});
  return Error::success();
}

void Tuner::choose() {
  const Result *best = findBest();
  for (const Result &result : results)
    if (result.isRight() && result.ratio == 1)
      best = &result; // not who has been lucky
  if (best)
    leastCost = getCost(*best);
  llvm::stable_sort(results, [&](const Result &a, const Result &b) {
    if (!a.isRight() || !b.isRight())
      return a.isRight() != b.isRight() ? a.isRight()
                                        : a.isMeasured > b.isMeasured;
    return getRatio(a) < getRatio(b);
  });
  if (results.empty() || !results.front().isRight())
    return;
  auto chosen = results.begin();
  bool isRaced = chosen->ratio != 0;
  for (auto it = chosen; it != results.end() && it->isRight(); ++it) {
    bool isBetter = isRaced ? it->ratio != 0 && it->ratio <= kSame &&
                                  it->number < chosen->number
                            : it->outcome.isChosen && !chosen->outcome.isChosen;
    if (isBetter)
      chosen = it;
  }
  std::rotate(results.begin(), chosen, chosen + 1);
  for (Result &result : results) {
    bool isChosen = &result == &results.front();
    if (result.isRight() && result.outcome.isChosen != isChosen) {
      result.outcome.isChosen = isChosen;
      keep(result);
    }
  }
}

llvm::Expected<Outcome>
Tuner::runAlone(const std::vector<std::string> &arguments) {
  Worker worker;
  if (Error error = worker.start(options.tileRun, arguments, options.limits))
    return std::move(error);
  while (true) {
    if (auto outcome = worker.poll())
      return *outcome;
    std::this_thread::sleep_for(kPollPeriod);
  }
}

Error Tuner::checkBest() {
  if (!hasOtherInputs())
    return Error::success();
  while (results.front().isRight() && !results.front().isFromCache &&
         !wasInterrupted) {
    Result &best = results.front();
    auto checked = runAlone(getArguments(best, options.checkArguments.front()));
    if (!checked)
      return checked.takeError();
    if (checked->reason.empty() || wasInterrupted)
      break;
    best.outcome.reason = checked->reason;
    best.outcome.isChosen = false;
    keep(best);
    choose();
  }
  return Error::success();
}
