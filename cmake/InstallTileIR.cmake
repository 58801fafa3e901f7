# What find_package(TileIR) needs, for the install tree and for the build tree: headers, generated ones too, libraries
# and the package files.
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tileir" "${PROJECT_SOURCE_DIR}/include/tileir-c"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/tileir" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(TILEIR_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/TileIR)
install(EXPORT TileIRTargets NAMESPACE TileIR:: DESTINATION ${TILEIR_CMAKE_DIR})
export(EXPORT TileIRTargets NAMESPACE TileIR:: FILE "${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/TileIRTargets.cmake")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TileIRConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/TileIRConfig.cmake"
  INSTALL_DESTINATION ${TILEIR_CMAKE_DIR})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/TileIRConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/TileIRConfig.cmake"
  "${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/TileIRConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/LLVMVersion.cmake"
  DESTINATION ${TILEIR_CMAKE_DIR})
configure_file("${PROJECT_SOURCE_DIR}/cmake/LLVMVersion.cmake"
  "${PROJECT_BINARY_DIR}/${TILEIR_CMAKE_DIR}/LLVMVersion.cmake" COPYONLY)
