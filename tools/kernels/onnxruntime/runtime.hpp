// ONNX Runtime without its headers, which the package does not bring: the C interface is a table of function
// pointers whose slots never move, and version 12 of the table is in every later release.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "model.hpp"

// A call that ONNX Runtime has refused (unsupported: it has no such kernel) or has failed in.
struct RuntimeError : std::runtime_error {
  RuntimeError(const std::string& message, bool refused)
      : std::runtime_error(message), unsupported(refused) {}
  bool unsupported;
};

// One array of a call: rows x d, or d entries when rows_d is false.
struct Argument {
  const char* name;
  const void* data;
  bool matrix;
};

class Runtime {
 public:
  // Loads the library and makes an environment without worker threads; throws RuntimeError.
  explicit Runtime(const char* library_path);

  // Version as the library tells it, such as "1.20.1".
  std::string version() const;

  struct Session;  // ONNX Runtime's own

  // Compiles a model, to run on the calling thread only.
  Session* make_session(const std::string& model) const;
  void release(Session* session) const;

  // Runs the model on arrays where they lie, without copies.
  void run(
      Session* session, ElementType type, std::size_t rows, std::size_t d, const Argument* inputs,
      std::size_t input_count, void* y) const;

 private:
  struct Status;
  struct Environment;
  struct Options;
  struct MemoryInfo;
  struct Value;
  class OwnedValue;

  template <class... Parameters>
  Status* call(std::size_t slot, Parameters... parameters) const;
  void check(Status* status) const;
  template <class Object>
  void release(std::size_t slot, Object* object) const;

  const void* const* table_ = nullptr;
  const char* (*version_)() = nullptr;
  Environment* environment_ = nullptr;
  Options* options_ = nullptr;
  MemoryInfo* memory_ = nullptr;
};
