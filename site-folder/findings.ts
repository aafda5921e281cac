/** What is wrong in a file, where, and what to type instead. */
export interface Place {
  /** Relative to the organization's folder, or starting with `content/`. */
  readonly file: string
  /** Null: the whole file. */
  readonly line: number | null
}

export interface SiteFinding extends Place {
  /** The site isn't built with an error. */
  readonly level: 'error' | 'note'
  readonly message: string
}

export const formatFinding = ({ file, line, message }: SiteFinding) =>
  `${file}${line === null ? '' : `, line ${line}`}: ${message}`
