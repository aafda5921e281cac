/** Finds anglicisms, tú, and Title Case headings in the Spanish content; part of `npm run check`. */
import { globSync, readFileSync } from 'node:fs'

/** “Aplicar” and “forma” are English words in disguise, and visitors are addressed as usted. */
const phrases =
  /(?<![\p{L}-])(aplicar|aplique|aplicaci[oó]n(?:es)?|llene la forma|discapacidad(?:es)?|tú|tu|tus|te|ti|contigo|puedes|tienes|quieres|eres|llama(?:r|n)? para atrás)(?![\p{L}-])/giu
/** A heading, title, or button with three capitalized words in a row. Names and abbreviations are fine. */
const titleCase = /(?:heading|headline|title|cta|label)\w*: ['"`](?:\p{Lu}\p{Ll}+ ){2}\p{Lu}\p{Ll}+/u
const NAMES = /Seguridad de Ingreso|Seguro Social/

const found = globSync('content/es/**/*.{ts,md}').flatMap(file =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      // Comments, imports, notes to the operator, and links aren't read by visitors.
      if (/^\s*(\/?\*|\/\/|import |Draft:)/.test(line)) return []
      const text = line.replaceAll(/\[[^\]]*\](?:\([^)]*\))?|https?:\S+|\$\{[^}]*\}/g, '')
      const wrong = [...text.matchAll(phrases)].map(([phrase]) => phrase)
      if (titleCase.test(text) && !NAMES.test(text)) wrong.push('Title Case')
      return wrong.map(phrase => `${file}:${index + 1}: ${phrase}`)
    }),
)
if (found.length > 0) {
  process.stderr.write(`Not the site’s Spanish (see docs/content.md):\n  ${found.join('\n  ')}\n`)
  process.exitCode = 1
}
