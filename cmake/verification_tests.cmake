# Read by ctest each time it starts; sees the verification_* variables of the file that includes it.
set(_options --kernel "${verification_kernel}" --jobs 1 --regressions "${verification_regressions}")
if(verification_cases)
  list(APPEND _options --cases ${verification_cases})
endif()
foreach(_trait IN LISTS verification_required)
  list(APPEND _options --require ${_trait})
endforeach()
string(REPLACE ";" "," _scalars "${verification_scalars}")

execute_process(
  COMMAND "${verification_program}" list tests --kernel "${verification_kernel}" --scalar "${_scalars}"
  OUTPUT_VARIABLE _lines
  ERROR_VARIABLE _error
  RESULT_VARIABLE _status)
if(NOT _status EQUAL 0)
  # Nothing can be listed before the program is built; a test that fails says so.
  add_test("${verification_name}.not_built" "${verification_program}" list tests)
  set(_lines "")
endif()

# Saved cases first: a serial ctest keeps this order, a parallel one starts with the highest cost.
file(GLOB _saved "${verification_regressions}/*/*.json")
foreach(_file IN LISTS _saved)
  file(RELATIVE_PATH _short "${verification_regressions}" "${_file}")
  set(_test "${verification_name}.regression/${_short}")
  add_test("${_test}" "${verification_program}" replay --kernel "${verification_kernel}" "${_file}")
  set_tests_properties(
    "${_test}" PROPERTIES LABELS "regression;${verification_name}" COST 1000 SKIP_REGULAR_EXPRESSION
                          "not supported by;not decided" TIMEOUT 600)
endforeach()

string(REGEX MATCHALL "[^\n]+" _lines "${_lines}")
foreach(_line IN LISTS _lines)
  string(REPLACE " " ";" _fields "${_line}")
  list(GET _fields 0 _law)
  list(GET _fields 1 _scalar)
  list(GET _fields 2 _kind)
  set(_test "${verification_name}.${_law}/${_scalar}")
  add_test("${_test}" "${verification_program}" run ${_options} --property ${_law} --scalar ${_scalar})
  set_tests_properties(
    "${_test}" PROPERTIES LABELS "${_law};${_scalar};${_kind};${verification_name}" SKIP_REGULAR_EXPRESSION
                          "${_law}/${_scalar} not supported" TIMEOUT 600)
endforeach()
