// A file that appears under its name whole or not at all: it is written beside it, then renamed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace strand {

/// Every function throws ConfigError that names the target when the system refuses.
class WholeFile {
 public:
  /// Opens a hidden file in the target's folder. What the target was stays until Commit().
  explicit WholeFile(std::filesystem::path target);
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept = default;
  WholeFile& operator=(WholeFile&&) = delete;

  void Write(const void* data, size_t bytes);
  void Write(std::string_view text) { Write(text.data(), text.size()); }
  /// Writes over what stands at `offset`; the next Write() goes to the end again.
  void Overwrite(uint64_t offset, const void* data, size_t bytes);
  /// Reads from `offset` on, after all was written.
  void Read(uint64_t offset, void* data, size_t bytes);
  uint64_t size() const { return size_; }

  void Finish();  ///< Closes the file, still beside its target.
  void Commit();  ///< Finish(), and puts it in the target's place.

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void Seek(uint64_t offset, int origin);
  [[noreturn]] void Fail(const std::string& why) const;

  std::filesystem::path target_;
  std::filesystem::path beside_;  // empty: nothing to remove
  std::unique_ptr<std::FILE, Closer> file_;
  uint64_t size_ = 0;
};

}  // namespace strand
