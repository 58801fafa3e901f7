//===- Onednn.cpp - Products and convolutions of oneDNN -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products by dnnl_sgemm, or by the primitive with "way other"; direct
// convolutions, whose weights oneDNN may order as it likes before the clock
// looks, while images and results are as they are for all.
//
//===----------------------------------------------------------------------===//

#include "../Baseline.h"

#include <memory>
#include <oneapi/dnnl/dnnl.h>

using namespace tileir::bench;

namespace {
/// The first status that is not success stays.
struct Session {
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
  dnnl_status_t status = dnnl_success;

  Session() {
    check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    if (*this)
      check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
  }
  void check(dnnl_status_t found) {
    if (status == dnnl_success)
      status = found;
  }
  explicit operator bool() const { return status == dnnl_success; }

  dnnl_memory_desc_t describe(const std::vector<int64_t> &sizes,
                              dnnl_data_type_t type, dnnl_format_tag_t tag) {
    dnnl_memory_desc_t description = {};
    check(dnnl_memory_desc_init_by_tag(&description, int(sizes.size()),
                                       sizes.data(), type, tag));
    return description;
  }
  dnnl_memory_t hold(const dnnl_memory_desc_t &description, const void *data) {
    dnnl_memory_t memory = nullptr;
    check(dnnl_memory_create(&memory, &description, engine,
                             const_cast<void *>(data)));
    return memory;
  }
  dnnl_primitive_desc_t choose(const_dnnl_op_desc_t operation) {
    dnnl_primitive_desc_t choice = nullptr;
    if (*this)
      check(dnnl_primitive_desc_create(&choice, operation, nullptr, engine,
                                       nullptr));
    return choice;
  }
  void execute(dnnl_primitive_t primitive, std::vector<dnnl_exec_arg_t> args) {
    check(dnnl_primitive_execute(primitive, stream, int(args.size()),
                                 args.data()));
    check(dnnl_stream_wait(stream));
  }

  Run makeRun(dnnl_primitive_desc_t choice, dnnl_memory_t source,
              dnnl_memory_t weights, dnnl_memory_t result, std::string &text) {
    dnnl_primitive_t primitive = nullptr;
    if (*this)
      check(dnnl_primitive_create(&primitive, choice));
    if (!*this)
      return Run();
    const char *name = nullptr;
    dnnl_primitive_desc_query(choice, dnnl_query_impl_info_str, 0, &name);
    text = name ? name : "";
    std::vector<dnnl_exec_arg_t> args = {{DNNL_ARG_SRC, source},
                                         {DNNL_ARG_WEIGHTS, weights},
                                         {DNNL_ARG_DST, result}};
    return repeat([this, primitive, args] {
      dnnl_primitive_execute(primitive, stream, int(args.size()), args.data());
      dnnl_stream_wait(stream);
    });
  }
};

Run makeProduct(Session &session, const Problem &problem, dnnl_data_type_t type,
                std::string &text) {
  dnnl_data_type_t resultType = type == dnnl_s8 ? dnnl_s32 : type;
  std::vector<int64_t> sizes = problem.getInts("sizes");
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  if (problem.get("way") != "other") {
    if (sizes.size() > 3 || type != dnnl_f32)
      return Run();
    const float *a = problem.getInput<float>(0),
                *b = problem.getInput<float>(1);
    float *c = static_cast<float *>(problem.output);
    text = "dnnl_sgemm";
    return repeat(
        [=] { dnnl_sgemm('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n); });
  }
  std::vector<int64_t> shapeA = {m, k}, shapeB = {k, n}, shapeC = {m, n};
  dnnl_format_tag_t tag = dnnl_ab;
  if (sizes.size() > 3) {
    tag = dnnl_abc;
    for (std::vector<int64_t> *shape : {&shapeA, &shapeB, &shapeC})
      shape->insert(shape->begin(), sizes[3]);
  }
  dnnl_memory_desc_t a = session.describe(shapeA, type, tag),
                     b = session.describe(shapeB, type, tag),
                     c = session.describe(shapeC, resultType, tag);
  dnnl_matmul_desc_t operation;
  session.check(dnnl_matmul_desc_init(&operation, &a, &b, nullptr, &c));
  return session.makeRun(session.choose(&operation),
                         session.hold(a, problem.inputs[0]),
                         session.hold(b, problem.inputs[1]),
                         session.hold(c, problem.output), text);
}

/// Sizes n h w c k r s; h and w are of the result, so that nothing is padded.
Run makeConvolution(Session &session, const Problem &problem,
                    dnnl_data_type_t type, std::string &text) {
  std::vector<int64_t> size = problem.getInts("sizes");
  int64_t n = size[0], h = size[1], w = size[2], c = size[3], k = size[4],
          r = size[5], s = size[6];
  bool isLast = problem.get("order") == "nhwc";
  dnnl_format_tag_t order = isLast ? dnnl_nhwc : dnnl_nchw;
  dnnl_memory_desc_t source =
      session.describe({n, c, h + r - 1, w + s - 1}, type, order);
  dnnl_memory_desc_t weights =
      session.describe({k, c, r, s}, type, isLast ? dnnl_hwio : dnnl_oihw);
  dnnl_memory_desc_t anyWeights =
      session.describe({k, c, r, s}, type, dnnl_format_tag_any);
  dnnl_memory_desc_t result = session.describe({n, k, h, w}, type, order);
  dnnl_dims_t strides = {1, 1}, padding = {0, 0};
  dnnl_convolution_desc_t operation;
  session.check(dnnl_convolution_forward_desc_init(
      &operation, dnnl_forward_inference, dnnl_convolution_direct, &source,
      &anyWeights, nullptr, &result, strides, padding, padding));
  dnnl_primitive_desc_t choice = session.choose(&operation);
  if (!session)
    return Run();
  const dnnl_memory_desc_t *ordered =
      dnnl_primitive_desc_query_md(choice, dnnl_query_weights_md, 0);
  dnnl_memory_t given = session.hold(weights, problem.inputs[1]),
                taken = session.hold(*ordered, DNNL_MEMORY_ALLOCATE);
  dnnl_primitive_desc_t reorder = nullptr;
  dnnl_primitive_t primitive = nullptr;
  session.check(dnnl_reorder_primitive_desc_create(
      &reorder, &weights, session.engine, ordered, session.engine, nullptr));
  if (!session)
    return Run();
  session.check(dnnl_primitive_create(&primitive, reorder));
  session.execute(primitive, {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, taken}});
  return session.makeRun(choice, session.hold(source, problem.inputs[0]), taken,
                         session.hold(result, problem.output), text);
}
} // namespace

extern "C" bool tileirBenchMake(const Problem &problem, Run &run,
                                std::string &text) {
  // Whether it may use what AVX-512 lacks, as the tiles of AMX.
  if (problem.get("isa") == "avx512")
    dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
  // Runs use it as long as the program goes on.
  static Session &session = *new Session;
  std::string kind = problem.get("kind"), type = problem.get("type");
  bool isKnown = type == "f32" || type == "bf16";
  if ((isKnown || type == "i8") && kind == "gemm")
    run = makeProduct(session, problem,
                      type == "f32"    ? dnnl_f32
                      : type == "bf16" ? dnnl_bf16
                                       : dnnl_s8,
                      text);
  if (isKnown && kind == "conv")
    run = makeConvolution(session, problem,
                          type == "f32" ? dnnl_f32 : dnnl_bf16, text);
  if (!run)
    text = session ? "no such operation"
                   : "oneDNN: status " + std::to_string(session.status);
  session.status = dnnl_success;
  return bool(run);
}
