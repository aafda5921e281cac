/**
 * Reviews of consents and legal pages. A review is of a version, so an edited text needs another one. Until then, the text that was reviewed
 * stays live, with today's phone number: each published site keeps those, and the next one takes them over.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGLISH, knownLanguages, type Language } from '../domain/languages.ts'
import { legalRules } from '../launch/legal-rules.ts'
import { type Files, MARKDOWN_FILES, type TextFile } from './files.ts'
import type { SiteFinding } from './findings.ts'
import { isDraft } from './legal.ts'
import type { ReviewsFile } from './schema/facts.ts'
import { didYouMean } from './suggest.ts'

/** By the name that reviews.toml has for it, such as `consent.en`. */
export type ReviewedTexts = Readonly<Record<string, ReviewedText>>

interface ReviewedText {
  readonly text: string
  /** In the text as {legalName}. */
  readonly legalName: string
}

export interface Reviewable {
  readonly file: string
  /** Of the text as it's written. */
  readonly version: string
  /** False if another text is live until this one is reviewed. */
  readonly isLive: boolean
}

/** Not of the phone number: a new one must go live without a lawyer. Git and Windows end lines differently. */
function versionOf({ text, legalName }: ReviewedText): string {
  const lines = text.trim().replaceAll(/\r\n?/g, '\n')
  return createHash('sha256').update(`${legalName}\0${lines}`).digest('hex').slice(0, 12)
}

type Review = NonNullable<ReviewsFile['texts'][string]>

interface Published {
  readonly files: Files
  /** The texts that need a review in these languages. */
  readonly reviewable: Readonly<Record<string, Reviewable>>
  readonly reviewed: ReviewedTexts
}

/** The files as they're published. `lastReviewed` is null if they're only read. */
export function holdBackEdits(
  files: Files,
  { legalName }: Pick<ReviewedText, 'legalName'>,
  { texts: reviews }: ReviewsFile,
  lastReviewed: ReviewedTexts | null,
  languages: readonly Language[],
  findings: SiteFinding[],
): Published {
  const instead = new Map<string, TextFile>()
  const reviewable: Record<string, Reviewable> = {}
  const reviewed: Record<string, ReviewedText> = { ...lastReviewed }
  for (const file of files.isOwn ? MARKDOWN_FILES : []) {
    const name = file.replace(/\.md$/, '')
    const text = files.whole(file)?.text
    const review = reviews[name]
    const last = lastReviewed?.[name]
    if (text === undefined || (isDraft(text) && !review && !last)) continue
    const version = versionOf({ text, legalName })
    const isShown = languages.some(language => name.endsWith(`.${language}`))
    const isReviewed = review?.version === version && !isDraft(text)
    if (isReviewed) reviewed[name] = { text, legalName }
    else if (last) instead.set(file, { file, ...last })
    else if (review && isShown) findings.push(editedSince(review, name, version, lastReviewed !== null))
    if (isShown) reviewable[name] = { file, version, isLive: isReviewed || !(last ?? review) }
  }
  return { files: { ...files, whole: file => instead.get(file) ?? files.whole(file) }, reviewable, reviewed }
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
