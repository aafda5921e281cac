/** Makes an organization's folder. What an upgrade must never change is copied once: consents, legal pages, and disclosures. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguages } from '../domain/languages.ts'
import { MARKDOWN_FILES, ORIGINALS } from './files.ts'
import { leavesOf, readToml } from './toml.ts'
import { writeToml } from './write-toml.ts'

/** Texts that lawyers read: who you are not, what visitors can expect, and that the article is an ad. */
const DISCLOSURES = [
  'footer.affiliation',
  'landing.disclaimer.paragraphs',
  'advertorial.sponsoredLabel',
  'advertorial.sponsoredBy',
]

export const isDisclosure = (name: string) => DISCLOSURES.some(each => name === each || name.startsWith(`${each}.`))

/** The originals have no privacy policy that a consent could link to. */
const PRIVACY = {
  en: 'The [Privacy Policy](privacy) explains how my information is used.',
  es: 'La [Política de privacidad](privacy) explica cómo se usan mis datos.',
}

export function makeFolder(folder: string, version: string): void {
  if (existsSync(folder) && readdirSync(folder).some(name => !name.startsWith('.'))) {
    throw new Error(`${folder} isn’t empty. Choose a new folder.`)
  }
  mkdirSync(join(folder, 'legal'), { recursive: true })
  mkdirSync(join(folder, 'pictures'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('organization.toml', organizationFile(version))
  write('reviews.toml', readFileSync(join(ORIGINALS, 'reviews.toml'), 'utf8'))
  for (const name of ['evidence.toml', 'questions.toml']) write(name, inComments(name))
  for (const name of MARKDOWN_FILES) cpSync(join(ORIGINALS, name), join(folder, name))
  for (const language of knownLanguages) {
    const consent = `consent.${language}.md`
    write(consent, `${readFileSync(join(ORIGINALS, consent), 'utf8').trimEnd()}\n\n${PRIVACY[language]}\n`)
    write(`${language}.toml`, disclosuresFile(`${language}.toml`))
  }
}

/** To change something, delete its # and that of its section. */
function inComments(name: string): string {
  const original = readFileSync(join(ORIGINALS, name), 'utf8')
  const lines = original
    .trimEnd()
    .split('\n')
    .map(line => (line === '' || line.startsWith('#') ? line : `# ${line}`))
  return `# As in the original. To change something, delete the # before it and before its [section].\n\n${lines.join('\n')}\n`
}

const organizationFile = (
  version: string,
) => `# Who you are, and how people reach you. What isn’t here is as in the original: docs/content.md has all names.
format = 1
# The version whose original texts you have seen.
checked-with = "${version}"

name = "SSDI Advocate"
phone = "833-243-2965"
`

function disclosuresFile(name: string): string {
  const { table } = readToml({ file: name, text: readFileSync(join(ORIGINALS, name), 'utf8') })
  const disclosures = new Map([...leavesOf(table)].filter(([path]) => isDisclosure(path)))
  return `# Texts that say something else than the original. These are copied from it, so that no upgrade changes them.\n${writeToml(disclosures)}`
}
