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

const KEY = 'questionnaire-draft'
const TIMEOUT_MS = 20_000
const part = document.querySelector<HTMLElement>('[data-say-more]') as HTMLElement
const find = <E extends HTMLElement>(selector: string) => part.querySelector(selector) as E
const [otherwise, known] = [find('[data-otherwise]'), find('[data-known]')]
const [shown, details, result] = [find('[data-shown]'), find('details'), find('[data-result]')]
const [form, input, error] = [find<HTMLFormElement>('form'), find<HTMLInputElement>('input'), find('[data-error]')]
const [times, list, chosen] = [find('[data-times]'), find('[data-list]'), find('[data-chosen]')]
const texts = known.dataset
const draft = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
let busy = false
/** What the visitor was asked to check. If it's sent again, it's right. */
let asked = ''

async function say(fields: Readonly<Record<string, string>>): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(part.dataset['sayMore'] as string, {
    method: 'POST',
    headers: { 'X-Consent-Version': part.dataset['consent'] as string },
    body: new URLSearchParams({ token: draft.token, phone: draft.phone, ...fields }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { status: response.status, answer: await response.json() }
}

function tell(where: HTMLElement, text = '', value = ''): void {
  // Keeps a phone number on one line.
  where.textContent = text.replace('{}', value.replace(' ', '\u00a0'))
}

function showPromises(hold: boolean): void {
  for (const promise of document.querySelectorAll<HTMLElement>('[data-callbacks]')) promise.hidden = !hold
}

/** Times that are at night where the visitor is aren't offered. */
function offer(offered: Answer['times'] = []): void {
  const format = new Intl.DateTimeFormat(`${document.documentElement.lang}-US`, {
    weekday: 'long',
    hour: 'numeric',
    minute: 'numeric',
  })
  const buttons = offered.flatMap(({ from, until }) => {
    if (new Date(from).getHours() < 8 || new Date(until - 1).getHours() > 20) return []
    const button = list.querySelector('button')?.cloneNode() as HTMLButtonElement
    button.textContent = format.formatRange(from, until).replaceAll(':00', '')
    button.hidden = false
    button.onclick = () => choose(button, from)
    return [button]
  })
  for (const old of list.querySelectorAll('button:not([hidden])')) old.remove()
  list.append(...buttons)
  times.hidden = buttons.length === 0
}

async function choose(button: HTMLButtonElement, from: number): Promise<void> {
  if (busy) return
  busy = true
  const { status } = await say({ from: `${from}` }).catch(() => ({ status: 0 }))
  busy = false
  if (status === 202) {
    for (const each of list.querySelectorAll('button')) each.ariaPressed = `${each === button}`
    tell(chosen, texts['saved'], button.textContent ?? '')
    // What the page says about today no longer holds.
    showPromises(false)
  } else tell(chosen, status === 403 ? texts['refused'] : texts['failed'])
}

async function correct(): Promise<void> {
  const typed = input.value
  const { status, answer } = await say({ newPhone: typed, asked }).catch(() => ({ status: 0, answer: {} as Answer }))
  input.ariaInvalid = `${status === 422}`
  tell(error, status === 422 ? answer.message : '')
  if (status === 422) {
    asked = typed
    input.focus()
    return
  }
  if (status === 202 && answer.phone) {
    draft.phone = answer.phone
    sessionStorage.setItem(KEY, JSON.stringify(draft))
    shown.hidden = true
    tell(result, texts['corrected'], answer.phone)
    // The time was for the other number.
    tell(chosen)
    showPromises(true)
    offer(answer.times)
  } else tell(result, status === 403 ? texts['refused'] : texts['failed'])
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
  tell(shown, texts['willCall'], draft.phone)
  details.hidden = answer.corrected === true
  offer(answer.times)
  otherwise.hidden = true
  known.hidden = false
}
