import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { activeIn } from './drawings.ts'
import { ORIGINALS } from './files.ts'

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`

test.each([
  svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">1</svg:script>'),
  svg('<rect/onload="alert(1)"/>'),
  svg('<x:foreignObject xmlns:x="http://www.w3.org/2000/svg"/>'),
  svg('<title><style></title><script>1</script></style></title>'),
  svg('<a><animate attributeName="href" values="https://a.test"/></a>'),
  svg('<use xlink:href="https://a.test/x.svg#a"/>'),
  svg('<use href="#a" xml:base="https://a.test/x.svg"/>'),
  svg('<image href="data:image/svg+xml;base64,AAAA"/>'),
  svg('<style>@\\69mport "https://a.test/a.css";</style>'),
  svg('<rect style="fill:u\\72l(https://a.test/a)"/>'),
  svg('<style>rect { mask: image-set("https://a.test/a.png" 1x) }</style>'),
  `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`,
  '<html><body>x</body></html>',
  Buffer.from(svg('<script>1</script>'), 'utf16le').toString(),
])('%s isn’t only a drawing', source => {
  expect(activeIn(source)).not.toBeNull()
})

test.each([
  readFileSync(join(ORIGINALS, 'pictures/seniors.svg'), 'utf8'),
  `<?xml version="1.0"?><!-- by an editor -->${svg('<style>.a{fill:url(#b)}</style><path class="a" d="M0 0z"/>')}`,
  svg('<clipPath id="a"><rect/></clipPath><image href="data:image/png;base64,AA=="/>'),
])('a drawing is let through', source => {
  expect(activeIn(source)).toBeNull()
})
