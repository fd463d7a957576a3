// SPDX-License-Identifier: MIT
// gzip by zlib, zstd by libzstd.  Both may hold several streams one after another.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include "history/input.h"

namespace isomer::history {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

// Text of histories shrinks five- to fifty-fold; what grows beyond this is a bomb.
constexpr std::size_t unpacked_free = std::size_t{256} << 20;
constexpr std::size_t ratio_max = 200;
constexpr std::size_t step = std::size_t{1} << 20;

std::size_t unpacked_max(std::string_view packed) {
  return std::max(unpacked_free, packed.size() * ratio_max);
}

tl::unexpected<Diagnostics> refuse(std::string_view name, std::string message) {
  return tl::unexpected(Diagnostics{diagnostic_of_file(name, std::move(message))});
}

tl::unexpected<Diagnostics> refuse_bomb(std::string_view name, std::size_t max) {
  return refuse(name, fmt::format("unpacks to more than {} MiB, far more than its size "
                                  "allows for a history; unpack it by hand to insist",
                                  max >> 20));
}

struct InflateEnd {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

Expected<std::string> unpack_gzip(std::string_view packed, std::string_view name,
                                  const Budget& budget) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return refuse(name, "zlib does not start");
  const std::unique_ptr<z_stream, InflateEnd> guard(&stream);
  const std::size_t max = unpacked_max(packed);
  std::string out;
  std::size_t taken = 0;
  int state = Z_OK;
  while ((taken < packed.size() || state != Z_STREAM_END) && !budget.is_exhausted()) {
    const std::size_t size = out.size();
    out.resize(size + step);
    const std::size_t given = std::min<std::size_t>(packed.size() - taken, 1U << 30);
    // zlib's interface lacks a const; it does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + size);
    stream.avail_out = static_cast<uInt>(step);
    if (state == Z_STREAM_END) inflateReset(&stream);
    state = inflate(&stream, Z_NO_FLUSH);
    taken += given - stream.avail_in;
    out.resize(size + step - stream.avail_out);
    if (out.size() > max) return refuse_bomb(name, max);
    if (state == Z_STREAM_END) continue;
    if (state == Z_BUF_ERROR ||
        (state == Z_OK && taken == packed.size() && stream.avail_out == step))
      return refuse(name, "this gzip file ends too early");
    if (state != Z_OK) return refuse(name, "this gzip file is damaged");
  }
  return out;
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

Expected<std::string> unpack_zstd(std::string_view packed, std::string_view name,
                                  const Budget& budget) {
  const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
  if (context == nullptr) return refuse(name, "zstd does not start");
  const std::size_t max = unpacked_max(packed);
  std::string out;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t hint = 1;
  while (true) {
    const std::size_t size = out.size();
    out.resize(size + step);
    ZSTD_outBuffer to{out.data() + size, step, 0};
    hint = ZSTD_decompressStream(context.get(), &to, &in);
    out.resize(size + to.pos);
    if (ZSTD_isError(hint) != 0)
      return refuse(name,
                    fmt::format("this zstd file is damaged: {}", ZSTD_getErrorName(hint)));
    if (out.size() > max) return refuse_bomb(name, max);
    const bool is_drained = to.pos < step;
    if (is_drained && in.pos == in.size) break;
    if (budget.is_exhausted()) break;
  }
  if (hint != 0) return refuse(name, "this zstd file ends too early");
  return out;
}

}  // namespace

bool is_packed(std::string_view bytes) {
  return bytes.starts_with(gzip_magic) || bytes.starts_with(zstd_magic);
}

Expected<std::string> unpack(std::string_view bytes, std::string_view name,
                             const Budget& budget) {
  return bytes.starts_with(gzip_magic) ? unpack_gzip(bytes, name, budget)
                                       : unpack_zstd(bytes, name, budget);
}

}  // namespace isomer::history
