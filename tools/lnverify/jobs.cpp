#include "lnverify/jobs.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <system_error>

namespace lnverify {
namespace {

struct Worker {
  pid_t process = -1;
  int input = -1;    // results: one JSON text a line
  std::string text;  // what has come of the line that is under way
};

// The number of the next item, shared by all workers.
class SharedCounter {
 public:
  SharedCounter() {
    void* memory =
        ::mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    counter_ = new (memory) Counter(0);
  }
  ~SharedCounter() { ::munmap(counter_, sizeof(Counter)); }
  SharedCounter(const SharedCounter&) = delete;
  std::size_t next() { return counter_->fetch_add(1); }

 private:
  using Counter = std::atomic<std::size_t>;
  Counter* counter_;
};

void write_line(int file, std::string text) {
  text += '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t step = ::write(file, text.data() + done, text.size() - done);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) ::_exit(1);
    done += static_cast<std::size_t>(step);
  }
}

Worker start_worker(std::size_t count, SharedCounter& counter, const std::function<Work()>& make_work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process > 0) {
    ::close(ends[1]);
    return {process, ends[0], ""};
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::close(ends[0]);
  const Work work = make_work();
  for (std::size_t i = counter.next(); i < count; i = counter.next()) {
    Json message = {{"index", i}};
    try {
      message["result"] = work(i);
    } catch (const std::exception& error) {
      message["error"] = error.what();
    }
    write_line(ends[1], message.dump());
  }
  std::fflush(nullptr);
  ::_exit(0);
}

}  // namespace

void run_jobs(
    std::size_t count, unsigned processes, const std::function<Work()>& make_work,
    const std::function<void(std::size_t, std::optional<Json>)>& received) {
  const std::size_t workers_wanted = std::min<std::size_t>(processes, count);
  if (workers_wanted <= 1) {
    const Work work = make_work();
    for (std::size_t i = 0; i < count; ++i) received(i, work(i));
    return;
  }
  SharedCounter counter;
  std::vector<Worker> workers;
  for (std::size_t k = 0; k < workers_wanted; ++k) workers.push_back(start_worker(count, counter, make_work));
  std::vector<bool> done(count, false);
  std::string error;
  std::size_t open = workers.size();
  while (open > 0) {
    std::vector<pollfd> polled;
    for (const Worker& worker : workers) polled.push_back({worker.input, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t k = 0; k < workers.size(); ++k) {
      if (workers[k].input < 0 || (polled[k].revents & (POLLIN | POLLHUP)) == 0) continue;
      char buffer[65536];
      const ssize_t size = ::read(workers[k].input, buffer, sizeof buffer);
      if (size <= 0) {
        ::close(workers[k].input);
        workers[k].input = -1;
        --open;
        continue;
      }
      workers[k].text.append(buffer, static_cast<std::size_t>(size));
      for (std::size_t end; (end = workers[k].text.find('\n')) != std::string::npos;) {
        Json message = Json::parse(workers[k].text.substr(0, end));
        workers[k].text.erase(0, end + 1);
        const std::size_t index = message["index"];
        done[index] = true;
        if (message.contains("error"))
          error = message["error"].get<std::string>();
        else
          received(index, std::move(message["result"]));
      }
    }
  }
  for (const Worker& worker : workers) ::waitpid(worker.process, nullptr, 0);
  if (!error.empty()) throw std::runtime_error(error);
  for (std::size_t i = 0; i < count; ++i)
    if (!done[i]) received(i, std::nullopt);
}

}  // namespace lnverify
