// What the HTML report looks like, and the little script that sorts and filters its tables.
#pragma once

namespace lnverify {

extern const char* const report_style;
extern const char* const report_script;

}  // namespace lnverify
