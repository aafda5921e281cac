/** `npm run site`: makes an organization's folder, checks it, lists its texts, and records reviews. */
import { writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pictureProblems } from '../publish/pictures.ts'
import { forTerminal } from '../server/export/plain-text.ts'
import { type Config, loadConfig } from '../server/settings/config.ts'
import { SITE } from '../server/settings/leads-command.ts'
import { changedOriginals, listChanges, version } from './changed-originals.ts'
import { pictureFolders } from './files.ts'
import { formatFinding } from './findings.ts'
import { makeFolderFrom } from './from/folder.ts'
import { makeFolder } from './new-folder.ts'
import { readSite } from './read-site.ts'
import { recordReview } from './reviews.ts'
import { changedInOneLanguage, listTexts } from './texts.ts'

const HELP = `Your site is a folder that holds what differs from the original: docs/content.md describes it.

  ${SITE} COMMAND

  new DIR                   makes a folder. Then set SITE_FOLDER in .env.
  from CHECKOUT [DIR]       makes a folder from a 0.7.0 checkout whose content/ you edited
  check                     lists all errors in it, and what to know about it
  texts [WORDS]             lists all texts, or those with these words: name, original, yours
  reviewed WHAT… --by WHO   records a review of a text (consent.en), of a consent in both languages
                            (consent.en consent.es), of a language (es), or of a legal rule (callingHours)
`

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { by: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [command, ...rest] = positionals
  if (values.help || command === undefined) return say(HELP)
  if (command === 'new') return makeNew(rest)
  if (command === 'from') return makeFrom(rest)
  const { siteFolder } = loadConfig()
  if (command === 'check') return check(siteFolder)
  if (command === 'texts') return say(listTexts(siteFolder, rest.join(' ')))
  if (command === 'reviewed') return review(siteFolder, rest, values.by)
  throw new Error(`There is no command ${command}.\n\n${HELP}`)
}

function say(text: string): number {
  process.stdout.write(forTerminal(text))
  return 0
}

function makeNew([folder, ...more]: readonly string[]): number {
  if (folder === undefined || more.length > 0) throw new Error(`Name one folder: ${SITE} new ../our-site`)
  makeFolder(resolve(folder), version)
  return say(`Made ${folder}. ${howToUse(folder)}`)
}

function howToUse(folder: string): string {
  const path = relative(join(import.meta.dirname, '..'), resolve(folder))
  return `Put this line into .env, and then run npm run dev:\n\n  SITE_FOLDER=${path}\n`
}

function makeFrom([checkout, folder = '../our-site', ...more]: readonly string[]): number {
  if (checkout === undefined || more.length > 0)
    throw new Error(`Name the old checkout: ${SITE} from ../old-checkout ../our-site`)
  const left = makeFolderFrom(resolve(checkout), resolve(folder))
  const list = left.map(each => `- ${each}\n`).join('')
  const report = `What isn’t in it, or has to be mended. Code, layout, and texts that appear only in some cases can’t be in a folder: add what you still need to it.\n\n${list}`
  if (left.length > 0) writeFileSync(join(folder, 'README.md'), `# From 0.7.0\n\n${report}`)
  return say(
    `Made ${folder}.\n\n${left.length === 0 ? '' : `${report}\nREADME.md in it has this list, too. `}${howToUse(folder)}`,
  )
}

async function check(folder: Config['siteFolder']): Promise<number> {
  const { data, findings } = readSite(folder)
  const problems = data === null ? [] : await pictureProblems(data.organization, pictureFolders(folder))
  const errors = [...findings.filter(({ level }) => level === 'error').map(formatFinding), ...problems]
  const oneSided = data === null ? [] : changedInOneLanguage(folder, data)
  const notes = [...findings.filter(({ level }) => level === 'note'), ...oneSided]
  const lines = [
    ...errors,
    ...(notes.length === 0 ? [] : ['', 'Only for your information:', ...notes.map(formatFinding)]),
  ]
  const where = folder === null ? 'The original site (SITE_FOLDER isn’t set)' : folder
  const changed = folder === null ? [] : listChanges(changedOriginals(folder))
  say(
    [
      ...lines,
      ...(changed.length > 0 ? ['', ...changed] : []),
      '',
      `${where}: ${errors.length === 0 ? 'no errors' : `${errors.length} to mend`}.`,
      '',
    ].join('\n'),
  )
  return errors.length > 0 ? 1 : 0
}

function review(folder: Config['siteFolder'], what: readonly string[], by: string | undefined): number {
  if (folder === null) throw new Error('Set SITE_FOLDER to your site’s folder first.')
  if (what.length === 0 || !by?.trim()) throw new Error(`Say what, and who: ${SITE} reviewed es --by "Jane Roe, Esq."`)
  const { data } = readSite(folder)
  if (data === null) throw new Error(`The folder has errors. Mend them first: ${SITE} check`)
  return say(recordReview(folder, data, what, by, new Date().toISOString().slice(0, 10)))
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  // Wrong options or settings: no stack trace needed.
  process.stderr.write(forTerminal(`${error instanceof Error ? error.message : error}\n`))
  process.exitCode = 1
}
