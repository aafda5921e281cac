/** Sends the outbox's letters, for the worker of the lane "mail". */
import type { Send } from '../delivery/worker.ts'
import { copyIn, type ServerCopy } from '../http/site-manifest.ts'
import type { Config } from '../settings/config.ts'
import type { LeasedMessage } from '../store/deliveries/outbox.ts'
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
  return async (message, { now }) => {
    const letter = letterOf(message, config, site().copy, now)
    if (letter === null) return { kind: 'gone', status: null, reason: 'the settings for this letter are off' }
    return mailer.send(letter)
  }
}

/** Null if the settings have changed since it was put into the outbox. */
function letterOf(
  { id, type, detail, lead }: LeasedMessage,
  config: LetterSettings,
  copy: Pick<ServerCopy, 'languages' | 'closed'>,
  now: number,
): Letter | null {
  if (type === 'mail.team') {
    if (config.mailTo.length === 0) return null
    const leads = Number(detail['leads'])
    const callingHours = { ...config.callingHours, closed: copy.closed }
    const contact = lead?.contact ?? null
    return { id, to: config.mailTo, ...teamLetter({ leads, contact, now, ...config, callingHours }) }
  }
  if (lead === null || config.visitorMailName === null) return null
  const { siteUrl, visitorMailName: sender } = config
  const { contact, language, receivedAt } = lead
  const words = copyIn(copy, language).letter
  return { id, ...visitorLetter({ contact, language, receivedAt, now, sender, siteUrl, copy: words }) }
}
