/** Sends the outbox's letters, for the worker of the lane "mail". */
import type { Send } from '../delivery/worker.ts'
import { copyIn, type ServerCopy } from '../http/site-manifest.ts'
import type { Config } from '../settings/config.ts'
import type { LeasedMessage } from '../store/operations/deliveries/lease.ts'
import { createMailer, type Letter, mailServerOf } from './mailer.ts'
import { teamLetter } from './team-letter.ts'
import { visitorLetter } from './visitor-letter.ts'

export type LetterSettings = Pick<
  Config,
  'smtpUrl' | 'mailFrom' | 'mailTo' | 'visitorMailName' | 'siteUrl' | 'callingHours' | 'desk'
>

/** Null if mail isn't set up. */
export function letterSender(
  config: LetterSettings,
  site: () => { readonly copy: Pick<ServerCopy, 'languages' | 'closed'> },
): Send | null {
  const server = mailServerOf(config)
  if (server === null) return null
  const mailer = createMailer(server)
  /** Who got a letter that others are still to get. After a restart, they get it again, with the same ID. */
  const arrived = new Map<string, ReadonlySet<string>>()
  return async (message, { now }) => {
    const { id } = message
    const letters = lettersOf(message, config, site().copy, now).filter(({ to }) => !arrived.get(id)?.has(to))
    const outcomes = await Promise.all(letters.map(letter => mailer.send(letter)))
    const failure = outcomes.find(({ kind }) => kind === 'retry') ?? outcomes.find(({ kind }) => kind === 'gone')
    const delivered = letters.filter((_, index) => outcomes[index]?.kind === 'delivered').map(({ to }) => to)
    if (failure) arrived.set(id, new Set([...(arrived.get(id) ?? []), ...delivered]))
    else arrived.delete(id)
    return failure ?? outcomes[0] ?? { kind: 'gone', status: null, reason: 'the settings for this letter are off' }
  }
}

/** One for each recipient, so a refused one doesn't hide behind the others. None if the settings have changed since. */
function lettersOf(
  { id, type, detail, lead }: LeasedMessage,
  config: LetterSettings,
  copy: Pick<ServerCopy, 'languages' | 'closed'>,
  now: number,
): readonly Letter[] {
  if (type === 'mail.team') {
    const leads = Number(detail['leads'])
    const callingHours = { ...config.callingHours, closed: copy.closed }
    const letter = teamLetter({ leads, contact: lead?.contact ?? null, now, ...config, callingHours })
    return config.mailTo.map(to => ({ id, to, ...letter }))
  }
  if (lead === null || config.visitorMailName === null) return []
  const { siteUrl, visitorMailName: sender } = config
  const { contact, language, receivedAt } = lead
  const words = copyIn(copy, language).letter
  return [{ id, ...visitorLetter({ contact, language, receivedAt, now, sender, siteUrl, copy: words }) }]
}
