/** How a command ends when it cannot do what it was asked: one clear line, and the exit code that says whose fault it is. */

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const

/** What was asked for could not be done. */
export class Failure extends Error {}

/** The command was typed wrongly. */
export class Misuse extends Error {}

/** Whoever read our output has read enough, as `head` does. Not a fault. */
export class ReaderGone extends Error {}
