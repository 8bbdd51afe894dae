// What Swift needs to call zlib, and nothing more.
#ifndef CONTRAIL_CZLIB_SHIM_H
#define CONTRAIL_CZLIB_SHIM_H

#include <zlib.h>

// `deflateInit2` and `inflateInit2` are macros, which Swift does not import. 16 more than the window's
// 15 bits stands for the gzip format.
static inline int contrail_gzip_begin(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int contrail_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
