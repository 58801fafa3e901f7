//===- Space.cpp - What a tuner chooses from ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters of a Triton-C file are those that its front end finds; the
// condition is one of its preprocessor.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Space.h"

#include "tileir/Frontend/TritonC/Preprocessor.h"
#include "tileir/Frontend/TritonC/Program.h"
#include "tileir/Frontend/TritonC/Reader.h"
#include "tileir/Frontend/TritonC/TritonC.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace tileir;
using namespace tileir::tune;
using llvm::Error;
using llvm::formatv;
using llvm::StringRef;

/// So many configurations are more than anyone waits for.
static constexpr size_t kMostConfigurations = 1 << 20;

static Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

Error Space::addMacros(const SpaceOptions &options) {
  if (!triton_c::isTritonC(options.file)) {
    if (options.definitions.empty() && options.includeFolders.empty())
      return Error::success();
    return fail("-D and -I: expected a Triton-C file, whose name ends in .c, "
                "with them, found '" +
                options.file + "'");
  }
  auto buffer = llvm::MemoryBuffer::getFile(options.file, /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + options.file +
                "': " + buffer.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  triton_c::Diagnostics diagnostics(sources);
  triton_c::Options frontEnd{options.definitions, options.includeFolders};
  triton_c::Program program;
  if (failed(triton_c::readProgram(frontEnd, program, diagnostics))) {
    diagnostics.print(llvm::errs());
    return fail("'" + options.file +
                "' is not right Triton-C with the first value of each list");
  }
  for (const std::string &definition : options.definitions) {
    std::pair<StringRef, StringRef> parts = StringRef(definition).split('=');
    bool isList = llvm::any_of(program.tunables, [&](const auto &tunable) {
      return tunable.name == parts.first &&
             parts.second.trim().starts_with("[");
    });
    if (!isList)
      fixed.push_back(definition);
  }
  for (const triton_c::Tunable &tunable : program.tunables) {
    bool isFixed = llvm::any_of(fixed, [&](StringRef definition) {
      return definition.split('=').first == tunable.name;
    });
    if (!isFixed)
      parameters.push_back(
          {tunable.name, tunable.values, /*isMacro=*/true, {}});
  }
  return Error::success();
}

Error Space::addLists(const SpaceOptions &options) {
  for (const std::string &list : options.lists) {
    auto [name, text] = StringRef(list).split('=');
    name = name.trim();
    if (name.empty() || list.find('=') == std::string::npos)
      return fail("--space: expected name=value|value, found '" + list + "'");
    if (llvm::any_of(parameters, [&, &name = name](const Parameter &parameter) {
          return parameter.name == name;
        }))
      return fail("--space: '" + name + "' is a parameter already");
    Parameter parameter{name.str(), {}, /*isMacro=*/false, {}};
    llvm::SmallVector<StringRef> values;
    text.split(values, '|');
    for (StringRef value : values) {
      if (value.trim().empty())
        return fail("--space: expected a value between the bars of '" + list +
                    "', found nothing");
      parameter.values.push_back(value.trim().str());
    }
    parameters.push_back(std::move(parameter));
  }
  return Error::success();
}

/// Whether a condition holds: yes, no, or it is none, of which stderr tells.
static std::optional<bool> holds(const std::string &where,
                                 llvm::ArrayRef<Parameter> parameters,
                                 const Configuration &configuration) {
  triton_c::Options options;
  for (auto [parameter, value] : llvm::zip_equal(parameters, configuration)) {
    bool isName = llvm::all_of(
        parameter.name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (isName)
      options.definitions.push_back(parameter.name + "=" + value);
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                 "#if " + where + "\n1\n#endif\n", "--where"),
                             llvm::SMLoc());
  triton_c::Diagnostics diagnostics(sources);
  triton_c::Preprocessor preprocessor(diagnostics, options);
  size_t numTokens = preprocessor.run().size();
  if (diagnostics.hasErrors()) {
    diagnostics.print(llvm::errs());
    return std::nullopt;
  }
  return numTokens > 1; // beside the end
}

/// An error for names that are no parameters: the preprocessor takes them as 0.
static Error checkNames(const std::string &where,
                        llvm::ArrayRef<Parameter> parameters) {
  llvm::SmallVector<StringRef> names;
  for (const Parameter &parameter : parameters)
    names.push_back(parameter.name);
  llvm::SourceMgr sources;
  unsigned buffer = sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(where, "--where"), llvm::SMLoc());
  triton_c::Diagnostics diagnostics(sources);
  for (const triton_c::Token &token : triton_c::lexBuffer(
           sources.getMemoryBuffer(buffer)->getBuffer(), diagnostics))
    if (token.kind == triton_c::TokenKind::Name &&
        !llvm::is_contained(names, token.text))
      return fail("--where: expected a parameter (" + llvm::join(names, ", ") +
                  "), found '" + token.text + "'" +
                  triton_c::suggest(token.text, names));
  return Error::success();
}

Error Space::choose(const std::string &where) {
  if (!where.empty())
    if (Error error = checkNames(where, parameters))
      return error;
  size_t count = 1;
  for (const Parameter &parameter : parameters) {
    count *= parameter.values.size();
    if (count > kMostConfigurations)
      return fail(
          formatv("the space has more than {0} configurations: expected "
                  "shorter lists",
                  kMostConfigurations));
  }
  for (size_t number = 0; number < count; ++number) {
    // The last parameter changes first.
    Configuration configuration(parameters.size());
    size_t rest = number;
    for (size_t i = parameters.size(); i-- > 0;) {
      const auto &values = parameters[i].values;
      configuration[i] = values[rest % values.size()];
      rest /= values.size();
    }
    if (!where.empty()) {
      auto isIn = holds(where, parameters, configuration);
      if (!isIn)
        return fail("--where: expected a condition as of '#if', found '" +
                    where + "', with " + describe(configuration));
      if (!*isIn) {
        ++numExcluded;
        continue;
      }
    }
    configurations.push_back(std::move(configuration));
  }
  if (configurations.empty())
    return fail(formatv("--where: expected a condition that some configuration "
                        "fulfils, found none of {0} that '{1}' holds for",
                        count, where));
  return Error::success();
}

llvm::Expected<Space> Space::read(const SpaceOptions &options) {
  Space space;
  space.parameters = options.parameters;
  if (Error error = space.addMacros(options))
    return std::move(error);
  if (Error error = space.addLists(options))
    return std::move(error);
  if (space.parameters.empty())
    return fail("nothing to choose: expected a list, as -D'TM=[32, 64]' for a "
                "Triton-C file, 'const tunable int' in it, or --space");
  if (Error error = space.choose(options.where))
    return std::move(error);
  return space;
}

double Space::getPrediction(const Configuration &configuration) const {
  for (auto [parameter, value] : llvm::zip_equal(parameters, configuration))
    if (!parameter.predictions.empty())
      return parameter.predictions[llvm::find(parameter.values, value) -
                                   parameter.values.begin()];
  return 0;
}

std::string Space::describe(const Configuration &configuration) const {
  std::string text;
  for (auto [parameter, value] : llvm::zip_equal(parameters, configuration))
    text += (text.empty() ? "" : " ") + parameter.name + "=" + value;
  return text;
}

std::string Space::substitute(StringRef text,
                              const Configuration &configuration) const {
  std::string result = text.str();
  for (auto [parameter, value] : llvm::zip_equal(parameters, configuration)) {
    std::string name = "${" + parameter.name + "}";
    for (size_t at = 0; (at = result.find(name, at)) != std::string::npos;
         at += value.size())
      result.replace(at, name.size(), value);
  }
  return result;
}

std::vector<std::string>
Space::getDefinitions(const Configuration &configuration) const {
  std::vector<std::string> options;
  for (const std::string &definition : fixed)
    options.push_back("-D" + definition);
  for (auto [parameter, value] : llvm::zip_equal(parameters, configuration))
    if (parameter.isMacro)
      options.push_back("-D" + parameter.name + "=" + value);
  return options;
}
