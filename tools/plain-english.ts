/** Finds phrases that sound translated in docs and source; part of `npm run check`. */
import { globSync, readFileSync } from 'node:fs'

const phrases =
  /\b(whoever|anew|meanwhile|for a look|shall|told of|met with|as it stands|in vain|of its own|lest|thereby|henceforth|e-mails?|organisations?|colours?)\b/gi

const files = globSync([
  '*.md',
  '.env.example',
  'docs/**/*.md',
  'deploy/**/*.*',
  '{content,site,domain,server,cli,desk,launch,build,tests,tools,bench}/**/*.{ts,tsx,md,css}',
]).filter(file => !file.endsWith('plain-english.ts'))

const found = files.flatMap(file =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(phrases)].map(([phrase]) => `${file}:${index + 1}: ${phrase}`)),
)
if (found.length > 0) {
  process.stderr.write(`Not plain English:\n  ${found.join('\n  ')}\n`)
  process.exitCode = 1
}
