/** As on a server: root made everything, except what's in `sites`. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../tests/support/after-test.ts'
import { findSite, readSiteFile } from './site-files.ts'

let root: string
const at = (path: string) => join(root, path)
const built = () => at('releases/one/built')
const read = (file: string) => `${readSiteFile(findSite(built()), file)}`

beforeEach(() => {
  root = newFolder()
  for (const folder of ['releases/one', 'sites/one/site/es', 'data/es']) mkdirSync(at(folder), { recursive: true })
  symlinkSync('../../sites/one/live', built())
  symlinkSync('site', at('sites/one/live'))
  for (const folder of ['sites/one/site', 'data']) {
    for (const file of ['a.txt', 'es/a.txt']) writeFileSync(at(`${folder}/${file}`), folder)
  }
})

test('a site’s files are read through the link to it', () => {
  expect([read('a.txt'), read('es/a.txt')]).toEqual(['sites/one/site', 'sites/one/site'])
})

test.each(['../../../data/a.txt', 'es/../../../../data/a.txt', '/data/a.txt', '', '.', 'es//a.txt', 'es'])(
  '“%s” isn’t read',
  file => {
    expect(() => read(file)).toThrow()
  },
)

/** Replaces a folder or file that the publisher could replace by a link. */
const links: readonly (readonly [string, string])[] = [
  ['sites/one/live', '../../data'],
  ['sites/one/live', '..'],
  ['sites/one', '../data'],
  ['sites/one/site', '../../data'],
  ['sites/one/site/es', '../../../data/es'],
  ['sites/one/site/es/a.txt', '../../../../data/a.txt'],
]

test.each(links)('%s as a link to %s leads nowhere', (path, target) => {
  if (path === 'sites/one') symlinkSync('.', at('data/live'))
  rmSync(at(path), { recursive: true })
  symlinkSync(target, at(path))
  expect(() => read('es/a.txt')).toThrow()
})

test('what was moved out of the site isn’t read', () => {
  const site = findSite(built())
  renameSync(site, at('moved'))
  symlinkSync(at('moved'), site)
  expect(() => readSiteFile(site, 'es/a.txt')).toThrow('isn’t a file of the site')
})
