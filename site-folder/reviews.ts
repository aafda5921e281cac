/**
 * Reviews of consents and legal pages. A review is of a version, so an edited text needs another one. Until then, the text that was reviewed
 * stays live, with today's phone number: each published site keeps those, and the next one takes them over.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../domain/languages.ts'
import { reviewLines } from '../domain/launch/findings.ts'
import { type HeldText, markdownOf, type ReviewedText } from '../domain/text/text-blocks.ts'
import { legalRules } from '../launch/legal-rules.ts'
import { SITE } from '../server/settings/leads-command.ts'
import type { SiteFinding } from './findings.ts'
import type { ReviewsFile } from './schema/facts.ts'
import { didYouMean } from './suggest.ts'
import { leavesOf, type Table } from './toml.ts'
import { isDraft, type WholeText } from './whole-text.ts'

export interface Reviewable {
  readonly file: string
  /** Of the text as it's written. */
  readonly version: string
  /** False if another text is live until this one is reviewed. */
  readonly isLive: boolean
}

export interface LiveText extends ReviewedText {
  readonly file: string
  readonly isDraft: boolean
}

/** Any change of what visitors read changes it, and nothing else: not line ends, and not urgent facts. */
export const versionOf = ({ name, blocks }: Pick<ReviewedText, 'name' | 'blocks'>) => hashOf([name, blocks])

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

type Review = NonNullable<ReviewsFile['texts'][string]>

interface Published {
  /** What visitors get, by name. */
  readonly live: ReadonlyMap<string, LiveText>
  /** The texts that need a review in these languages. */
  readonly reviewable: Readonly<Record<string, Reviewable>>
  readonly reviewed: readonly ReviewedText[]
  /** Names of texts that were edited since their review, where the reviewed version isn't known. Nobody is shown the edit. */
  readonly unknown: readonly string[]
  readonly held: readonly HeldText[]
}

/** `lastReviewed`: later ones last, or null if the folder is only read. */
export function holdBackEdits(
  written: readonly WholeText[],
  { legalName }: Pick<ReviewedText, 'legalName'>,
  { texts: reviews }: ReviewsFile,
  lastReviewed: readonly ReviewedText[] | null,
  languages: readonly Language[],
  findings: SiteFinding[],
): Published {
  const live = new Map<string, LiveText>()
  const reviewable: Record<string, Reviewable> = {}
  const reviewed = new Map(lastReviewed?.map(text => [text.name, text]))
  const unknown: string[] = []
  const held: HeldText[] = []
  for (const { name, file, isDraft, blocks } of written) {
    const text = { name, blocks, legalName }
    const review = reviews[name]
    const last = lastReviewed?.find(each => review?.version === versionOf(each)) ?? reviewed.get(name)
    live.set(name, { ...text, file, isDraft })
    if (isDraft && !review && !last) continue
    const version = versionOf(text)
    const isShown = languages.some(language => name.endsWith(`.${language}`))
    const isReviewed = review?.version === version && !isDraft
    if (isReviewed) reviewed.set(name, text)
    else if (last) {
      reviewed.set(name, last)
      live.set(name, { ...last, file, isDraft: false })
    } else if (review && lastReviewed !== null) {
      live.set(name, { ...text, file, blocks: [], isDraft: true })
      if (isShown) unknown.push(name)
    } else if (review && isShown) findings.push(editedSince(review, name, version))
    if (!isReviewed && (last || (review && lastReviewed !== null)) && isShown)
      held.push({ name, version, live: last ? markdownOf(last.blocks) : null, edit: markdownOf(blocks) })
    if (isShown) reviewable[name] = { file, version, isLive: isReviewed || !(last ?? review) }
  }
  return { live, reviewable, reviewed: [...reviewed.values()], unknown, held }
}

function editedSince({ by, on }: Review, name: string, version: string): SiteFinding {
  const record = `When someone has reviewed the edit, run ${SITE} reviewed ${name} --by "Who", or add to reviews.toml:\n\n${reviewLines(`texts."${name}"`, version)}`
  const message = `This text was edited after ${by} reviewed it on ${on}, so visitors get the text from before. ${record}`
  return { level: 'note', file: `${name}.md`, line: null, message }
}

/** Of all texts in Spanish, with names in them, and without hours, which must change without a review. */
export function spanishVersion(tables: readonly Table[], written: readonly WholeText[]): string {
  const [spanish, ...others] = tables.map(table => [...leavesOf(table)])
  const texts = [...(spanish ?? []), ...others.flat().filter(([name]) => name.endsWith('.es') && name !== 'hours.es')]
  const whole = written.filter(({ name }) => name.endsWith('.es')).map(({ name, blocks }) => [name, blocks])
  return hashOf([texts, whole])
}

/** The consents in Spanish that someone reviewed together with the English ones that are live. */
export function reviewedTogether(
  live: ReadonlyMap<string, LiveText>,
  { texts: reviews }: ReviewsFile,
): readonly string[] {
  const isReviewedWith = (one: LiveText, other: LiveText) => {
    const review = reviews[one.name]
    return review?.version === versionOf(one) && review.with === versionOf(other)
  }
  return ['consent', 'consent.spoken'].flatMap(name => {
    const [english, spanish] = [live.get(`${name}.en`), live.get(`${name}.es`)]
    const isTogether = english && spanish && (isReviewedWith(english, spanish) || isReviewedWith(spanish, english))
    return isTogether ? [spanish.name] : []
  })
}

/** Returns what it recorded. `what`: texts, a language, or legal rules. Both versions of a consent: they were compared. */
export function recordReview(
  folder: string,
  site: Pick<Published, 'reviewable'> & { readonly spanishVersion: string },
  what: readonly string[],
  by: string,
  on: string,
): string {
  const names = what.map(name => name.replace(/\.md$/, ''))
  const recorded = names.map(name => {
    const [kind, version] = reviewed(folder, site, name)
    const section = kind === 'texts' ? `texts."${name}"` : `${kind}.${name}`
    const other =
      name.startsWith('consent') && names.find(each => each !== name && each.slice(0, -2) === name.slice(0, -2))
    const together = other ? `with = "${site.reviewable[other]?.version}"\n` : ''
    return { section, lines: reviewLines(section, version, by, on) + together }
  })
  const file = join(folder, 'reviews.toml')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const isKept = (part: string) => !recorded.some(({ section }) => part.startsWith(`[${section}]`))
  const others = before.split(/^(?=\[)/m).filter(isKept)
  const lines = recorded.map(each => each.lines).join('\n')
  try {
    writeFileSync(file, `${others.join('').trimEnd()}\n\n${lines}`.trimStart())
  } catch (error) {
    // On a server, the folder is a copy.
    throw new Error(`Can’t write ${file}. Add these lines where you edit your folder:\n\n${lines}`, { cause: error })
  }
  return `Recorded in reviews.toml:\n\n${lines}`
}

/** Where it belongs in reviews.toml, and its version, if it has one. */
function reviewed(
  folder: string,
  { reviewable, spanishVersion: spanish }: Parameters<typeof recordReview>[1],
  name: string,
): readonly [kind: string, version: string | null] {
  const sections = { texts: Object.keys(reviewable), languages: ['es'], rules: Object.keys(legalRules) }
  const [kind] = Object.entries(sections).find(([, names]) => names.includes(name)) ?? []
  if (kind === undefined) {
    const known = Object.values(sections).flat()
    const meant = didYouMean(name, known) || ` These can be reviewed: ${known.join(', ')}.`
    throw new Error(`There is no text, language, or legal rule ${name} to review.${meant}`)
  }
  const text = reviewable[name]
  if (text && isDraft(readFileSync(join(folder, text.file), 'utf8')))
    throw new Error(`${text.file} is a draft. When it’s complete, delete the line Draft: …`)
  return [kind, kind === 'languages' ? spanish : (text?.version ?? null)]
}
