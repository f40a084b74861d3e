#include "model/output/whole_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "model/config/error.h"

namespace strand {
namespace {

// A hidden name in the target's folder, distinct from those of all other open files of this and
// other processes.
std::filesystem::path Beside(const std::filesystem::path& target) {
  static std::atomic<int> count = 0;
  std::filesystem::path name = ".";
  name += target.filename();
  name.concat(".").concat(std::to_string(getpid()));
  name.concat(".").concat(std::to_string(count++));
  return target.parent_path() / name;
}

}  // namespace

WholeFile::WholeFile(std::filesystem::path target) : target_(std::move(target)) {
  // Fails now, so that a long run does not end with a rename that cannot succeed.
  std::error_code ignored;
  if (!target_.has_filename() || std::filesystem::is_directory(target_, ignored)) {
    Fail("is a folder");
  }
  const std::filesystem::path beside = Beside(target_);
  file_.reset(std::fopen(beside.c_str(), "w+b"));
  if (!file_) Fail(std::strerror(errno));
  beside_ = beside;
}

WholeFile::~WholeFile() {
  file_.reset();
  std::error_code ignored;
  if (!beside_.empty()) std::filesystem::remove(beside_, ignored);
}

void WholeFile::Fail(const std::string& why) const {
  throw ConfigError("output", target_.string(), "a writable file (" + why + ")");
}

void WholeFile::Write(const void* data, size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) Fail(std::strerror(errno));
  size_ += bytes;
}

void WholeFile::Seek(uint64_t offset, int origin) {
  if (fseeko(file_.get(), static_cast<off_t>(offset), origin) != 0) Fail(std::strerror(errno));
}

void WholeFile::Overwrite(uint64_t offset, const void* data, size_t bytes) {
  const uint64_t size = size_;
  Seek(offset, SEEK_SET);
  Write(data, bytes);
  Seek(0, SEEK_END);
  size_ = size;
}

void WholeFile::Read(uint64_t offset, void* data, size_t bytes) {
  Seek(offset, SEEK_SET);
  if (bytes > 0 && std::fread(data, 1, bytes, file_.get()) != bytes) Fail("it was cut off");
  Seek(0, SEEK_END);
}

void WholeFile::Finish() {
  // A full disk may be reported only when the last bytes leave the buffer.
  if (file_ && std::fclose(file_.release()) != 0) Fail(std::strerror(errno));
}

void WholeFile::Commit() {
  Finish();
  std::error_code error;
  std::filesystem::rename(beside_, target_, error);
  if (error) Fail(error.message());
  beside_.clear();
}

}  // namespace strand
