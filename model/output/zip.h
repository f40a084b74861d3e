// An archive of stored (uncompressed) members. Source: PKWARE, "APPNOTE.TXT - .ZIP File Format
// Specification", 6.3.10. The 64-bit forms are used for all sizes, so that there is one code path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/output/whole_file.h"

namespace strand {

/// CRC-32 (APPNOTE 4.4.7) of the data for which `crc` was computed, followed by these data.
uint32_t Crc32(uint32_t crc, const void* data, size_t bytes);

class ZipWriter {
 public:
  explicit ZipWriter(WholeFile* file) : file_(file) {}

  void Begin(const std::string& name);
  void Write(const void* data, size_t bytes);
  void End();     ///< Ends the member.
  void Finish();  ///< Writes the directory; the file remains open.

 private:
  struct Member {
    std::string name;
    uint64_t offset = 0;  // of its local header
    uint64_t size = 0;
    uint32_t crc = 0;
  };

  WholeFile* file_;
  std::vector<Member> members_;
};

}  // namespace strand
