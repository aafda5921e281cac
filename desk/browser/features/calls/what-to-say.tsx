/** The first words of a call, in the person's language, from content/. Why we call comes only once it's them. */
import type { CallLanguage } from '../../../../domain/calling/list.ts'
import { fill } from '../../../../domain/fill.ts'
import type { CallState, Lead } from '../../client.ts'
import { useSession } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { useCallWords } from './call-queries.ts'
import { startedCall } from './situation.tsx'

interface WhatToSayProps {
  readonly lead: Lead
  readonly state: CallState
}

export function WhatToSay({ lead, state }: WhatToSayProps) {
  const { name: agent, timeZone } = useSession()
  const language = state.language as CallLanguage
  const words = useCallWords().data?.[language]
  const isOurs = state.block?.why !== 'closed' && state.situation.kind !== 'taken' && !startedCall(state)?.incoming
  if (!words || !isOurs) return null
  const locale = language === 'es' ? 'es-US' : 'en-US'
  const date = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', day: 'numeric' }).format(lead.receivedAt)
  const values = {
    agent,
    person: lead.contact?.firstName ?? '',
    date,
    site: words.site,
  }
  const said = (text: string) => <q lang={language}>{fill(text, values)}</q>
  return (
    <Card title="What to say" className="print:hidden">
      <p className="text-small text-ink-soft">First, to anyone who picks up</p>
      <p className="mb-2 font-bold">{said(words.opening)}</p>
      <p className="text-small text-ink-soft">Only when it’s them</p>
      <p>{said(lead.consentTakenBy === null ? words.reason : words.spokenReason)}</p>
      <details className="mt-2">
        <summary className="min-h-8 font-bold">On voicemail</summary>
        <p>{said(words.voicemail)}</p>
      </details>
    </Card>
  )
}
