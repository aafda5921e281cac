/** The words for each moment of a call, in the person's language, from content/. Why we call comes only once it's them. */
import type { CallLanguage } from '../../../../domain/calling/list.ts'
import { type CallOutcomeName, OTHER_LANGUAGE } from '../../../../domain/calling/outcomes.ts'
import { ENGLISH, languageName } from '../../../../domain/languages.ts'
import { fill } from '../../../../domain/text/fill.ts'
import type { CallState, Lead, PhoneWords } from '../../client.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { useCallWords, useColleagues, useUnspoken } from './call-queries.ts'
import { useSaid } from './said.ts'
import { startedCall } from './situation.tsx'

interface WhatToSayProps {
  readonly lead: Lead
  readonly state: CallState
}

export function WhatToSay({ lead, state }: WhatToSayProps) {
  const { outcome } = useSaid(lead.id, state).said
  const { name: agent, timeZone } = useSession()
  const language = state.language as CallLanguage
  const both = useCallWords().data
  const unspoken = useUnspoken()
  const colleagues = useColleagues().data ?? []
  const words = both?.[language]
  const isIncoming = startedCall(state)?.incoming ?? false
  if (!both || !words || state.situation.kind === 'taken' || (state.block?.why === 'closed' && !isIncoming)) return null
  const locale = language === 'es' ? 'es-US' : 'en-US'
  const date = new Intl.DateTimeFormat(locale, { timeZone, month: 'long', day: 'numeric' }).format(lead.receivedAt)
  const values = { ...words.figures, agent, person: lead.contact?.firstName ?? '', date, site: words.site }
  const said = (text: string) => <q lang={language}>{fill(text, values)}</q>
  const moment = momentOf(words, { outcome, isIncoming, isSpoken: lead.consentTakenBy !== null })
  if (outcome === OTHER_LANGUAGE && unspoken)
    return <InTheirLanguage words={both} language={unspoken} colleagues={colleagues} />
  return (
    <Card title="What to say" className="print:hidden">
      <dl>
        {moment.map(([when, text], index) => (
          <div key={when} className="mb-2">
            <dt className="text-small text-ink-soft">{when}</dt>
            <dd className={index === 0 ? 'font-bold' : ''}>{said(text)}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary className="min-h-8 font-bold">If they ask</summary>
        <dl>
          {words.answers.map(({ id, question, answer }) => (
            <div key={id} className="mt-2">
              <dt className="text-small text-ink-soft">
                <InBoth
                  language={language}
                  text={question}
                  english={both.en.answers.find(each => each.id === id)?.question}
                />
              </dt>
              <dd>{said(answer)}</dd>
            </div>
          ))}
          <div className="mt-2">
            <dt className="text-small text-ink-soft">Stop calling me</dt>
            <dd>
              {said(words.stopped)} Then choose <strong>Never call again</strong>.
            </dd>
          </div>
        </dl>
        <Link href="/first-day" className="mt-2 inline-block underline underline-offset-4">
          What never to say, and more
        </Link>
      </details>
    </Card>
  )
}

interface InTheirLanguageProps {
  readonly words: PhoneWords
  readonly language: CallLanguage
  readonly colleagues: readonly { readonly name: string; readonly languages: readonly string[] }[]
}

/** For an agent who doesn't speak it: what to read, who will call, and when. */
export function InTheirLanguage({ words, language, colleagues }: InTheirLanguageProps) {
  const speakers = colleagues.filter(({ languages }) => languages.includes(language)).map(({ name }) => name)
  const who = new Intl.ListFormat('en-US').format(speakers)
  return (
    <Card title="What to say" className="print:hidden">
      <p className="text-small text-ink-soft">Before you hang up, read this to them in {languageName(language)}</p>
      <p className="font-bold">
        <InBoth language={language} text={words[language].otherLanguage} english={words.en.otherLanguage} />
      </p>
      <p className="mt-2">
        {speakers.length > 0
          ? `${who} ${speakers.length === 1 ? 'speaks' : 'speak'} ${languageName(language)} here. The desk offers them this call first, from an hour after yours.`
          : `Nobody else who calls here speaks ${languageName(language)}. The desk offers you this call again after two hours.`}
      </p>
    </Card>
  )
}

interface InBothProps {
  readonly language: CallLanguage
  readonly text: string
  readonly english: string | undefined
}

/** What's asked or read in the person's language. An agent may not know all of it. */
export function InBoth({ language, text, english }: InBothProps) {
  return (
    <>
      <span lang={language}>{text}</span>
      {language === ENGLISH || english === undefined ? null : <span className="block text-ink-soft">{english}</span>}
    </>
  )
}

interface Moment {
  readonly outcome: CallOutcomeName | null
  readonly isIncoming: boolean
  readonly isSpoken: boolean
}

/** What to say now, and when. */
function momentOf(
  words: PhoneWords[CallLanguage],
  { outcome, isIncoming, isSpoken }: Moment,
): readonly (readonly [when: string, text: string])[] {
  if (outcome === 'voicemail') return [['On voicemail', words.voicemail]]
  if (outcome === 'never call again') return [['When they ask you to stop', words.stopped]]
  if (isIncoming) return [['When you pick up', words.greeting]]
  return [
    ['First, to anyone who picks up', words.opening],
    ['Only when it’s them', isSpoken ? words.spokenReason : words.reason],
    ['On voicemail', words.voicemail],
  ]
}
