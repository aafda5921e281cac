/** Reads a form-encoded body up to a limit, whatever length it claims to have. */

export const BODY_LIMIT = 16 * 1024

export interface UnreadableBody {
  readonly status: 400 | 413 | 415
  readonly message: string
}

const tooLarge: UnreadableBody = { status: 413, message: 'The form is too long.' }

export async function readBody(request: Request): Promise<URLSearchParams | UnreadableBody> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return { status: 415, message: 'The form has the wrong encoding.' }
  if (Number(request.headers.get('content-length')) > BODY_LIMIT) return tooLarge
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      length += next.value.byteLength
      // Not cancelled, which would cut the connection before the answer is out: the server drains what is left.
      if (length > BODY_LIMIT) return tooLarge
      chunks.push(next.value)
    }
  } catch {
    return { status: 400, message: 'The form did not arrive whole.' }
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
