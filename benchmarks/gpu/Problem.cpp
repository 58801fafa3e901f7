//===- Problem.cpp - What is measured -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what the tasks rely on is checked: the file is ours.
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "tileir-launch/Manifest.h"

#include <algorithm>

using namespace tileir::bench;
using namespace tileir::launch;

/// 80 of sm_80.
static int getNumber(const std::string &chip) {
  return chip.compare(0, 3, "sm_") ? 0 : std::atoi(&chip[3]);
}

static std::vector<Bundle> readBundles(const Json &list, int newest) {
  std::vector<Bundle> bundles;
  for (const Json &item : list) {
    Bundle bundle{getText(getMember(item, "bundle")),
                  getText(getMember(item, "chip")),
                  getText(getMember(item, "options"))};
    if (getNumber(bundle.chip) <= newest)
      bundles.push_back(bundle);
  }
  int best = 0;
  for (const Bundle &bundle : bundles)
    best = std::max(best, getNumber(bundle.chip));
  bundles.erase(std::remove_if(bundles.begin(), bundles.end(),
                               [&](const Bundle &bundle) {
                                 return getNumber(bundle.chip) != best;
                               }),
                bundles.end());
  return bundles;
}

Error tileir::bench::readProblems(const std::string &folder, int major,
                                  int minor, std::vector<Problem> &problems) {
  std::string path = folder + "/index.json", text;
  if (Error error = readFile(path, text))
    return error;
  Json index;
  if (Error error = parseJson(text, index))
    return Error("'" + path + "': " + error.getMessage());
  for (const Json &item : getMember(index, "problems")) {
    Problem &problem = problems.emplace_back();
    problem.name = getText(getMember(item, "name"));
    problem.set = getText(getMember(item, "set"));
    problem.task = getText(getMember(item, "task"));
    problem.order = getText(getMember(item, "order"));
    for (const Json &size : getMember(item, "size"))
      problem.size.push_back(std::atoll(getText(size).c_str()));
    problem.bundles =
        readBundles(getMember(item, "bundles"), 10 * major + minor);
    problem.parts = readBundles(getMember(item, "parts"), 10 * major + minor);
    bool isSized =
        !problem.size.empty() &&
        *std::min_element(problem.size.begin(), problem.size.end()) > 0;
    if (problem.name.empty() || problem.task.empty() || !isSized)
      return Error("'" + path +
                   "': expected problems with name, task, order, "
                   "a size of positive numbers, and bundles");
    if (problem.bundles.empty() && !getMember(item, "bundles").empty())
      return Error("'" + path + "': expected bundles for an sm_" +
                   std::to_string(10 * major + minor) +
                   " or older, found those of " + problem.name + " for " +
                   getText(getMember(getMember(item, "bundles")[0], "chip")));
  }
  return problems.empty() ? Error("'" + path + "': expected problems")
                          : Error();
}
