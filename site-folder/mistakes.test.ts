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

const organization = (...lines: readonly string[]) => ({ 'organization.toml': lines.join('\n') })
const english = (...lines: readonly string[]) => ({ 'en.toml': lines.join('\n') })

/** Only its beginning. */
const smallPng = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x02\0\x08', 'latin1')

test.each<[mistake: string, files: Readonly<Record<string, string | Buffer>>, told: string]>([
  [
    'a phone number without quotes',
    organization('format = 1', 'phone = 833-243-2965'),
    'organization.toml, line 2: phone needs quotes: phone = "833-243-2965"',
  ],
  [
    'a phone number as a number',
    organization('format = 1', 'phone = 8332432965'),
    'organization.toml, line 2: phone needs quotes: phone = "8332432965"',
  ],
  [
    'a phone number without an area code',
    organization('phone = "243-2965"'),
    'organization.toml, line 1: phone must be a number with its area code, such as "833-243-2965"',
  ],
  [
    'a day off that isn’t a date',
    organization('closed = ["2026-11-27", "12/31/2026"]'),
    'organization.toml, line 1: closed lists “12/31/2026”, which isn’t a date. Type each day as year, month, day: closed = ["2026-11-27"]',
  ],
  [
    'words for a figure that doesn’t exist',
    english('[calls.expired]', 'feeCup = "the legal limit"'),
    'en.toml, line 2: evidence.toml has no figure named feeCup. Did you mean feeCap?',
  ],
  [
    'an amount without quotes',
    { 'evidence.toml': '[figures.feeCap]\nvalue = 4,152' },
    'evidence.toml, line 2: value needs quotes: value = "4,152"',
  ],
  [
    'a missing quote at the end',
    english('[landing.hero]', 'headline = "Out of work?'),
    'en.toml, line 2: headline has no closing quote: put " at the end of the line.',
  ],
  [
    'quotes within quotes',
    english('[landing.hero]', 'lead = "We say "yes" to you"'),
    'en.toml, line 2: The text of lead ends at its second ". For quotes inside a text, use curly ones (“…”), or three around it: lead = """…"""',
  ],
  [
    'curly quotes around a text',
    english('[landing.hero]', 'lead = “Out of work?”'),
    'en.toml, line 2: Use straight quotes around a text: lead = "Out of work?"',
  ],
  [
    'no quotes at all',
    english('[landing.hero]', 'lead = Out of work?'),
    'en.toml, line 2: lead needs quotes: lead = "Out of work?"',
  ],
  [
    'a colon instead of =',
    english('[landing.hero]', 'lead: "Out of work?"'),
    'en.toml, line 2: Use = instead of a colon: lead = "Out of work?"',
  ],
  [
    'a bracket that isn’t closed',
    english('[landing.hero', 'lead = "Out of work?"'),
    'en.toml, line 1: A section’s name ends with a bracket: [landing.hero]',
  ],
  [
    'a section twice',
    english('[landing.hero]', 'lead = "A"', '[landing.hero]', 'note = "B"'),
    'en.toml, line 3: [landing.hero] is here twice, or is already a value. Put everything for it in one place.',
  ],
  [
    'a name twice',
    english('[landing.hero]', 'lead = "A"', 'lead = "B"'),
    'en.toml, line 3: lead is here twice. Keep one of them.',
  ],
  [
    'a misspelled name',
    english('[landing.hero]', 'hedline = "A"'),
    'en.toml, line 2: There is no hedline in [landing.hero]. Did you mean headline?',
  ],
  [
    'a misspelled section',
    english('[landng.hero]', 'headline = "A"'),
    'en.toml, line 1: There is no landng. Did you mean landing?',
  ],
  [
    'a name under the wrong section',
    english('[landing.hero]', 'sponsoredBy = "A"'),
    'en.toml, line 2: There is no sponsoredBy in [landing.hero]. It belongs in [advertorial].',
  ],
  [
    'a misspelled part of a list',
    english('[landing.faq.decision-tme]', 'answer = "Soon."'),
    'en.toml, line 1: [landing.faq.decision-tme] needs question: question = "…" Did you mean [landing.faq.decision-time]?',
  ],
  [
    'an order of sections',
    english('[landing.faq]', 'order = [{ cost = 1 }]'),
    'en.toml, line 2: order in [landing.faq] must be a list of texts: order = ["…", "…"]',
  ],
  [
    'an order with a name that isn’t there',
    english('[landing.faq]', 'order = ["costs"]'),
    'en.toml, line 2: order in [landing.faq] lists costs, but there is no [landing.faq.costs]. Did you mean cost?',
  ],
  [
    'a heading without words',
    english('[landing.faq]', 'heading = ""'),
    'en.toml, line 2: heading in [landing.faq] can’t be empty.',
  ],
  [
    'a text in one language',
    organization('hours = "9 to 5"'),
    'organization.toml, line 1: hours needs a text for each language: hours.en = "…", hours.es = "…"',
  ],
  ['a language left out', organization('hours.en = "9 to 5"'), 'organization.toml, line 1: [hours] needs es: es = "…"'],
  [
    'an address in one text',
    organization('address = "1 Main St, Springfield"'),
    'organization.toml, line 1: address must be a list of texts: address = ["…", "…"]',
  ],
  [
    'callbacks in words',
    organization('callbacks.en = { hours = "9 to 5 on weekdays", timeZone = "Eastern" }'),
    'organization.toml, line 1: hours in [callbacks.en] must be days and hours such as Mon-Fri 9:00-17:30',
  ],
  [
    'a color by name',
    organization('[colors]', 'action = "purple"'),
    'organization.toml, line 2: action in [colors] must be a color such as "#1e6b4b"',
  ],
  [
    'a color without quotes',
    organization('[colors]', 'action = #1e6b4b'),
    'organization.toml, line 2: action needs quotes: action = "#1e6b4b"',
  ],
  [
    'a date in words',
    organization('advertorialDate = "October 1"'),
    'organization.toml, line 1: advertorialDate must be a date such as "2026-12-31"',
  ],
  [
    'true in capitals',
    organization('takesRelayCalls = True'),
    'organization.toml, line 1: Expected takesRelayCalls = true, in lowercase and without quotes.',
  ],
  [
    'true in quotes',
    organization('takesRelayCalls = "true"'),
    'organization.toml, line 1: takesRelayCalls must be true or false, without quotes: takesRelayCalls = true',
  ],
  [
    'null',
    english('[landing]', 'urgency = null'),
    'en.toml, line 2: There is no null. Delete the line for the original, or hide a section with show = false under its name.',
  ],
  [
    'hiding what can’t be hidden',
    english('[landing.hero]', 'show = false'),
    'en.toml, line 2: [landing.hero] can’t be hidden. Delete show = false.',
  ],
  [
    'an unknown insert',
    english('[landing.hero]', 'lead = "Up to {maximumBenfit}"'),
    'en.toml, line 2: lead in [landing.hero]: {maximumBenfit} is unknown here. Did you mean {maximumBenefit}?',
  ],
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as in the TypeScript of 0.8.0
  [
    'an insert of 0.8.0',
    english('[landing.hero]', 'lead = "Up to ${figures.maximumBenefit}"'),
    'en.toml, line 2: lead in [landing.hero]: Instead of ${figures.maximumBenefit}, type {maximumBenefit}.',
  ],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as in the TypeScript of 0.8.0
  [
    'double braces',
    { 'legal/help.en.md': '# Help\n\nCall {{name}}.\n' },
    'legal/help.en.md, line 3: Instead of {{name}}, type {organization}.',
  ],
  [
    'a fact that is missing',
    { 'legal/help.en.md': '# Help\n\nWrite to {email}.\n' },
    'legal/help.en.md, line 3: {email} has no value yet. Set it in organization.toml, or leave it out here.',
  ],
  [
    'why we call, for anyone to hear',
    english('[calls]', 'voicemail = "About your benefits."'),
    'en.toml, line 2: voicemail in [calls] may be heard by anyone, so it can’t say why you call: leave out “benefi”',
  ],
  [
    'a link where none can be',
    english('[landing.hero]', 'lead = "See [us](https://a.test)"'),
    'en.toml, line 2: lead in [landing.hero] can’t have links. Leave out [us](https://a.test).',
  ],
  [
    'a link to nowhere',
    english('[landing.faq.cost]', 'answer = "See [us](javascript:alert(1))"'),
    'en.toml, line 2: answer in [landing.faq.cost] has a link to “javascript:alert(1”. A link leads to https://…, to a page of this site such as /stop, or to one of: medicaid, medicare, socialSecurityDisability, socialSecurityAccount, representation, supplementalSecurityIncome, privacy, terms, hipaa, contact, help, accessibility, socialSecurityPhone.',
  ],
  [
    'a picture that isn’t there',
    organization('[pictures.papers]', 'file = "team.jpg"'),
    'organization.toml, line 2: pictures/team.jpg isn’t there. Capital letters count.',
  ],
  [
    'a photo that isn’t there',
    organization('[people.ana]', 'name = "Ana"', 'role.en = "A"', 'role.es = "A"', 'photo = "ana.jpg"'),
    'organization.toml, line 5: pictures/ana.jpg isn’t there. Capital letters count.',
  ],
  [
    'a small logo',
    { ...organization('logo = "a.png"'), 'pictures/a.png': smallPng },
    'organization.toml, line 1: pictures/a.png is 256 × 512 pixels. The logo must be an SVG, or a PNG of at least 512 × 512 pixels: logo = "logo.svg"',
  ],
  [
    'a drawing named like a photo',
    {
      ...organization('[pictures.papers]', 'file = "a.jpg"', 'alt.en = "A"', 'alt.es = "A"'),
      'pictures/a.jpg': '<svg/>',
    },
    'organization.toml, line 2: pictures/a.jpg isn’t a valid image. Open it in an image editor and export it again.',
  ],
  [
    'a picture somewhere else',
    organization('[pictures.papers]', 'file = "../../etc/passwd"'),
    'organization.toml, line 2: file in [pictures.papers] must be the name of a file in pictures/, such as "team.jpg": SVG, PNG, JPEG, AVIF, or WebP',
  ],
  [
    'a path that is used',
    english('[pages.decline]', 'title = "A"'),
    'en.toml, line 1: /decline is already used. Choose another name for [pages.decline].',
  ],
  [
    'a figure without its claim',
    { 'evidence.toml': '[figures.cases]\nvalue = "2,000"' },
    'evidence.toml, line 1: [figures.cases] needs claim: claim = "…"',
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
    'a list in the spoken consent',
    { 'consent.spoken.en.md': 'May we call you?\n\n- Yes\n' },
    'consent.spoken.en.md, line 1: Agents read this text out: it has only sentences, and can’t be empty.',
  ],
  [
    'a drawing with a script',
    {
      ...organization('logo = "x.svg"'),
      'pictures/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    },
    'organization.toml, line 1: pictures/x.svg isn’t only a drawing: it has <script>. Export it again as a plain SVG, without scripts, animations, and links.',
  ],
  [
    'a brace that isn’t closed',
    english('[landing.hero]', 'lead = "Call {phone now"'),
    'en.toml, line 2: lead in [landing.hero]: A name needs both braces, such as {phone}.',
  ],
  [
    'a question asked twice',
    { 'questions.toml': '[questions]\norder = ["hasAttorney", "hasAttorney"]' },
    'questions.toml, line 2: order in [questions] lists hasAttorney twice. Keep one.',
  ],
  [
    'HTML',
    english('[landing.hero]', 'lead = "Can’t <b>work</b>?"'),
    'en.toml, line 2: lead in [landing.hero]: A text has no HTML or bold. Leave out <b>.',
  ],
  [
    'a name that JavaScript has',
    { 'questions.toml': '[questions.constructor]\nrequired = "yes"' },
    'questions.toml, line 1: constructor can’t be a name. Choose another.',
  ],
  [
    'a character that turns the text around',
    { 'consent.spoken.en.md': 'May we \u202Ecall you?' },
    'consent.spoken.en.md, line 1: An invisible character (U+202E) is in this text. Delete the text, and type it again.',
  ],
  [
    'lists in lists in lists',
    english(`x = ${'['.repeat(5000)}${']'.repeat(5000)}`),
    'en.toml: A text in this file is too long, or something in it is nested too deeply. Shorten it.',
  ],
  [
    'a folder of another name',
    { 'old/en.toml': '' },
    'old: A site’s folder has only the folders legal and pictures. Delete this one.',
  ],
  [
    'a section within another one',
    english('[landing.footer]', 'affiliation = "A"'),
    'en.toml, line 1: There is no footer in [landing]. Its section is [footer].',
  ],
  [
    'a section without the one around it',
    english('[faq]', 'heading = "A"'),
    'en.toml, line 1: There is no faq. Its section is [landing.faq].',
  ],
  [
    'a name below a section that belongs above it',
    organization('[colors]', 'email = "help@example.org"'),
    'organization.toml, line 2: There is no email in [colors]. It belongs at the top of the file, before the first [section].',
  ],
  [
    'a name in the wrong file',
    english('name = "A"'),
    'en.toml, line 1: There is no name. It belongs in organization.toml.',
  ],
  [
    'a claim hidden where its words are',
    english('[claims.rated]', 'show = false'),
    'en.toml, line 1: rated in [claims] is hidden in evidence.toml: [claims.rated] show = false',
  ],
  [
    'an answer without quotes',
    { 'questions.toml': '[questions.hasAttorney]\nrequired = no' },
    'questions.toml, line 2: required needs quotes: required = "no"',
  ],
  [
    'an answer as true',
    { 'questions.toml': '[questions.hasAttorney]\nrequired = true' },
    'questions.toml, line 2: required in [questions.hasAttorney] must be one of "yes", "no"',
  ],
  [
    'ages the wrong way around',
    { 'questions.toml': '[ages]\nfrom = 64\nto = 55' },
    'questions.toml, line 1: [ages] must be whole numbers of years, from the younger to the older: from = 55, to = 64',
  ],
  [
    'a comma at the end',
    english('[landing.hero]', 'lead = "A",'),
    'en.toml, line 2: Leave out , at the end: lead = "A"',
  ],
  [
    'a space pasted from a web page',
    english('[landing.hero]', '\u00A0lead = "A"'),
    'en.toml, line 2: An invisible character was pasted into this line, before the text. Type the line again.',
  ],
  [
    'a question without its words',
    { 'questions.toml': '[questions.seesDoctor]\nrequired = "yes"', 'es.toml': '[questions]\nseesDoctor = "¿A?"' },
    'en.toml: [questions] needs seesDoctor: seesDoctor = "…"',
  ],
  [
    'a figure that ends before it begins',
    { 'evidence.toml': '[figures.feeCap]\nsince = "2026-02-01"\nuntil = "2026-01-31"' },
    'evidence.toml, line 3: [figures.feeCap] ends before since, 2026-02-01. Type a later day: until = "2026-12-31"',
  ],
  [
    'another format',
    organization('format = 2'),
    'organization.toml, line 1: format = 2 is for another version of this program. Type format = 1, or install that version.',
  ],
  [
    'a review of a text that isn’t there',
    { 'reviews.toml': '[texts."consnt.en"]\nby = "Jane Roe"\non = "2026-11-01"\nversion = "0123456789ab"' },
    'reviews.toml, line 1: There is no consnt.en in [texts]. Did you mean consent.en?',
  ],
  [
    'a review of a misspelled rule',
    { 'reviews.toml': '[rules.callingHour]\nby = "Jane Roe"\non = "2026-11-01"' },
    'reviews.toml, line 1: There is no callingHour in [rules]. Did you mean callingHours?',
  ],
  [
    'a review of English',
    { 'reviews.toml': '[languages.en]\nby = "Jane Roe"\non = "2026-11-01"' },
    'reviews.toml, line 1: There is no en in [languages]. Did you mean es?',
  ],
  [
    'a review without a date',
    { 'reviews.toml': '[rules.callingHours]\nby = "Jane Roe"' },
    'reviews.toml, line 1: [rules.callingHours] needs on: on = "…"',
  ],
  [
    'a name in the consent that isn’t the seller’s',
    { 'consent.spoken.en.md': 'May {organization} call you?' },
    'consent.spoken.en.md, line 1: {organization} is unknown here. These are known: {legalName}, {phone}.',
  ],
  [
    'callbacks without a language',
    organization('callbacks = { hours = "Mon-Fri 9:00-17:30", timeZone = "Eastern" }'),
    'organization.toml, line 1: callbacks needs a text for each language: callbacks.en = { hours = "…", timeZone = "…" }, callbacks.es = { hours = "…", timeZone = "…" }',
  ],
  [
    'a section’s name with spaces',
    english('[pages.for veterans]', 'title = "A"'),
    'en.toml, line 1: A section’s name has only letters, digits, and dashes, or it’s in quotes: [pages.for-veterans]',
  ],
  [
    'two brackets around a section’s name',
    english('[[landing.hero]]', 'lead = "A"'),
    'en.toml, line 1: A section’s name has one bracket on each side: [landing.hero]',
  ],
  [
    'an apostrophe in single quotes',
    english('[landing.hero]', "lead = 'Can't work?'"),
    'en.toml, line 2: Use double quotes around a text: lead = "Can\'t work?"',
  ],
  [
    'false for a text',
    english('[landing.hero]', 'note = false'),
    'en.toml, line 2: note in [landing.hero] is hidden with an empty text: note = ""',
  ],
  [
    'another picture with the original’s description',
    { ...organization('[pictures.papers]', 'file = "x.svg"'), 'pictures/x.svg': '<svg viewBox="0 0 9 9"/>' },
    'organization.toml, line 2: Describe the new picture for people who can’t see it: alt.en = "…", alt.es = "…"',
  ],
  [
    'a legal page without its language',
    { 'legal/privacy.md': '' },
    'legal/privacy.md: A site’s folder has no file of this name. There are legal/privacy.en.md, legal/terms.en.md, legal/hipaa.en.md, legal/contact.en.md, legal/help.en.md, legal/accessibility.en.md, and the same with es.',
  ],
  [
    'a placeholder',
    { 'legal/help.en.md': '# Help\n\nFrom [date].\n' },
    'legal/help.en.md, line 3: Replace [date], or start the file with the line Draft: until it’s complete.',
  ],
])('%s', (_, files, told) => {
  for (const [name, content] of Object.entries(files)) write(name, content)
  expect(errors()).toEqual([told])
})

const NOT_SUPPORTED = 'isn’t supported. Use only headings, paragraphs, lists, bold, italics, and links.'

test.each([
  ['<!-- ask Jane -->', `HTML ${NOT_SUPPORTED}`],
  ['- by phone\n- by text', 'A consent has no lists. Write sentences.'],
  ['I **agree**.', 'A consent has no bold or italics. Leave out the marks around “agree”.'],
  ['At [COMPANY ADDRESS].', 'Replace [COMPANY ADDRESS].'],
  ['> I agree.', `This element (blockquote) ${NOT_SUPPORTED}`],
  ['[a]: https://example.org', `This element (def) ${NOT_SUPPORTED}`],
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
    expect.stringMatching(/^legal\/help\.es\.md, line 5: This element \(blockquote\) isn’t supported\./),
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
  chmodSync(all, 0o755)
  chmodSync(folder, 0o755)
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    const told = 'This can’t be read. Let everyone read it, as the other files.'
    expect(errors()).toEqual(expect.arrayContaining([`pictures/a.jpg: ${told}`, `legal: ${told}`]))
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
