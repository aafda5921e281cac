/** What people get wrong in a folder, and what they're told: file, line, and what to type. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { formatFinding } from './findings.ts'
import { makeFolder } from './new-folder.ts'
import { readSite } from './read-site.ts'
import { listTexts } from './texts.ts'

const all = mkdtempSync(join(tmpdir(), 'mistakes-'))
afterAll(() => rmSync(all, { recursive: true }))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(all, 'site-'))
  makeFolder(folder, '0.9.0')
})

function write(name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

function errors(): readonly string[] {
  const { data, findings } = readSite(folder)
  const found = findings.filter(({ level }) => level === 'error')
  expect(data === null).toBe(found.length > 0)
  return found.map(formatFinding)
}

/** Below each line that's wrong, mistakes.test.txt has what people are told about it. */
const mistakesIn = (part: string): readonly (readonly [told: string, file: string, text: string])[] => {
  const [file = '', ...texts] = part.trim().split('\n\n')
  return texts.map(text => {
    const [written = '', told = '', after = ''] = text.split(/(?:^|\n)\^ (.*)/)
    const line = written.split('\n').length
    return [`${file}, line ${line}: ${told}`, file, written + after]
  })
}

const mistakes = readFileSync(join(import.meta.dirname, 'mistakes.test.txt'), 'utf8')
  .split(/^== /m)
  .slice(1)

test.each(mistakes.flatMap(mistakesIn))('%s', (told, file, text) => {
  write(file, text)
  expect(errors()).toEqual([told])
})

/** Only its beginning. */
const smallPng = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x02\0\x08', 'latin1')

test.each<[mistake: string, files: Readonly<Record<string, string | Buffer>>, told: string]>([
  [
    'a small logo',
    { 'organization.toml': 'logo = "a.png"', 'pictures/a.png': smallPng },
    'organization.toml, line 1: pictures/a.png is 256 × 512 pixels. The logo must be an SVG, or a PNG of at least 512 × 512 pixels: logo = "logo.svg"',
  ],
  [
    'a drawing named like a photo',
    {
      'organization.toml': '[pictures.papers]\nfile = "a.jpg"\nalt.en = "A"\nalt.es = "A"',
      'pictures/a.jpg': '<svg/>',
    },
    'organization.toml, line 2: pictures/a.jpg isn’t a valid image. Open it in an image editor and export it again.',
  ],
  [
    'UTF-16',
    { 'en.toml': Buffer.from('[landing]', 'utf16le').fill(0xff, 0, 1) },
    'en.toml: Save this file as UTF-8: in Notepad, choose File, Save as, and the encoding UTF-8.',
  ],
  ['a misspelled file', { 'es.tml': '' }, 'es.tml: A site’s folder has no file of this name. Did you mean es.toml?'],
  [
    'a consent without its button',
    { 'consent.en.md': '# Above the button\n\nI agree.\n\n# Below\n\nI agree.\n' },
    'consent.en.md: The section # Button is missing or empty. Type the line # Button, and its text below it.',
  ],
  [
    'a button with two lines',
    { 'consent.en.md': '# Above the button\n\nI agree.\n\n# Button\n\nYes\n\nPlease\n\n# Below\n\nI agree.\n' },
    'consent.en.md, line 5: The button is one line without links.',
  ],
  [
    'a drawing with a script',
    {
      'organization.toml': 'logo = "x.svg"',
      'pictures/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    },
    'organization.toml, line 1: pictures/x.svg isn’t only a drawing: it has <script>. Export it again as a plain SVG, without scripts, animations, and links.',
  ],
  [
    'a character that turns the text around',
    { 'consent.spoken.en.md': 'May we \u202Ecall you?' },
    'consent.spoken.en.md, line 1: An invisible character (U+202E) is in this text. Delete the text, and type it again.',
  ],
  [
    'lists in lists in lists',
    { 'en.toml': `x = ${'['.repeat(5000)}${']'.repeat(5000)}` },
    'en.toml: A text in this file is too long, or something in it is nested too deeply. Shorten it.',
  ],
  [
    'a folder of another name',
    { 'old/en.toml': '' },
    'old: A site’s folder has only the folders legal and pictures. Delete this one.',
  ],
  [
    'a space pasted from a web page',
    { 'en.toml': '[landing.hero]\n\u00A0lead = "A"' },
    'en.toml, line 2: An invisible character was pasted into this line, before the text. Type the line again.',
  ],
  [
    'a question without its words',
    { 'questions.toml': '[questions.seesDoctor]\nrequired = "yes"', 'es.toml': '[questions]\nseesDoctor = "¿A?"' },
    'en.toml: [questions] needs seesDoctor: seesDoctor = "…"',
  ],
  [
    'another picture with the original’s description',
    { 'organization.toml': '[pictures.papers]\nfile = "x.svg"', 'pictures/x.svg': '<svg viewBox="0 0 9 9"/>' },
    'organization.toml, line 2: Describe the new picture for people who can’t see it: alt.en = "…", alt.es = "…"',
  ],
  [
    'a legal page without its language',
    { 'legal/privacy.md': '' },
    'legal/privacy.md: A site’s folder has no file of this name. There are legal/privacy.en.md, legal/terms.en.md, legal/hipaa.en.md, legal/contact.en.md, legal/help.en.md, legal/accessibility.en.md, and the same with es.',
  ],
])('%s', (_, files, told) => {
  for (const [name, content] of Object.entries(files)) write(name, content)
  expect(errors()).toEqual([told])
})

const NOT_SUPPORTED = 'isn’t supported. Use only sentences and links.'

test.each([
  ['<!-- ask Jane -->', `“<!-- ask Jane -->” ${NOT_SUPPORTED}`],
  ['- by phone\n- by text', 'A consent has no lists. Write sentences.'],
  ['I **agree**.', 'A consent has no bold or italics. Leave out the marks around “agree”.'],
  ['At [COMPANY ADDRESS].', 'Replace [COMPANY ADDRESS].'],
  ['> I agree.', `“> I agree.” ${NOT_SUPPORTED}`],
  ['[a]: https://example.org', `“[a]: https://example.org” ${NOT_SUPPORTED}`],
  [
    'See [here](privcy).',
    'A consent links only to legal pages, such as [Privacy Policy](privacy), and to [/stop](stop), but not to “privcy”.',
  ],
  ['# below\n\nI agree.', 'The section # Below is here twice. Put its text into one of them.'],
])('%j in a consent is refused', (text, told) => {
  write('consent.en.md', `# Above the button\n\nI agree.\n\n# Button\n\nYes\n\n# Below\n\nI agree.\n\n${text}\n`)
  expect(errors()).toEqual([`consent.en.md, line 13: ${told}`])
})

test('a consent is shown whole: every paragraph, and each link with its own target', () => {
  write(
    'consent.en.md',
    '# Above the button\n\nI agree.\n\nSee the [details](#consent) and the [rules](terms).\n\n# Button\n\nYes\n\n# Below\n\nI agree.\n',
  )
  write('organization.toml', '[legal]\nterms.en = "https://www.example.org/terms"')
  rmSync(join(folder, 'legal/terms.en.md'))
  const { data } = readSite(folder)
  expect(data?.words.en.consent).toMatchObject({
    notice: 'I agree. See the details and the rules.',
    above: [
      'I agree.',
      [
        'See the ',
        { text: 'details', href: '#consent' },
        ' and the ',
        { text: 'rules', href: 'https://www.example.org/terms' },
        '.',
      ],
    ],
  })
})

test('a phone number that’s typed into a consent is said to keep a new one waiting', () => {
  write('consent.spoken.en.md', 'May we call you? Or call (833) 243-2965.\n')
  expect(readSite(folder).findings.map(formatFinding)).toEqual([
    'consent.spoken.en.md, line 1: Type {phone} instead of (833) 243-2965. Then a new number is live at once, without a review.',
  ])
})

test('all errors are told at once, and what is right is no error', () => {
  write('en.toml', '[landing.hero]\nlead = oops\nheadline = "{x}"\n\n[landing.faq]\nheading = “A”\n')
  write('legal/help.en.md', '# Help\n\n<b>Call</b> {x}.\n\n> Us\n')
  write('legal/help.es.md', 'Draft: ask Ana\n\n# Ayuda\n\n> Ana\n')
  expect(errors().map(error => error.split(':')[0])).toEqual([
    'en.toml, line 2',
    'en.toml, line 6',
    'legal/help.en.md, line 3',
    'legal/help.en.md, line 3',
    'legal/help.en.md, line 5',
    'en.toml, line 3',
  ])
  // A draft can be incomplete.
  expect(readSite(folder).findings.map(formatFinding)).toContainEqual(
    expect.stringMatching(/^legal\/help\.es\.md, line 5: “> .*” isn’t supported\. Use only headings/),
  )
  write('en.toml', '')
  write('legal/help.en.md', '# Help\n\nCall **us**.\n')
  write('legal/help.es.md', 'Draft: ask Ana\n')
  // Windows leaves these behind.
  write('pictures/Thumbs.db', '')
  write('desktop.ini', '')
  expect(errors()).toEqual([])
})

test('the folder itself may be a link', () => {
  const link = `${folder}-link`
  symlinkSync(folder, link)
  expect(readSite(link).findings).toEqual(readSite(folder).findings)
  rmSync(link)
})

test('a new folder has evidence and questions in comments, and says what the original says', () => {
  for (const name of ['evidence.toml', 'questions.toml']) {
    const written = readFileSync(join(folder, name), 'utf8')
    expect(written).toMatch(/^#.*$(\n(#.*)?$)+\n$/m)
    write(name, written.replaceAll(/^# (?=\[|[\w.-]+ = )/gm, ''))
  }
  expect(errors()).toEqual([])
  expect(readSite(folder).data?.figures).toEqual(readSite(null).data?.figures)
})

test('a text is found by what visitors read', () => {
  write('en.toml', '[landing.hero]\nheadline = "Can’t work? Up to {maximumBenefit}"\n')
  expect(listTexts(folder, 'Up to $4,018/Month')).toContain('en.toml  [landing.hero] headline\n')
  expect(listTexts(folder, 'consent is not required')).toContain('consent.en.md')
})

test('a hidden figure names each text that can’t be hidden with it', () => {
  write('evidence.toml', '[figures.maximumBenefit]\nshow = false')
  const at = ['[landing] title', '[landing] description', '[landing.hero] headline', '[thankYou] headline']
  expect(errors()).toEqual(
    ['en', 'es'].flatMap(language =>
      at.map(text => {
        const [section = '', name = ''] = text.split(' ')
        return `${language}.toml: ${name} in ${section} inserts {maximumBenefit}, which is hidden. Type words without it: ${text} = "…"`
      }),
    ),
  )
})

test('what can’t be read is named', () => {
  write('pictures/a.jpg', '')
  write('organization.toml', 'logo = "a.jpg"')
  chmodSync(join(folder, 'pictures/a.jpg'), 0)
  chmodSync(join(folder, 'legal'), 0)
  chmodSync(join(folder, 'es.toml'), 0)
  chmodSync(all, 0o755)
  chmodSync(folder, 0o755)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    const told = 'This can’t be read. Let everyone read it, as the other files.'
    expect(errors()).toEqual(expect.arrayContaining([`pictures/a.jpg: ${told}`, `legal: ${told}`, `es.toml: ${told}`]))
    expect(listTexts(folder, 'a.jpg')).toContain('organization.toml  logo')
    if (isRoot) process.seteuid?.(0)
    chmodSync(join(folder, 'pictures'), 0)
    if (isRoot) process.seteuid?.(65_534)
    expect(errors()).toContain(`pictures: ${told}`)
  } finally {
    if (isRoot) process.seteuid?.(0)
    for (const name of ['legal', 'pictures']) chmodSync(join(folder, name), 0o755)
  }
})

/** As deploy/fetch.sh replaces it. */
test('SITE_FOLDER itself may be a link', () => {
  symlinkSync(folder, join(all, 'current'))
  folder = join(all, 'current')
  expect(errors()).toEqual([])
})

test('a missing consent or legal page is an error, and a link out of the folder, too', () => {
  rmSync(join(folder, 'consent.en.md'))
  rmSync(join(folder, 'legal/terms.en.md'))
  symlinkSync('/etc', join(folder, 'pictures/a'))
  expect(errors()).toEqual([
    'pictures/a: This is a link to another file. Put the file itself here.',
    'consent.en.md: This file is missing. npm run site -- new makes it, from the original.',
    'legal/terms.en.md: This file is missing. npm run site -- new makes it, from the original. If the page is on another site, add [legal] terms.en = "https://…" to organization.toml.',
  ])
  write('organization.toml', '[legal]\nterms.en = "https://www.example.org/terms"')
  expect(errors().filter(error => error.startsWith('legal/'))).toEqual([])
})

test('hours that end with p.m. keep the period, once', () => {
  const hours = 'Monday to Friday, 9 a.m. to 6 p.m.'
  write('organization.toml', `hours.en = "${hours}"\nhours.es = "${hours}"`)
  const { data } = readSite(folder)
  expect(data?.texts.filter(({ text }) => text.includes('6 p.m')).map(({ text }) => text)).not.toContainEqual(
    expect.stringMatching(/p\.m(?:[^.]|\.\.|$)/),
  )
})
