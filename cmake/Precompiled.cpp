// Exists only so that the shared precompiled header is built once; see
// AddTileIR.cmake.
