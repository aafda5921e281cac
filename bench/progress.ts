/** Says what is being measured, for those who watch: one line a step, beside the output, where the figures are kept. */
export function progress(step: string): void {
  process.stderr.write(`  … ${step}\n`)
}
