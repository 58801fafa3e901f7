//===- gemm.cpp - Matrix products of bundles beside cuBLAS ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a folder of bundles with an index.json, which bench.py made. For each:
// random f16 data, our product and that of cuBLAS compared, those of the least
// size also with a plain loop on the host, and only then times of both, in
// turns, by events. Each row is in the CSV file as soon as it is measured, and
// is not measured again where it is there already.
//
// Where the program itself has to be compiled on the machine with the GPU:
//   c++ -std=c++17 -O2 -I launcher benchmarks/gpu/gemm.cpp -ldl -o gemm
//
//===----------------------------------------------------------------------===//

#include "tileir-launch/Launch.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <random>

using namespace tileir::launch;

namespace {

/// Of the largest difference to the largest element of the reference: a unit
/// in the last place of f16, and a little.
constexpr double kTolerance = 1e-3;
constexpr uint16_t kNaN = 0x7fff;

struct Options {
  std::string folder, csv;
  uint64_t repeat = 100, warmUp = 10, noDriverStatus = 1;
};

/// A bundle, as the index tells of it.
struct Row {
  std::string bundle, order, options;
  int64_t m = 0, n = 0, k = 0;

  bool isATransposed() const { return order.compare(0, 2, "km") == 0; }
  bool isBTransposed() const { return order.compare(4, 2, "nk") == 0; }
  double getFlops() const { return 2.0 * double(m) * double(n) * double(k); }
};

/// What is used of cuBLAS, opened at run time like the driver.
class Cublas {
public:
  Cublas() = default;
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;
  ~Cublas() {
    if (handle)
      destroy(handle);
  }

  /// After the device was opened, whose context it uses.
  Error open() {
    void *library = nullptr;
    for (const char *name :
         {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"})
      if (!library)
        library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return Error("no cuBLAS: expected libcublas.so.13, .12 or .11 of the "
                   "CUDA toolkit; LD_LIBRARY_PATH may name its folder");
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
      return function != nullptr;
    };
    int (*create)(void **) = nullptr;
    int (*getVersion)(void *, int *) = nullptr;
    if (!find(create, "cublasCreate_v2") ||
        !find(destroy, "cublasDestroy_v2") ||
        !find(getVersion, "cublasGetVersion_v2") || !find(gemm, "cublasGemmEx"))
      return Error(
          "cuBLAS lacks a function: expected that of CUDA 11 or newer");
    if (Error error = check(create(&handle), "cublasCreate"))
      return error;
    return check(getVersion(handle, &version), "cublasGetVersion");
  }

  /// Begins to multiply. cuBLAS stores columns one after the other, so that
  /// what it takes for C^T = B^T A^T is C = A B in rows.
  Error multiply(const Row &row, DevicePtr a, DevicePtr b, DevicePtr c) {
    constexpr int kF16 = 2, kCompute32F = 68, kDefaultAlgorithm = -1;
    const float one = 1, zero = 0;
    int m = int(row.m), n = int(row.n), k = int(row.k);
    return check(gemm(handle, row.isBTransposed(), row.isATransposed(), n, m, k,
                      &one, b, kF16, row.isBTransposed() ? k : n, a, kF16,
                      row.isATransposed() ? m : k, &zero, c, kF16, n,
                      kCompute32F, kDefaultAlgorithm),
                 "cublasGemmEx");
  }

  int getVersion() const { return version; }

private:
  Error check(int status, const char *call) {
    return status == 0 ? Error()
                       : Error(std::string(call) + ": status " +
                               std::to_string(status));
  }

  void *handle = nullptr;
  int version = 0;
  int (*destroy)(void *) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, DevicePtr, int,
              int, DevicePtr, int, int, const void *, DevicePtr, int, int, int,
              int) = nullptr;
};

float toFloat(uint16_t half) {
  static const std::vector<float> table = [] {
    std::vector<float> values(1 << 16);
    for (int bits = 0; bits < 1 << 16; ++bits) {
      int exponent = bits >> 10 & 31, mantissa = bits & 1023;
      float value = exponent ? std::ldexp(float(1024 + mantissa), exponent - 25)
                             : std::ldexp(float(mantissa), -24);
      if (exponent == 31)
        value = mantissa ? NAN : INFINITY;
      values[size_t(bits)] = bits & 0x8000 ? -value : value;
    }
    return values;
  }();
  return table[half];
}

/// The largest difference over the largest element; NaN if any of them is.
double compare(const std::vector<uint16_t> &found,
               const std::vector<uint16_t> &reference) {
  double difference = 0, largest = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    double x = toFloat(found[i]), y = toFloat(reference[i]);
    if (!std::isfinite(x) || !std::isfinite(y))
      return NAN;
    difference = std::max(difference, std::fabs(x - y));
    largest = std::max(largest, std::fabs(y));
  }
  return difference / largest;
}

/// The plainest product.
std::vector<uint16_t> multiplyOnHost(const Row &row, const uint16_t *a,
                                     const uint16_t *b) {
  std::vector<uint16_t> c;
  for (int64_t i = 0; i < row.m; ++i)
    for (int64_t j = 0; j < row.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < row.k; ++l)
        sum += double(
            toFloat(a[row.isATransposed() ? l * row.m + i : i * row.k + l]) *
            toFloat(b[row.isBTransposed() ? j * row.k + l : l * row.n + j]));
      c.push_back(toSixteenBits(sum, 10));
    }
  return c;
}

/// At least `size` numbers of f16, uniform in [-1, 1]; more are added to those
/// that are there.
const uint16_t *draw(size_t size) {
  static std::vector<uint16_t> numbers;
  static std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  while (numbers.size() < size)
    numbers.push_back(toSixteenBits(uniform(generator), 10));
  return numbers.data();
}

Error readIndex(const std::string &folder, std::vector<Row> &rows) {
  std::string path = folder + "/index.json", text, why;
  if (Error error = readFile(path, text))
    return error;
  Json index;
  if (!JsonReader(text).read(index, why))
    return Error("'" + path + "': " + why);
  for (const Json &item : index["rows"].items) {
    Row &row = rows.emplace_back();
    row.bundle = item["bundle"].text;
    row.order = item["order"].text;
    row.options = item["options"].text;
    const std::vector<Json> &sizes = item["size"].items;
    int64_t *members[] = {&row.m, &row.n, &row.k};
    for (size_t i = 0; i < 3 && i < sizes.size(); ++i)
      *members[i] = std::atoll(sizes[i].text.c_str());
    if (row.bundle.empty() || row.order.size() != 6 || row.m < 1 || row.n < 1 ||
        row.k < 1)
      return Error("'" + path + "': expected rows with bundle, order as " +
                   "\"mk, kn\", options and a size of three numbers");
  }
  return rows.empty() ? Error("'" + path + "': expected rows") : Error();
}

/// The version of the kernel module, such as 580.65.06.
std::string getDriverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (std::isdigit(word[0]) && word.find('.') != std::string::npos)
      return word;
  return "unknown";
}

/// The microseconds of each run of ours and of cuBLAS, in turns. All are begun
/// before the first is waited for, so that the GPU does not wait for the host.
template <typename Ours, typename Theirs>
Error measure(Device &device, const Options &options, Ours launchOurs,
              Theirs launchTheirs, std::vector<double> (&times)[2]) {
  const Driver &driver = device.getDriver();
  std::vector<EventHandle> events(2 * options.repeat + 1);
  Error error;
  auto require = [&](int status, const char *call) {
    if (!error)
      error = device.check(status, call);
  };
  auto launch = [&](bool isOurs) {
    if (!error)
      error = isOurs ? launchOurs() : launchTheirs();
  };
  for (EventHandle &event : events)
    require(driver.createEvent(&event, 0), "cuEventCreate");
  for (uint64_t i = 0; i < 2 * options.warmUp; ++i)
    launch(i % 2 == 0);
  for (size_t i = 0; i < events.size() && !error; ++i) {
    require(driver.recordEvent(events[i], nullptr), "cuEventRecord");
    if (i + 1 < events.size())
      launch(i % 2 == 0);
  }
  if (!error)
    require(driver.synchronizeEvent(events.back()), "cuEventSynchronize");
  for (size_t i = 0; i + 1 < events.size() && !error; ++i) {
    float elapsed = 0;
    require(driver.getElapsed(&elapsed, events[i], events[i + 1]),
            "cuEventElapsedTime");
    times[i % 2].push_back(1e3 * elapsed);
  }
  for (EventHandle event : events)
    if (event)
      driver.destroyEvent(event);
  for (std::vector<double> &list : times)
    std::sort(list.begin(), list.end());
  return error;
}

/// Compares and measures. `line` is what the CSV file gets, `wrong` says which
/// result is not as expected, if one is not.
Error runRow(Device &device, Cublas &cublas, const Options &options,
             const Row &row, bool isLeast, std::string &line,
             std::string &wrong) {
  Manifest manifest;
  if (Error error = readManifest(options.folder + "/" + row.bundle, manifest))
    return error;
  if (manifest.kernels.size() != 1)
    return Error(row.bundle + ": expected one kernel, found " +
                 std::to_string(manifest.kernels.size()));
  LoadedKernel kernel(device);
  if (Error error = kernel.load(manifest, manifest.kernels[0]))
    return error;

  size_t sizeA = size_t(row.m * row.k), sizeB = size_t(row.k * row.n);
  std::vector<uint16_t> ours(size_t(row.m * row.n), kNaN), theirs = ours;
  const uint16_t *a = draw(sizeA + sizeB), *b = a + sizeA;
  DeviceBuffer bufferA(device), bufferB(device), bufferOurs(device),
      bufferTheirs(device);
  if (Error error = bufferA.upload(a, 2 * sizeA))
    return error;
  if (Error error = bufferB.upload(b, 2 * sizeB))
    return error;
  // What a kernel leaves out stays NaN.
  for (DeviceBuffer *buffer : {&bufferOurs, &bufferTheirs})
    if (Error error = buffer->upload(ours.data(), 2 * ours.size()))
      return error;
  auto shape = [](bool isTransposed, int64_t rows, int64_t columns) {
    return isTransposed ? std::vector<int64_t>{columns, rows}
                        : std::vector<int64_t>{rows, columns};
  };
  std::vector<Value> values = {
      bufferA.value(shape(row.isATransposed(), row.m, row.k)),
      bufferB.value(shape(row.isBTransposed(), row.k, row.n)),
      bufferOurs.value({row.m, row.n})};
  auto launchOurs = [&] { return kernel.launch(values); };
  auto launchTheirs = [&] {
    return cublas.multiply(row, values[0].bits, values[1].bits,
                           bufferTheirs.value({}).bits);
  };

  if (Error error = launchOurs())
    return error;
  if (Error error = launchTheirs())
    return error;
  if (Error error = bufferOurs.read(ours.data()))
    return error;
  if (Error error = bufferTheirs.read(theirs.data()))
    return error;
  auto isClose = [&](const std::vector<uint16_t> &found,
                     const std::vector<uint16_t> &reference, const char *what) {
    double error = compare(found, reference);
    char text[32];
    std::snprintf(text, sizeof(text), "%.2g", error);
    if (!(error <= kTolerance))
      wrong = std::string(what) + ": expected a difference of at most 0.001 " +
              "of the largest element, found " + text;
    return wrong.empty();
  };
  if (isLeast && !isClose(theirs, multiplyOnHost(row, a, b),
                          "cuBLAS against a product on the host"))
    return Error();
  if (!isClose(ours, theirs, "the kernel against cuBLAS"))
    return Error();

  std::vector<double> times[2];
  if (Error error = measure(device, options, launchOurs, launchTheirs, times))
    return error;
  double median = times[0][times[0].size() / 2],
         reference = times[1][times[1].size() / 2];
  char figures[256], date[16];
  std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  std::snprintf(
      figures, sizeof(figures), "%.2f,%.2f,%.2f,%.2f,%.3f,%.2f,%.2f,%zu,%s,%d,",
      median, times[0][0], reference, times[1][0], reference / median,
      row.getFlops() / median * 1e-6, row.getFlops() / reference * 1e-6,
      times[0].size(), date, cublas.getVersion());
  line = std::to_string(row.m) + "x" + std::to_string(row.n) + "x" +
         std::to_string(row.k) + ",\"" + row.order + "\"," + row.options + "," +
         figures + getDriverVersion();
  std::snprintf(figures, sizeof(figures),
                "%.2f us, cuBLAS %.2f us, ratio %.3f, %.2f TFLOP/s", median,
                reference, reference / median, row.getFlops() / median * 1e-6);
  std::cout << figures << std::endl;
  return Error();
}

Error readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i], name = word.substr(0, word.find('=') + 1);
    std::string value = word.substr(name.size());
    uint64_t *number = name == "--repeat="      ? &options.repeat
                       : name == "--warm-up="   ? &options.warmUp
                       : name == "--no-driver=" ? &options.noDriverStatus
                                                : nullptr;
    if (number) {
      if (Error error = parseNumber("i32", value, *number))
        return Error(name + ": " + error.getMessage());
      if (int64_t(*number) < (number == &options.repeat))
        return Error(name + ": expected a count, found " + value);
    } else if (name == "--csv=") {
      options.csv = value;
    } else if (name.empty() && options.folder.empty() && word[0] != '-') {
      options.folder = word;
    } else {
      return Error("expected <folder> [--csv=<file>] [--repeat=<launches>] "
                   "[--warm-up=<launches>] [--no-driver=<status>], found '" +
                   word + "'");
    }
  }
  if (options.folder.empty())
    return Error("expected the folder with index.json, which bench.py made");
  if (options.csv.empty())
    options.csv = options.folder + "/rows.csv";
  return Error();
}

Error runAll(const Options &options, int &status) {
  std::vector<Row> rows;
  if (Error error = readIndex(options.folder, rows))
    return error;
  status = int(options.noDriverStatus);
  Device device;
  if (Error error = device.open(0))
    return error;
  Cublas cublas;
  if (Error error = cublas.open())
    return error;
  status = 1;

  std::string done;
  if (Error error = readFile(options.csv, done))
    done.clear(); // No row yet.
  std::ofstream csv(options.csv, std::ios::app);
  if (done.empty())
    csv << "bundle,gpu,size,order,options,us,best_us,cublas_us,cublas_best_us,"
           "ratio,tflops,cublas_tflops,launches,date,cublas,driver\n";
  double least = INFINITY;
  for (const Row &row : rows)
    least = std::min(least, row.getFlops());
  size_t numWrong = 0, number = 0;
  for (const Row &row : rows) {
    std::string key = row.bundle + ",\"" + device.getName() + "\",";
    std::cout << "[gpu] " << ++number << "/" << rows.size() << " " << row.bundle
              << ": " << std::flush;
    if (done.find("\n" + key) != std::string::npos) {
      std::cout << "measured before" << std::endl;
      continue;
    }
    std::string line, wrong;
    if (Error error = runRow(device, cublas, options, row,
                             row.getFlops() == least, line, wrong))
      return Error(row.bundle + ": " + error.getMessage());
    if (wrong.empty()) {
      csv << key + line + "\n" << std::flush;
    } else {
      ++numWrong;
      std::cout << "WRONG, " << wrong << std::endl;
    }
    if (!csv)
      return Error("cannot write '" + options.csv + "'");
  }
  return numWrong ? Error(std::to_string(numWrong) + " of " +
                          std::to_string(rows.size()) +
                          " products are wrong and were not measured")
                  : Error();
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  int status = 1;
  Error error = readOptions(argc, argv, options);
  if (!error)
    error = runAll(options, status);
  if (!error)
    return 0;
  std::cout << std::flush;
  std::cerr << "gpu-gemm: error: " << error.getMessage() << '\n';
  return status;
}
