/**
 * Prints what content/ of a 0.7.0 checkout says, as JSON: node evaluate.ts CHECKOUT. It's TypeScript, so it has to be run: in a process of
 * its own that can read content/ and do nothing else (checkout.ts). Facts become names before the texts that insert them are read, so
 * `${organization.name}` arrives as {organization}, and every condition is the same in every checkout.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Module = Record<string, unknown>
type Values = Record<string, unknown>

const [, , checkout = '', callsComeFromPhone] = process.argv
const content = pathToFileURL(join(checkout, 'content/'))
const load = async (file: string): Promise<Module> => import(new URL(file, content).href)

/** By name: what each function inserts. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  percentComplete: ['percent'],
  progressLabel: ['step', 'total'],
  place: ['number', 'total'],
  optional: ['label'],
  didYouMean: ['domain'],
  inEnglish: ['text'],
  today: ['byTime'],
  tomorrow: ['byTime'],
  later: ['day', 'byTime'],
  time: ['clock', 'zone'],
}

const marked = (name: string) => `{${name}}`

/** Plain data. What a function says is left out if it needs more than names. */
function plain(value: unknown, name = ''): unknown {
  if (typeof value === 'function') {
    try {
      return value(...(PARAMETERS[name] ?? []).map(marked))
    } catch {
      return undefined
    }
  }
  if (Array.isArray(value)) return value.map(each => plain(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, plain(inside, key)]))
}

const markAll = (values: Values, mark = marked) => {
  for (const name of Object.keys(values)) values[name] = mark(name)
}

const { organization } = (await load('organization.ts')) as { organization: Values }
const facts: Values = { organization: plain(organization) }
Object.assign(organization, { name: marked('organization'), phone: marked('phone') })
Object.assign(organization, { hours: { en: marked('hours'), es: marked('hours') } })
organization['callsComeFromPhone'] = callsComeFromPhone === 'yes'

const { officialLinks, legalPagesElsewhere } = (await load('links.ts')) as Record<string, Record<string, Values>>
Object.assign(facts, { links: plain(officialLinks), legal: plain(legalPagesElsewhere) })
for (const [name, addresses] of Object.entries(officialLinks ?? {})) markAll(addresses, () => name)

const { figures, ages, checkMinutes } = await load('figures.ts')
Object.assign(facts, plain({ figures, ages, checkMinutes }))
const wordings: Values = {}
const claims: Values = {}
for (const language of ['en', 'es']) {
  const inWords = (await load(`${language}/figures.ts`)) as { figures: Values }
  wordings[language] = plain(inWords.figures)
  markAll(inWords.figures)
  const claimed = (await load(`${language}/claims.ts`)) as { claims: Values }
  claims[language] = plain(claimed.claims)
  markAll(claimed.claims)
  const { questionCount } = (await load(`${language}/questions.ts`)) as { questionCount: Values }
  Object.assign(questionCount, { inside: marked('questionCount'), first: marked('QuestionCount') })
}

const words = { en: plain((await load('en/words.ts'))['en']), es: plain((await load('es/words.ts'))['es']) }
const { claimSupport, justifications } = await load('claims.ts')
const { languages, launchFacts } = await load('languages.ts')
const { testimonials, advertorialQuote } = await load('testimonials.ts')
const { pictures, mark: logo } = await load('pictures.ts')
const { questions } = await load('questions.ts')
const { publishedOn } = await load('advertorial.ts')
const { headlineVariants } = await load('headline-variants.ts')
const { landingPages } = await load('landing-pages.ts')
const { tested } = await load('tested.ts')
Object.assign(
  facts,
  plain({ claimSupport, justifications, languages, launchFacts, testimonials, advertorialQuote, pictures, logo }),
  plain({ questions, publishedOn, headlineVariants, landingPages, tested }),
)
process.stdout.write(`\n${JSON.stringify({ facts, wordings, claims, words })}`)
