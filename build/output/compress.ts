/** Compresses a file once, at build time and as well as possible, where that pays. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Encoding } from '../../server/http/site-manifest.ts'

export const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: bytes =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: bytes => gzipSync(bytes, { level: 9 }),
}

/** Fonts and pictures are compressed already. */
export const isCompressible = (type: string) => /^(text\/|application\/(json|xml|manifest\+json)|image\/svg)/.test(type)
