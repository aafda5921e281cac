/** A mistake in content/ that types can't catch. The build reports it with file, line, and what was expected. */
export interface FaultPlace {
  /** Relative to the project's folder. */
  readonly file: string
  /** Texts that lead to the line, each searched for after the previous one. */
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
