/**
 * Reviews of consents and legal pages. A review is of a version, so an edited text needs another one. Until then, the text that was reviewed
 * stays live, with today's phone number: each published site keeps those, and the next one takes them over.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGLISH, knownLanguages, type Language } from '../domain/languages.ts'
import type { ReviewedText } from '../domain/text-blocks.ts'
import { legalRules } from '../launch/legal-rules.ts'
import type { SiteFinding } from './findings.ts'
import type { ReviewsFile } from './schema/facts.ts'
import { didYouMean } from './suggest.ts'
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
export const versionOf = ({ name, blocks }: Pick<ReviewedText, 'name' | 'blocks'>) =>
  createHash('sha256')
    .update(JSON.stringify([name, blocks]))
    .digest('hex')
    .slice(0, 12)

type Review = NonNullable<ReviewsFile['texts'][string]>

interface Published {
  /** What visitors get, by name. */
  readonly live: ReadonlyMap<string, LiveText>
  /** The texts that need a review in these languages. */
  readonly reviewable: Readonly<Record<string, Reviewable>>
  readonly reviewed: readonly ReviewedText[]
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
    else if (last) live.set(name, { ...last, file, isDraft: false })
    else if (review && isShown) findings.push(editedSince(review, name, version, lastReviewed !== null))
    if (isShown) reviewable[name] = { file, version, isLive: isReviewed || !(last ?? review) }
  }
  return { live, reviewable, reviewed: [...reviewed.values()] }
}

/** An error where the reviewed text isn't known, as on a new server. */
function editedSince({ by, on }: Review, name: string, version: string, isPublished: boolean): SiteFinding {
  const edited = `This text was edited after ${by} reviewed it on ${on}`
  const record = `When someone has reviewed the edit, run npm run site -- reviewed ${name} --by "Who", or add to reviews.toml:\n\n[texts."${name}"]\nby = "Who"\non = "2026-12-31"\nversion = "${version}"\n`
  return {
    level: isPublished ? 'error' : 'note',
    file: `${name}.md`,
    line: null,
    message: isPublished
      ? `${edited}, and the text from before isn’t known here. Put it back. ${record}`
      : `${edited}, so visitors get the text from before. ${record}`,
  }
}

/** Returns what it recorded. `what`: a text, a language, or a legal rule. */
export function recordReview(
  folder: string,
  { reviewable }: Pick<Published, 'reviewable'>,
  what: string,
  by: string,
  on: string,
): string {
  const name = what.replace(/\.md$/, '')
  const sections = {
    texts: Object.keys(reviewable),
    languages: knownLanguages.filter(language => language !== ENGLISH),
    rules: Object.keys(legalRules),
  }
  const [kind] = Object.entries(sections).find(([, names]) => names.some(each => each === name)) ?? []
  if (kind === undefined) {
    const known = Object.values(sections).flat()
    const meant = didYouMean(name, known) || ` These can be reviewed: ${known.join(', ')}.`
    throw new Error(`There is no text, language, or legal rule ${name} to review.${meant}`)
  }
  const text = reviewable[name]
  if (text && isDraft(readFileSync(join(folder, text.file), 'utf8')))
    throw new Error(`${text.file} is a draft. When it’s complete, delete the line Draft: …`)
  const section = kind === 'texts' ? `[texts."${name}"]` : `[${kind}.${name}]`
  const file = join(folder, 'reviews.toml')
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const others = before.split(/^(?=\[)/m).filter(part => !part.startsWith(section))
  const version = text ? `version = "${text.version}"\n` : ''
  const lines = `${section}\nby = ${JSON.stringify(by)}\non = "${on}"\n${version}`
  try {
    writeFileSync(file, `${others.join('').trimEnd()}\n\n${lines}`.trimStart())
  } catch (error) {
    // On a server, the folder is a copy.
    throw new Error(`Can’t write ${file}. Add these lines where you edit your folder:\n\n${lines}`, { cause: error })
  }
  return `Recorded in reviews.toml:\n\n${lines}`
}
