/** Performs every recipe of docs/content.md on a copy of the project, all together, and looks at the pages. */
import { expect, test } from 'vitest'
import { specified } from '../specification/specified.ts'
import { copyToEdit } from './edited-copy.ts'
import { readRecipes } from './recipes.ts'
import { shownBy, wrongWith } from './shown.ts'

test('docs/content.md has a dozen recipes or more, and it is known of each what it shows', () => {
  const titles = readRecipes('.').map(({ title }) => title)
  expect(titles.length).toBeGreaterThanOrEqual(12)
  expect(titles.toSorted()).toEqual(Object.keys(shownBy).toSorted())
})

test('what a page lacks is noticed', () => {
  const page = '<p>Call <b>us</b></p><p>now</p>'
  expect(wrongWith(page, { page: 'index', there: ['Call us', '<b>'], gone: ['them'], inOrder: ['us', 'now'] })).toEqual(
    [],
  )
  expect(wrongWith(page, { page: 'index', there: ['them'], gone: ['us'], inOrder: ['now', 'us'] })).toHaveLength(3)
})

specified('every edit that docs/content.md describes is one edit, and the pages show it', async () => {
  const copy = copyToEdit()
  try {
    for (const recipe of copy.recipes) await copy.perform(recipe)
    await copy.build()
    expect(copy.recipes.flatMap(recipe => copy.missing(recipe))).toEqual([])
    // Each visitor is sent one headline: a page beside another is as large as that one, but for the words themselves.
    const [page, variant] = ['index', 'variants/index-plain'].map(name => copy.bytesSent(name))
    expect(Math.abs(Number(variant) - Number(page))).toBeLessThan(100)
  } finally {
    copy.remove()
  }
})
