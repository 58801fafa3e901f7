/*===- Programs.c - Programs by MLIR's C interface and the plugin -*- C -*-===*\
|*                                                                            *|
|* Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* tileir-c/Program.h: a product compiled for the CPU and for a GPU, which    *|
|* LD_LIBRARY_PATH simulates; what is told of mistakes; what a program that   *|
|* was compiled before finds where it was. The plugin is the argument.        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "tileir-c/Program.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(offsetof(TileirProgramFunctions, attachHostMachine) == 8, "");
static_assert(offsetof(TileirProgramFunctions, compile) == 16, "");
static_assert(offsetof(TileirProgramFunctions, run) == 24, "");
static_assert(offsetof(TileirProgramFunctions, releaseMemory) == 32, "");
static_assert(offsetof(TileirProgramFunctions, releaseCode) == 40, "");
static_assert(offsetof(TileirProgramFunctions, getGpuChip) == 48, "");
static_assert(offsetof(TileirProgramFunctions, compileForGpu) == 56, "");
static_assert(offsetof(TileirProgramFunctions, runOnGpu) == 64, "");
static_assert(offsetof(TileirProgramFunctions, releaseGpuCode) == 72, "");
static_assert(sizeof(TileirProgramFunctions) == 80, "");

static int failures = 0;

#define EXPECT(condition, ...)                                                 \
  do                                                                           \
    if (!(condition)) {                                                        \
      ++failures;                                                              \
      printf("line %d: ", __LINE__);                                           \
      printf(__VA_ARGS__);                                                     \
      printf("\n");                                                            \
    }                                                                          \
  while (0)

enum { kSize = 8 };

/** Of memref<8x8xf32>. */
typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} Matrix;

static Matrix makeMatrix(float *data) {
  Matrix matrix = {data, data, 0, {kSize, kSize}, {kSize, 1}};
  return matrix;
}

static void append(MlirStringRef text, void *buffer) {
  size_t length = strlen(buffer);
  snprintf((char *)buffer + length, 512 - length, "%.*s", (int)text.length,
           text.data);
}

static MlirStringRef toRef(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirLogicalResult note(MlirDiagnostic diagnostic, void *buffer) {
  mlirDiagnosticPrint(diagnostic, append, buffer);
  return mlirLogicalResultSuccess();
}

/** c = a * b, with an attribute of all arguments. */
static MlirModule parse(MlirContext context, const char *attribute) {
  char text[1024];
  snprintf(text, sizeof(text),
           "func.func @product(%%a: memref<8x8xf32> {%s}, "
           "%%b: memref<8x8xf32> {%s}, %%c: memref<8x8xf32> {%s}) "
           "attributes {llvm.emit_c_interface} {\n"
           "  einsum.contract \"mk, kn -> mn\" (%%a, %%b) "
           "outs(%%c : memref<8x8xf32>) "
           ": (memref<8x8xf32>, memref<8x8xf32>)\n"
           "  return\n}\n",
           attribute, attribute, attribute);
  return mlirModuleCreateParse(context, toRef(text));
}

static void lower(MlirContext context, MlirModule module, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  char message[512] = "";
  EXPECT(mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
             mlirPassManagerGetAsOpPassManager(manager), toRef(passes), append,
             message)),
         "%s", message);
  EXPECT(mlirLogicalResultIsSuccess(
             mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))),
         "expected the passes to succeed");
  mlirPassManagerDestroy(manager);
}

static void expectProduct(const float *a, const float *b, const float *c,
                          const char *where) {
  for (int m = 0; m < kSize; ++m)
    for (int n = 0; n < kSize; ++n) {
      float sum = 0;
      for (int k = 0; k < kSize; ++k)
        sum += a[m * kSize + k] * b[k * kSize + n];
      EXPECT(c[m * kSize + n] == sum,
             "%s: expected element %d, %d to be %g, "
             "found %g",
             where, m, n, (double)sum, (double)c[m * kSize + n]);
    }
}

static void runOnCpu(TileirProgramFunctions functions, MlirContext context,
                     float *a, float *b) {
  float c[kSize * kSize] = {0};
  MlirModule module = parse(context, "llvm.noalias");
  functions.attachHostMachine(module);
  lower(context, module, "einsum-to-cpu-pipeline");
  void *code = functions.compile(module, toRef("product"));
  EXPECT(code, "expected code for the CPU");
  if (code) {
    Matrix matrices[] = {makeMatrix(a), makeMatrix(b), makeMatrix(c)};
    void *arguments[] = {&matrices[0], &matrices[1], &matrices[2]};
    functions.run(code, arguments);
    expectProduct(a, b, c, "CPU");
    functions.releaseCode(code);
  }
  mlirModuleDestroy(module);
}

/** The driver, as far as a caller has memory and streams. */
typedef struct {
  int (*allocate)(uint64_t *, size_t), (*release)(uint64_t);
  int (*write)(uint64_t, const void *, size_t);
  int (*read)(void *, uint64_t, size_t);
  int (*createStream)(void **, unsigned);
} Driver;

static Driver openDriver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  int (*init)(unsigned), (*retain)(void **, int), (*set)(void *);
  Driver driver;
  void *context;
  *(void **)&init = dlsym(library, "cuInit");
  *(void **)&retain = dlsym(library, "cuDevicePrimaryCtxRetain");
  *(void **)&set = dlsym(library, "cuCtxSetCurrent");
  *(void **)&driver.allocate = dlsym(library, "cuMemAlloc_v2");
  *(void **)&driver.release = dlsym(library, "cuMemFree_v2");
  *(void **)&driver.write = dlsym(library, "cuMemcpyHtoD_v2");
  *(void **)&driver.read = dlsym(library, "cuMemcpyDtoH_v2");
  *(void **)&driver.createStream = dlsym(library, "cuStreamCreate");
  EXPECT(!init(0) && !retain(&context, 0) && !set(context),
         "expected a GPU to open");
  return driver;
}

static void runOnGpu(TileirProgramFunctions functions, MlirContext context,
                     float *a, float *b) {
  char chip[512] = "", error[512] = "", passes[512];
  EXPECT(functions.getGpuChip(0, append, append, chip), "%s", chip);
  EXPECT(strcmp(chip, "sm_90a") == 0, "expected sm_90a, found %s", chip);
  EXPECT(!functions.getGpuChip(7, append, append, error) &&
             strstr(error, "invalid device ordinal"),
         "found \"%s\"", error);

  MlirModule module = parse(context, "tile.on_device");
  /* Kernels come from passes. */
  error[0] = 0;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, note, error, NULL);
  EXPECT(!functions.compileForGpu(module, toRef("product"), 0) && error[0],
         "expected lowered kernels to be asked for");
  mlirContextDetachDiagnosticHandler(context, handler);
  mlirModuleDestroy(module);

  module = parse(context, "tile.on_device");
  snprintf(passes, sizeof(passes), "einsum-to-nvvm-pipeline{chip=%s}", chip);
  lower(context, module, passes);
  void *code = functions.compileForGpu(module, toRef("product"), 0);
  EXPECT(code, "expected code for the GPU");
  mlirModuleDestroy(module);
  if (!code)
    return;

  Driver driver = openDriver();
  void *stream;
  uint64_t memory[3];
  float c[kSize * kSize];
  driver.createStream(&stream, 0);
  for (int i = 0; i < 3; ++i)
    driver.allocate(&memory[i], sizeof(c));
  driver.write(memory[0], a, sizeof(c));
  driver.write(memory[1], b, sizeof(c));
  Matrix matrices[3];
  void *arguments[3];
  for (int i = 0; i < 3; ++i) {
    matrices[i] = makeMatrix((float *)memory[i]);
    arguments[i] = &matrices[i];
  }
  error[0] = 0;
  EXPECT(functions.runOnGpu(code, arguments, stream, append, error), "%s",
         error);
  driver.read(c, memory[2], sizeof(c));
  expectProduct(a, b, c, "GPU");

  /* A kernel that leaves its memory fails, and so does what follows. */
  matrices[2].aligned = (float *)(memory[2] + sizeof(c));
  error[0] = 0;
  EXPECT(!functions.runOnGpu(code, arguments, stream, append, error) &&
             strstr(error, "cuLaunchKernel: unspecified launch failure"),
         "found \"%s\"", error);
  functions.releaseGpuCode(code);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    printf("%s\n", dlerror());
    return 1;
  }
  struct {
    uint32_t version;
    const char *name, *llvm;
    void (*registerAll)(void *);
  } (*getDialects)(void), (*getPasses)(void);
  TileirProgramFunctions (*getFunctions)(void);
  *(void **)&getDialects = dlsym(plugin, "mlirGetDialectPluginInfo");
  *(void **)&getPasses = dlsym(plugin, "mlirGetPassPluginInfo");
  *(void **)&getFunctions = dlsym(plugin, "tileirGetProgramFunctions");

  TileirProgramFunctions functions = getFunctions();
  EXPECT(functions.version == TILEIR_PROGRAM_VERSION &&
             TILEIR_PROGRAM_VERSION == 2,
         "expected version 2, found %u", functions.version);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  getDialects().registerAll(registry.ptr);
  mlirRegisterAllPasses();
  getPasses().registerAll(NULL);
  MlirContext context = mlirContextCreateWithRegistry(registry, 0);
  mlirRegisterAllLLVMTranslations(context);

  float a[kSize * kSize], b[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = (float)(i % 7 - 3);
    b[i] = (float)(i % 5 - 2);
  }
  runOnCpu(functions, context, a, b);
  runOnGpu(functions, context, a, b);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return failures > 0;
}
