/**
 * Reads and writes a settings file for the scripts in deploy/, in the one way that programs read it: cli/settings.ts FILE …
 *   get NAME              prints a setting
 *   for-pages             prints the ones that go into pages, as a settings file: publishing gets no secret
 *   set [NAME VALUE]…     adds or changes settings; other lines stay as they are
 *   default [NAME VALUE]… the same for settings that aren't there
 */
import { chmodSync, chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { fail } from '../server/process/exit.ts'
import { assignment, readSettingsFile } from '../server/settings/settings-file.ts'

const PAGES = ['SITE_URL', 'HSTS_SUBDOMAINS', 'SITE_LEAD_ENDPOINT', 'TRUSTEDFORM', 'SITE_FOLDER']

const [path = '', command, ...args] = process.argv.slice(2)
const { values = {}, problems = [] } = readSettingsFile(path, false) ?? {}

if (command === 'get') console.log(values[args[0] ?? ''] ?? '')
else if (command === 'for-pages') {
  for (const name of PAGES.filter(each => values[each])) console.log(assignment(name, values[name] ?? ''))
} else if (command === 'set' || command === 'default') {
  if (problems.length > 0) fail(problems.join('\n'))
  change(command)
} else fail('get, for-pages, set, or default')

function change(how: 'set' | 'default'): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  for (let at = 0; at < args.length; at += 2) {
    const [name = '', value = ''] = args.slice(at)
    const there = lines.findIndex(line => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] === name)
    if (there < 0) lines.push(assignment(name, value))
    else if (how === 'set' && values[name] !== value) lines[there] = assignment(name, value)
  }
  // A full disk must not leave an empty file.
  const { uid, gid, mode } = statSync(path)
  writeFileSync(`${path}.new`, `${lines.join('\n')}\n`, { mode: 0o600 })
  chownSync(`${path}.new`, uid, gid)
  chmodSync(`${path}.new`, mode)
  renameSync(`${path}.new`, path)
}
