/** A whole text, such as a legal page, as it's reviewed and shown: its blocks in order, and what is bold, italic, or a link in them. */
export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly words: Words }
  | { readonly is: 'paragraph'; readonly words: Words }
  /** An item of a list without blank lines. */
  | { readonly is: 'line'; readonly words: Words }
  /** `start`: null for a list without numbers. */
  | { readonly is: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }

export type Words = readonly Part[]
export type Part = string | Marked | Link
interface Marked {
  readonly is: 'strong' | 'em' | 'br'
  readonly words: Words
}
export interface Link {
  readonly is: 'link'
  /** A name or an address, as it's written. */
  readonly to: string
  readonly words: Words
}

/** As it was reviewed. The facts that can change without a review are still names, such as {phone}. */
export interface ReviewedText {
  /** As reviews.toml has it, such as `consent.en`. */
  readonly name: string
  readonly blocks: readonly Block[]
  /** In the text. */
  readonly legalName: string
}

export const plainText = (words: Words): string =>
  words
    .map(part => {
      if (typeof part === 'string') return part
      return part.is === 'br' ? ' ' : plainText(part.words)
    })
    .join('')

/** Each heading, paragraph, and item. */
export const textsIn = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(block => (block.is === 'list' ? block.items.flatMap(textsIn) : [plainText(block.words)]))

export const linksIn = (blocks: readonly Block[]): readonly Link[] =>
  blocks.flatMap(block => (block.is === 'list' ? block.items.flatMap(linksIn) : linksAmong(block.words)))

const linksAmong = (words: Words): readonly Link[] =>
  words.flatMap(part => {
    if (typeof part === 'string') return []
    return part.is === 'link' ? [part] : linksAmong(part.words)
  })

/** As it's written in Markdown, with names filled in: links and marks, too, are what someone reviews. */
export const markdownOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(block => {
    if (block.is === 'heading') return `${'#'.repeat(block.level)} ${marked(block.words)}`
    if (block.is !== 'list') return marked(block.words)
    const { start, items } = block
    return items.flatMap((item, index) => {
      const mark = start === null ? '-' : `${start + index}.`
      return markdownOf(item).map((line, at) => `${at === 0 ? mark : ' '} ${line}`)
    })
  })

const MARKS = { strong: '**', em: '*' } as const

const marked = (words: Words): string =>
  words
    .map(part => {
      if (typeof part === 'string') return part
      if (part.is === 'link') return `[${marked(part.words)}](${part.to})`
      return part.is === 'br' ? '\n' : `${MARKS[part.is]}${marked(part.words)}${MARKS[part.is]}`
    })
    .join('')

/** A reviewed text that was changed, and waits for another review. */
export interface HeldText {
  readonly name: string
  /** Of the change, for reviews.toml. */
  readonly version: string
  /** In Markdown. Null: not known (withoutText). */
  readonly live: readonly string[] | null
  readonly edit: readonly string[]
}

/** What follows if a reviewed text isn't known where the site is published. */
export const withoutText = (name: string) =>
  name.startsWith('consent.spoken')
    ? 'agents can’t take a yes on the phone'
    : 'the form is off, and visitors get your phone number'
