/** Finds anglicisms, tú, and Title Case headings in the Spanish content; part of `npm run check`. */
import { globSync, readFileSync } from 'node:fs'

/** “Aplicar” and “forma” are English words in disguise, and visitors are addressed as usted. */
const phrases =
  /(?<![\p{L}-])(aplicar|aplique|aplicaci[oó]n(?:es)?|(?:llen|complet|env[ií])\p{L}* (?:la|una|esta|nuestra) forma|discapacidad(?:es)?|tú|tu|tus|tuy[oa]s?|te|ti|contigo|puedes|tienes|quieres|eres|estás|has|vas|debes|necesitas|recibes|calificas|llam\p{L}* para atrás)(?![\p{L}-])/giu
/** A heading, title, or button; in Markdown, a line that starts with #. */
const HEADING = /(?:(?:heading|headline|title|cta|label)\w*: ['"`]|^#+ )(.*)/i
/** A capitalized word in the middle of a sentence. */
const titleCase = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}+/u
const NAMES =
  /Administración del Seguro Social|Seguro (?:por Incapacidad del Seguro )?Social|Seguridad de Ingreso Suplementario|Medicare|Medicaid|Estados Unidos|Ley de Estadounidenses con Discapacidades/g

/** The Spanish in a line, without links, figures, and names. Comments, imports, and notes to the operator aren't read by visitors. */
function spanishIn(file: string, line: string): string {
  if (/^\s*(\/?\*|\/\/|import |Draft:)/.test(line)) return ''
  // Outside content/es/, Spanish is next to English: { en: '…', es: '…' }.
  const text = file.startsWith('content/es/') ? line : (/\bes: (.*)/.exec(line)?.[1] ?? '')
  return text.replaceAll(/\[[^\]]*\](?:\([^)]*\))?|https?:\S+|\$\{[^}]*\}/g, '').replaceAll(NAMES, '')
}

/** Every slip, as "file:line: words". */
export function slipsIn(file: string, source: string): string[] {
  return source.split('\n').flatMap((line, index) => {
    const text = spanishIn(file, line)
    const wrong = [...text.matchAll(phrases)].map(([phrase]) => phrase)
    if (titleCase.test(HEADING.exec(text)?.[1] ?? '')) wrong.push('Title Case')
    return wrong.map(phrase => `${file}:${index + 1}: ${phrase}`)
  })
}

if (import.meta.main) {
  const files = globSync(['content/es/**/*.{ts,md}', 'content/*.ts'])
  const found = files.flatMap(file => slipsIn(file, readFileSync(file, 'utf8')))
  if (found.length > 0) {
    process.stderr.write(`Not the site’s Spanish (see docs/content.md):\n  ${found.join('\n  ')}\n`)
    process.exitCode = 1
  }
}
