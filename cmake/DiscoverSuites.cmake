# cmake -D PROGRAM=... -D FILE=... -P DiscoverSuites.cmake: writes FILE, by which ctest runs a GoogleTest program once for
# each of its suites. A process for each test takes longer to start, with LLVM to load, than most tests do.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE list TIMEOUT 60 COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${list}")
set(text "")
foreach(line IN LISTS lines)
  # "Isa/RoundingTest.", with a type behind it where suites have one; tests of a suite are indented.
  if(line MATCHES "^([A-Za-z0-9_/]+)\\.( *#.*)?$")
    set(suite "${CMAKE_MATCH_1}")
    string(APPEND text "add_test([==[${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n")
  endif()
endforeach()
if(text STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE "${FILE}" "${text}")
