/** A review is of what visitors read, however the file is written. */
import fc from 'fast-check'
import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Block } from '../../domain/text/text-blocks.ts'
import { consentOf, readConsent, readSpokenConsent } from '../../site-folder/consent.ts'
import type { SiteFinding } from '../../site-folder/findings.ts'
import { isLegalPage, readLegalPage } from '../../site-folder/legal.ts'
import { versionOf } from '../../site-folder/reviews.ts'
import { urgentAsNames } from '../../site-folder/whole-text.ts'
import { ConsentNotice, ConsentText } from '../browser/consent-text.tsx'
import { renderMarkdown } from './markdown.tsx'
import '../../tests/support/same-cases.ts'

const facts = {
  organization: 'Acme',
  legalName: 'Acme_One & Sons *LLC',
  relay: 'Dial 711.',
  stop: 'STOP',
  phone: '833-243-2965',
  email: 'a@example.org',
  address: '1 Pier',
  hours: 'until 6 p.m.',
}

const legal = `# Help

We, {legalName}, help you, *always*. Call {phone} ([by hand](/stop)), or {relay}

## Later

- One **thing**
- at {address}, {hours}.

3. Reply {stop} or write to {email}.
`
const consent = `# Above the button

I agree. [The details are below.](#consent)

# Button

Yes, call me!

# Below

By pressing “{button}”, I let {legalName} call me, or I call {phone}.

I can stop [here](stop), and read the [Privacy Policy](privacy).
`
const spoken = 'May {legalName} call you? Or call {phone}.\n'

const html = (...nodes: readonly Parameters<typeof createElement>[2][]) =>
  renderToStaticMarkup(createElement(Fragment, null, ...nodes))

/** Each kind of text: an example, how it's read, and how it's shown. */
const kinds = {
  legal: {
    text: legal,
    read: (source: { file: string; text: string }, inserts: typeof facts, findings: SiteFinding[]) =>
      readLegalPage(source, urgentAsNames(inserts), inserts.phone, findings),
    show: (blocks: readonly Block[]) => html(renderMarkdown(blocks).body),
  },
  consent: {
    text: consent,
    read: (source: { file: string; text: string }, inserts: typeof facts, findings: SiteFinding[]) => {
      const isPage = (name: string) => name === 'stop' || name === '#consent' || isLegalPage(name)
      return readConsent(source, urgentAsNames(inserts), inserts.phone, isPage, findings)
    },
    show: (blocks: readonly Block[]) => {
      const { above, below, button } = consentOf(blocks, facts.legalName, name => name)
      const marks = { advertiser: '', phone: '' }
      return html(
        createElement(ConsentNotice, { above }),
        ' / ',
        button,
        createElement(ConsentText, { below, ...marks }),
      )
    },
  },
  spoken: {
    text: spoken,
    read: (source: { file: string; text: string }, inserts: typeof facts, findings: SiteFinding[]) =>
      readSpokenConsent(source, urgentAsNames(inserts), inserts.phone, findings),
    show: (blocks: readonly Block[]) => JSON.stringify(blocks),
  },
} as const
type Kind = keyof typeof kinds

/** Null if it's refused. */
function read(kind: Kind, text: string, inserts = facts) {
  const findings: SiteFinding[] = []
  const { blocks } = kinds[kind].read({ file: 'a.md', text }, inserts, findings)
  if (findings.some(({ level }) => level === 'error')) return null
  return { version: versionOf({ name: 'a', blocks }), shown: kinds[kind].show(blocks) }
}

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  less: fc.nat(3),
  more: fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom(
      '\n',
      '\r\n',
      '  ',
      '\n\n',
      '- ',
      '**',
      '_',
      '> ',
      '&amp;',
      '{phone}',
      '{legalName}',
      '[a](stop)',
      '\\',
    ),
  ),
})

test.each(Object.keys(kinds) as Kind[])(
  '%s: an edit changes the version if it changes what visitors read, and only then',
  kind => {
    const { text } = kinds[kind]
    const before = read(kind, text)
    expect(before).not.toBeNull()
    let changed = 0
    let same = 0
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 2 }), edits => {
        const edited = edits.reduce((now, { at, less, more }) => {
          const from = Math.floor(at * now.length)
          return now.slice(0, from) + more + now.slice(from + less)
        }, text as string)
        const after = read(kind, edited)
        if (after === null) return
        expect([edited, after.version === before?.version]).toEqual([edited, after.shown === before?.shown])
        if (after.version === before?.version) same += 1
        else changed += 1
      }),
      { numRuns: 500 },
    )
    expect(Math.min(changed, same)).toBeGreaterThan(5)
  },
)

test.each(Object.keys(kinds) as Kind[])(
  '%s: line ends, spaces, and urgent facts are no edit; every other fact in it is',
  kind => {
    const { text } = kinds[kind]
    const version = read(kind, text)?.version
    const alike = [
      `\uFEFF${text}`,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll(/(?<=\w) (?=\w)/g, '  '),
      `\n${text}\n\n`,
    ]
    for (const written of alike) expect(read(kind, written)?.version).toBe(version)
    for (const [name, value] of Object.entries(facts)) {
      const isUrgent = ['phone', 'email', 'address', 'hours'].includes(name)
      const isUsed = text.includes(`{${name}}`)
      expect([name, read(kind, text, { ...facts, [name]: `${value} x` })?.version === version]).toEqual([
        name,
        isUrgent || !isUsed,
      ])
      // Typed, it's text.
      if (isUrgent && isUsed) expect(read(kind, text.replace(`{${name}}`, value))?.version).not.toBe(version)
    }
  },
)

test.each<[Kind, string, string]>([
  ['legal', '(/stop)', '(/help)'],
  ['legal', '**thing**', 'thing'],
  ['legal', '3. ', '4. '],
  ['legal', '- One', '1. One'],
  ['legal', '## Later\n\n', ''],
  ['consent', '[here](stop)', '[here](privacy)'],
  ['consent', '(#consent)', '(terms)'],
  ['consent', '[Privacy Policy](privacy)', 'Privacy Policy'],
  ['consent', '{phone}.\n\nI can', '{phone}. I can'],
])('%s: %j instead of %j needs a review', (kind, before, after) => {
  const { text } = kinds[kind]
  const edited = read(kind, text.replace(before, after))
  expect(edited?.shown).not.toBe(read(kind, text)?.shown)
  expect(edited?.version).not.toBe(read(kind, text)?.version)
})
