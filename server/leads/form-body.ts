/** Reads a form-encoded body up to a limit, whatever length it claims to have. */
import type { HttpRequest } from '../http/handler.ts'

export const BODY_LIMIT = 16 * 1024

export interface UnreadableBody {
  readonly status: 400 | 413 | 415
  readonly message: string
}

const tooLarge: UnreadableBody = { status: 413, message: 'The form is too long.' }

export async function readBody({ header, body }: HttpRequest): Promise<URLSearchParams | UnreadableBody> {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return { status: 415, message: 'The form has the wrong encoding.' }
  if (Number(header('content-length')) > BODY_LIMIT) return tooLarge
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Not destroyed when too long, which would cut the connection before the answer is out.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += chunk.byteLength
      if (length > BODY_LIMIT) return tooLarge
      chunks.push(chunk)
    }
  } catch {
    return { status: 400, message: 'The form did not arrive whole.' }
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
