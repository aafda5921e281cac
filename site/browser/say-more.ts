/**
 * On the thank-you page, in the tab that sent a lead, for half an hour: the number that we'll call, another one if it's wrong, and
 * when to call. Loaded by inline/sent-lead.ts. The server decides everything (server/intake/sent-lead.ts). Without its answer, the page
 * stays as it is. No imports: a module shared with the questionnaire would become another file to load there.
 */
interface Answer {
  readonly corrected?: boolean
  readonly times?: readonly { readonly from: number; readonly until: number }[]
  readonly phone?: string
  readonly message?: string
}

const TIMEOUT_MS = 20_000
const HOUR = 3_600_000
const part = document.querySelector<HTMLElement>('[data-say-more]') as HTMLElement
const find = <E extends HTMLElement>(selector: string) => part.querySelector(selector) as E
const [shown, details, result] = [find('[data-shown]'), find('details'), find('[data-result]')]
const [form, input] = [find<HTMLFormElement>('form'), find<HTMLInputElement>('input')]
const [times, list, chosen] = [find('[data-times]'), find('[data-list]'), find('[data-chosen]')]
const texts = part.dataset
let sent = tab.read()
let busy = false
/** What the visitor was asked to check. If it's sent again, it's right. */
let asked = ''

/** No longer than before, however often the visitor changes it. */
function remember(change: Kept): void {
  sent = { ...sent, ...change }
  tab.keep(sent)
}

async function say(fields: Readonly<Record<string, string>>): Promise<{ status: number; answer: Answer }> {
  try {
    const response = await fetch(`${texts['sayMore']}`, {
      method: 'POST',
      headers: { 'X-Consent-Version': `${texts['consent']}` },
      body: new URLSearchParams({ token: `${sent.token}`, phone: `${sent.phone}`, ...fields }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, answer: await response.json() }
  } catch {
    return { status: 0, answer: {} }
  }
}

function tell(where: HTMLElement, text = '', value = ''): void {
  // Keeps a phone number on one line.
  where.textContent = text.replace('{}', value.replace(') ', ')\u00a0'))
}

function tellFailure(where: HTMLElement, status: number): void {
  // The number may have been corrected in another tab.
  shown.hidden ||= status === 403
  tell(where, status === 403 ? texts['refused'] : texts['failed'])
}

/** Shows the chosen time. What the page says about today doesn't hold for it. */
function showChosen(button?: HTMLElement): void {
  for (const each of list.querySelectorAll('button')) each.ariaPressed = `${each === button}`
  tell(chosen, button && texts['saved'], button?.textContent?.replace('\n', ', '))
  for (const promise of document.querySelectorAll<HTMLElement>('[data-callbacks]'))
    promise.hidden = button !== undefined
}

/** Times that are at night where the visitor is aren't offered. */
function offer(offered: Answer['times'] = []): void {
  const language = `${document.documentElement.lang}-US`
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' })
  const hours = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: 'numeric' })
  for (const old of list.querySelectorAll('button:not([hidden])')) old.remove()
  times.hidden = true
  for (const { from, until } of offered) {
    const starts = new Date(from).getHours()
    if (starts < 8 || starts + (until - from) / HOUR > 21) continue
    const button = list.querySelector('button')?.cloneNode() as HTMLButtonElement
    // Each on one line.
    const range = hours
      .formatRange(from, until)
      .replaceAll(':00', '')
      .replaceAll(/\s/g, '\u00a0')
      .replace('–', '–\u2060')
    button.textContent = `${weekday.format(from)}\n${range}`
    button.hidden = false
    button.onclick = () => choose(button, from)
    list.append(button)
    times.hidden = false
    if (from === sent.from) showChosen(button)
  }
}

async function choose(button: HTMLButtonElement, from: number): Promise<void> {
  if (busy) return
  busy = true
  const { status } = await say({ from: `${from}` })
  busy = false
  if (status !== 202) return tellFailure(chosen, status)
  remember({ from })
  showChosen(button)
}

async function correct(): Promise<void> {
  const typed = input.value
  const { status, answer } = await say({ newPhone: typed, asked })
  input.ariaInvalid = `${status === 422}`
  if (status === 422) {
    // After the icon.
    const message = document.getElementById(`${input.id}-message`)?.lastChild
    if (message) message.nodeValue = `${answer.message}`
    asked = typed
    input.focus()
    return
  }
  if (status === 202 && answer.phone) {
    // The time was for the other number.
    remember({ phone: answer.phone, from: undefined })
    shown.hidden = true
    tell(result, texts['corrected'], answer.phone)
    showChosen()
    offer(answer.times)
  } else tellFailure(result, status)
  details.hidden = status === 202 || status === 403
  result.focus()
}

form.onsubmit = async event => {
  event.preventDefault()
  if (busy) return
  busy = true
  const button = find<HTMLButtonElement>('[type=submit]')
  button.ariaDisabled = 'true'
  await correct()
  button.ariaDisabled = 'false'
  busy = false
}

const { status, answer } = await say({})
if (status === 200) {
  tell(shown, texts['willCall'], sent.phone)
  details.hidden = answer.corrected === true
  offer(answer.times)
  part.hidden = false
}
