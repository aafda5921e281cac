/** Reads a request's body, up to a limit. */
import type { HttpRequest } from './handler.ts'

/** Our forms need less than 1 KB. */
const MAX_BYTES = 16 * 1024

/** Afterwards, the rest may still be arriving, so the connection can't be reused. */
export type UnreadBody = { readonly status: 400 | 413; readonly message: string }

const tooLong: UnreadBody = { status: 413, message: 'The request body is too long.' }

export async function readText({ header, body }: HttpRequest): Promise<string | UnreadBody> {
  if (Number(header('content-length')) > MAX_BYTES) return tooLong
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // If the body is too long, don't destroy the stream: that would close the connection before the response is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += chunk.byteLength
      if (length > MAX_BYTES) return tooLong
      chunks.push(chunk)
    }
  } catch {
    return { status: 400, message: 'The request body is incomplete.' }
  }
  return Buffer.concat(chunks).toString()
}
