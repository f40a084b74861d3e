#include "model/output/zip.h"

#include <array>

namespace strand {
namespace {

constexpr uint16_t kVersion = 45;  // the first with the 64-bit forms
constexpr uint16_t kIn64 = 0xffff;
constexpr uint32_t kSeeExtra = 0xffffffff;
constexpr uint32_t kMidnight1980 = 0x00210000;  // fixed, so that reruns are equal

consteval std::array<uint32_t, 256> CrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}

class Record {
 public:
  template <class... Fields>
  explicit Record(Fields... fields) {
    (Append(fields), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class Field>
  void Append(Field value) {
    for (size_t i = 0; i < sizeof(Field); ++i) {
      bytes_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    }
  }

  std::string bytes_;
};

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

// APPNOTE 4.3.7 with the extra field of 4.5.3.
std::string LocalHeader(const std::string& name, uint32_t crc, uint64_t size) {
  return Record(U32{0x04034b50}, kVersion, U16{0}, U16{0}, kMidnight1980, crc, kSeeExtra, kSeeExtra,
                static_cast<U16>(name.size()), U16{20})
             .bytes() +
         name + Record(U16{1}, U16{16}, size, size).bytes();
}

}  // namespace

uint32_t Crc32(uint32_t crc, const void* data, size_t bytes) {
  static constexpr std::array<uint32_t, 256> kTable = CrcTable();
  const auto* byte = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (size_t i = 0; i < bytes; ++i) crc = kTable[(crc ^ byte[i]) & 0xff] ^ (crc >> 8);
  return ~crc;
}

void ZipWriter::Begin(const std::string& name) {
  members_.push_back({name, file_->size(), 0, 0});
  file_->Write(LocalHeader(name, 0, 0));
}

void ZipWriter::Write(const void* data, size_t bytes) {
  Member& member = members_.back();
  member.crc = Crc32(member.crc, data, bytes);
  member.size += bytes;
  file_->Write(data, bytes);
}

void ZipWriter::End() {
  const Member& member = members_.back();
  const std::string header = LocalHeader(member.name, member.crc, member.size);
  file_->Overwrite(member.offset, header.data(), header.size());
}

// APPNOTE 4.3.12 (a member of the directory), 4.3.14, 4.3.15, 4.3.16 (end of the directory).
void ZipWriter::Finish() {
  const U64 begin = file_->size(), count = members_.size();
  for (const Member& member : members_) {
    file_->Write(Record(U32{0x02014b50}, kVersion, kVersion, U16{0}, U16{0}, kMidnight1980,
                        member.crc, kSeeExtra, kSeeExtra, static_cast<U16>(member.name.size()),
                        U16{28}, U16{0}, U16{0}, U16{0}, U32{0}, kSeeExtra)
                     .bytes());
    file_->Write(member.name);
    file_->Write(Record(U16{1}, U16{24}, member.size, member.size, member.offset).bytes());
  }
  const U64 end = file_->size();
  file_->Write(Record(U32{0x06064b50}, U64{44}, kVersion, kVersion, U32{0}, U32{0}, count, count,
                      end - begin, begin)
                   .bytes());
  file_->Write(Record(U32{0x07064b50}, U32{0}, end, U32{1}).bytes());
  file_->Write(
      Record(U32{0x06054b50}, U16{0}, U16{0}, kIn64, kIn64, kSeeExtra, kSeeExtra, U16{0}).bytes());
}

}  // namespace strand
