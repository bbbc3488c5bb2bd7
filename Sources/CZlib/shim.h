#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// deflateInit2 and inflateInit2 are macros, which Swift does not see. Negative window bits: raw streams, without header and checksum.

static inline int czlib_raw_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
  return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int czlib_raw_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, -window_bits); }

#endif
