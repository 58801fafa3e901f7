//===- Table.cpp - What was measured --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields that may have a comma are between quotation marks, and have none
// inside.
//
//===----------------------------------------------------------------------===//

#include "Table.h"

#include "tileir-launch/Manifest.h"

#include <algorithm>

using namespace tileir::bench;

static const char *const kColumns[] = {
    "problem",  "gpu",    "candidate", "options", "chip",    "set",
    "task",     "size",   "order",     "us",      "best_us", "tflops",
    "launches", "wrong",  "failed",    "date",    "mhz",     "device",
    "driver",   "cublas", "cublaslt",  "cudnn"};

static std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  for (char c : line)
    if (c == '"')
      isQuoted = !isQuoted;
    else if (c == ',' && !isQuoted)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

static Row parse(const std::string &line) {
  std::vector<std::string> fields = split(line);
  fields.resize(std::size(kColumns));
  Row row;
  for (size_t i = 0; i < fields.size(); ++i)
    row[kColumns[i]] = fields[i];
  return row;
}

Error Table::open(const std::string &path, const std::string &gpu) {
  std::string header, text;
  for (const char *column : kColumns)
    header += (header.empty() ? "" : ",") + std::string(column);
  if (Error error = launch::readFile(path, text))
    text.clear(); // No row yet.
  bool isCut = !text.empty() && text.back() != '\n';
  text.resize(text.rfind('\n') + 1); // npos + 1 is 0.
  std::istringstream lines(text);
  std::string line;
  if (std::getline(lines, line) && line != header)
    return Error("'" + path + "': expected the columns " + header);
  while (std::getline(lines, line)) {
    Row row = parse(line);
    if (row["gpu"] == gpu)
      rows.push_back(std::move(row));
  }
  // Without a line that was cut off.
  file.open(path, isCut ? std::ios::trunc : std::ios::app);
  if (text.empty())
    file << header << '\n';
  else if (isCut)
    file << text;
  file.flush();
  return file ? Error() : Error("cannot write '" + path + "'");
}

std::string Table::format(Row row) {
  std::string line;
  for (const char *column : kColumns) {
    std::string field = row[column];
    std::replace(field.begin(), field.end(), '"', '\'');
    std::replace(field.begin(), field.end(), '\n', ' ');
    bool isQuoted = field.find(',') != std::string::npos;
    const char *quote = isQuoted ? "\"" : "";
    line += (line.empty() ? "" : ",") + (quote + field + quote);
  }
  return line;
}

Error Table::add(const std::vector<Row> &added) {
  std::string lines;
  for (const Row &row : added)
    lines += format(row) + '\n';
  rows.insert(rows.end(), added.begin(), added.end());
  file << lines << std::flush;
  return file ? Error() : Error("cannot write rows");
}

Error Table::addFailure(const std::string &path, const std::string &line,
                        const std::string &why) {
  Row row = parse(line);
  row["failed"] = why;
  std::ofstream file(path, std::ios::app);
  file << format(row) << std::endl;
  return file ? Error() : Error("cannot write '" + path + "'");
}

static const std::string &get(const Row &row, const char *column) {
  static const std::string none;
  auto found = row.find(column);
  return found == row.end() ? none : found->second;
}

bool Table::isMeasured(const std::string &problem) const {
  return std::any_of(rows.begin(), rows.end(), [&](const Row &row) {
    return get(row, "problem") == problem && !get(row, "us").empty();
  });
}

const Row *Table::findFault(const std::string &problem,
                            const std::string &candidate,
                            const std::string &options) const {
  for (const Row &row : rows)
    if (get(row, "problem") == problem && get(row, "us").empty() &&
        get(row, "candidate") == candidate && get(row, "options") == options)
      return &row;
  return nullptr;
}

size_t Table::countFaults() const {
  return size_t(std::count_if(rows.begin(), rows.end(), [](const Row &row) {
    bool isOurs = get(row, "candidate").compare(0, 4, "ours") == 0;
    return !get(row, "wrong").empty() ||
           (isOurs && !get(row, "failed").empty());
  }));
}
