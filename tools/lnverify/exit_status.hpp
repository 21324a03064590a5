// What the program's exit status means.
#pragma once

namespace lnverify {

enum ExitStatus : int {
  all_hold = 0,
  falsified_and_saved = 1,
  bad_usage = 2,  // bad options or bad input
  falsified_not_saved = 3,
  not_exercised = 4,  // something was never put to the test
};

}  // namespace lnverify
