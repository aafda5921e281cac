/** Records what content/ says in this version (`npm version`): a later version lists what it changed for people who saw this one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { originalsIn, version } from '../site-folder/changed-originals.ts'
import { MARKDOWN_FILES, TOML_FILES } from '../site-folder/files.ts'

const originals = Object.fromEntries([...TOML_FILES, ...MARKDOWN_FILES].map(file => [file, originalsIn(file)]))
const path = join(import.meta.dirname, '../site-folder/originals', `${version}.json`)
writeFileSync(path, `${JSON.stringify(originals, null, 2)}\n`)
