/** Says what is being measured, for those who watch: one line a step, and nothing where the output is kept. */
export function progress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`  … ${step}\n`)
}
