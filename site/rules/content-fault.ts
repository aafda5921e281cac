/** A slip in content/ that its types allow. The build tells it as every mistake: file, line, and what was expected. */
export interface FaultPlace {
  /** From the project's folder. */
  readonly file: string
  /** Texts that lead to the line, each looked for from where the one before was found. */
  readonly after: readonly string[]
}

export class ContentFault extends Error {
  readonly place: FaultPlace

  constructor(message: string, place: FaultPlace) {
    super(message)
    this.name = 'ContentFault'
    this.place = place
  }
}
