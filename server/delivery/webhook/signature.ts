/** The headers by which a receiver knows a delivery again and can tell that it is ours, after Standard Webhooks. */
import { createHmac } from 'node:crypto'
import { keyOf } from '../../webhook-secret.ts'

interface Signing {
  /** The same for every attempt, so that the receiver can tell a repetition. */
  readonly webhookId: string
  readonly now: number
  /** None: nothing is signed. Two while one is replaced by the other: the receiver may check by either. */
  readonly secrets: readonly string[]
}

/** `content` is the body; of a request without one, its query string. */
export function signedHeaders({ webhookId, now, secrets }: Signing, content: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const headers = { 'webhook-id': webhookId, 'webhook-timestamp': timestamp }
  if (secrets.length === 0) return headers
  const signatures = secrets.map(secret => {
    const signature = createHmac('sha256', keyOf(secret)).update(`${webhookId}.${timestamp}.${content}`)
    return `v1,${signature.digest('base64')}`
  })
  return { ...headers, 'webhook-signature': signatures.join(' ') }
}
