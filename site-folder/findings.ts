/** What is wrong in a file, where, and what to type instead. */
export interface Place {
  /** Relative to the organization's folder, or starting with `content/`. */
  readonly file: string
  /** Null: the whole file. */
  readonly line: number | null
}

/** Where each value is: `en.toml landing.hero.headline` → line 12 of content/en.toml. */
export type Places = Readonly<Record<string, Place>>

export const placeOf = (places: Places, key: string): Place =>
  places[key] ?? { file: key.split(' ')[0] ?? '', line: null }

export interface SiteFinding extends Place {
  /** The site isn't built with an error. */
  readonly level: 'error' | 'note'
  readonly message: string
}

/** An error. */
export const mistake = ({ file, line }: Place, message: string): SiteFinding => ({
  level: 'error',
  file,
  line,
  message,
})

export const formatFinding = ({ file, line, message }: SiteFinding) =>
  `${file}${line === null ? '' : `, line ${line}`}: ${message}`
