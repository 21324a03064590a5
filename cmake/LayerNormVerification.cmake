# layer_norm_add_verification(target [SCALARS f32 ...] [REQUIRE trait ...] [REGRESSIONS folder] [CASES n])
#
# Makes every law and trait, in each of the scalars (default f32), and every saved case of the folder (default
# regressions/ beside the calling CMakeLists.txt) a ctest entry that verifies the kernel library `target`. Entries are
# named <target>.<law>/<scalar> and labelled by law, scalar and kind; saved cases run first. The list is made anew each
# time ctest starts, so a case that was saved a moment ago is there without a rebuild. The user's target links nothing
# of this project.

function(_layer_norm_add_tests name kernel)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "REGRESSIONS;CASES" "SCALARS;REQUIRE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "layer_norm_add_verification: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SCALARS)
    set(arg_SCALARS f32)
  endif()
  if(NOT arg_REGRESSIONS)
    set(arg_REGRESSIONS "${CMAKE_CURRENT_SOURCE_DIR}/regressions")
  endif()
  get_filename_component(arg_REGRESSIONS "${arg_REGRESSIONS}" ABSOLUTE)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_verification.cmake")
  file(
    GENERATE
    OUTPUT "${file}"
    CONTENT
      "set(verification_name \"${name}\")
set(verification_program \"$<TARGET_FILE:lnverify>\")
set(verification_kernel \"${kernel}\")
set(verification_scalars \"${arg_SCALARS}\")
set(verification_required \"${arg_REQUIRE}\")
set(verification_regressions \"${arg_REGRESSIONS}\")
set(verification_cases \"${arg_CASES}\")
include(\"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/verification_tests.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

function(layer_norm_add_verification target)
  _layer_norm_add_tests("${target}" "$<TARGET_FILE:${target}>" ${ARGN})
endfunction()

# The same for the built-in reference, in every scalar; it has every trait but correct rounding.
function(layer_norm_add_reference_verification)
  _layer_norm_add_tests(
    reference reference
    SCALARS f16 bf16 f32 f64 mp50 exact
    REQUIRE batch_invariance
            bounded_core
            companion_independence
            exact_constant_rows
            in_place
            lattice_shift
            odd_symmetry
            parameter_gradient_repeatability
            power_of_two_scaling
            subnormal_inputs
            two_threads
            whole_range
    REGRESSIONS "${PROJECT_SOURCE_DIR}/regressions")
endfunction()
