// A file that appears under its name complete or not at all: it is written under another name in
// the same folder, then renamed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strand {

/// Every function throws ConfigError, which names the target, if the operating system reports an
/// error.
class WholeFile {
 public:
  /// Opens a hidden file in the target's folder. An existing target remains until Commit().
  explicit WholeFile(std::filesystem::path target);
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept = default;
  WholeFile& operator=(WholeFile&&) = delete;

  void Write(const void* data, size_t bytes);
  void Write(std::string_view text) { Write(text.data(), text.size()); }
  /// Overwrites the bytes at `offset`; the next Write() appends at the end again.
  void Overwrite(uint64_t offset, const void* data, size_t bytes);
  /// Reads from `offset` on; the next Write() appends at the end again.
  void Read(uint64_t offset, void* data, size_t bytes);
  uint64_t size() const { return size_; }

  void Finish();  ///< Closes the file, which keeps its hidden name.
  void Commit();  ///< Finish(), and renames the file to the target.

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

/// Writes all of `from` to `to`, which has a function Write(data, bytes).
template <class To>
void CopyAll(WholeFile* from, To* to) {
  std::vector<char> part(size_t{1} << 20);
  for (uint64_t done = 0; done < from->size();) {
    const size_t bytes = std::min<uint64_t>(part.size(), from->size() - done);
    from->Read(done, part.data(), bytes);
    to->Write(part.data(), bytes);
    done += bytes;
  }
}

}  // namespace strand
