# find_package(heddle) gives
#
#   heddle_add_test(NAME name TARGET target [ARGS ...] [OPTIONS ...])
#   heddle_add_test(NAME name SOURCES file... [ARGS ...] [OPTIONS ...])
#
# a test of ctest: `heddle check` explores the program, and the test fails with a violation.  TARGET is
# an executable of this project, which must be compiled with heddle-cc (-DCMAKE_C_COMPILER=heddle-cc,
# -DCMAKE_CXX_COMPILER=heddle-c++, or CC="heddle cc" in the environment); SOURCES are compiled for the test, whatever the compiler.
# OPTIONS are those of heddle check; HEDDLE_EXECUTABLE is the tool.
get_filename_component(_heddle_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HEDDLE_EXECUTABLE "${_heddle_prefix}/bin/heddle")
set(heddle_INCLUDE_DIR "${_heddle_prefix}/include")
unset(_heddle_prefix)

# Does one of the languages have heddle for a compiler?  `CC="heddle cc"` puts the `cc` into ..._ARG1.
function(_heddle_compiles result)
    set(${result} FALSE PARENT_SCOPE)
    foreach(language C CXX)
        get_filename_component(name "${CMAKE_${language}_COMPILER}" NAME)
        if("${name} ${CMAKE_${language}_COMPILER_ARG1}" MATCHES "^heddle(-| +)c(c|\\+\\+)")
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

function(heddle_add_test)
    cmake_parse_arguments(arg "" "NAME;TARGET" "SOURCES;ARGS;OPTIONS" ${ARGN})
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "heddle_add_test: what is ${arg_UNPARSED_ARGUMENTS}?")
    endif()
    if(NOT arg_NAME)
        message(FATAL_ERROR "heddle_add_test: the test has no NAME")
    endif()
    if(arg_TARGET AND arg_SOURCES OR NOT (arg_TARGET OR arg_SOURCES))
        message(FATAL_ERROR "heddle_add_test(${arg_NAME}): give either TARGET or SOURCES")
    endif()
    if(arg_TARGET)
        _heddle_compiles(compiles)
        if(NOT compiles)
            message(FATAL_ERROR "heddle_add_test(${arg_NAME}): ${arg_TARGET} is not compiled for "
                    "heddle: configure with -DCMAKE_C_COMPILER=heddle-cc, or give SOURCES")
        endif()
        set(program $<TARGET_FILE:${arg_TARGET}>)
    else()
        foreach(file IN LISTS arg_SOURCES)
            get_filename_component(file "${file}" ABSOLUTE)
            list(APPEND program "${file}")
        endforeach()
    endif()
    if(arg_ARGS)
        list(INSERT arg_ARGS 0 --)
    endif()
    add_test(NAME ${arg_NAME}
             COMMAND ${HEDDLE_EXECUTABLE} check --trace-dir
                     ${CMAKE_CURRENT_BINARY_DIR}/heddle-traces ${arg_OPTIONS} ${program}
                     ${arg_ARGS})
endfunction()
