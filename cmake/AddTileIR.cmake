# Thin wrappers that give every target of the project the same include paths, warnings and precompiled header.

# One precompiled header for all sources: MLIR's headers are most of the build time.
add_library(TileIRPrecompiled OBJECT "${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp")
target_precompile_headers(TileIRPrecompiled PRIVATE "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")

function(tileir_configure_target name)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${name} PRIVATE ${TILEIR_LLVM_DEFINITIONS})
  # The same code model everywhere, or the precompiled header would not fit executables (-fPIE).
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Werror=return-type -fno-exceptions)
  # ccache can serve a precompiled header only if clang puts no time stamp into it.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

separate_arguments(TILEIR_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
tileir_configure_target(TileIRPrecompiled)

# How many sources of a target are compiled at a time.
set(TILEIR_UNITY_BATCH 12)

# add_tileir_library(name source... [SEPARATE] [DEPENDS target...] [LINK target...]): a static library that is installed and exported.
# Its sources are compiled several at a time (a unity build), because the headers of MLIR and the instances of its
# templates are most of the cost: so no two sources of a library define the same name, not even in anonymous namespaces.
# Those of a SEPARATE library are compiled one by one: some use namespace llvm, whose names clash with namespace mlir.
function(add_tileir_library name)
  cmake_parse_arguments(ARG "SEPARATE" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(NOT ARG_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${TILEIR_UNITY_BATCH})
  endif()
  add_library(TileIR::${name} ALIAS ${name})
  tileir_configure_target(${name})
  target_precompile_headers(${name} REUSE_FROM TileIRPrecompiled)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  # Generated headers must exist before any source is compiled.
  add_dependencies(${name} TileIRHeaders ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY TILEIR_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT TileIRTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# add_tileir_tool(name source... [LINK target...]): an executable in build/bin, installed.
function(add_tileir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  tileir_configure_target(${name})
  target_precompile_headers(${name} REUSE_FROM TileIRPrecompiled)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY TILEIR_TOOLS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# tileir_tablegen(file.td output -gen-... ...): one generated file of the current include folder.
function(tileir_tablegen td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  list(POP_FRONT ARGN output)
  mlir_tablegen(${output} ${ARGN})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()
