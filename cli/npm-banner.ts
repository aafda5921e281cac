/** npm writes two lines of its own above the output of a script, to the same place, unless it is told to be silent. */

type Environment = Readonly<Record<string, string | undefined>>

/** What to tell an operator whose file or pipe begins with npm's lines, or null. Nothing takes them back from there. */
export function npmBannerNote(env: Environment, toTerminal: boolean): string | null {
  if (toTerminal || env['npm_lifecycle_event'] !== 'leads' || env['npm_config_loglevel'] === 'silent') return null
  return 'The first lines of this output are npm’s own. Without them: npm run -s leads -- …\n'
}
