/**
 * Each drawing is shown as it was drawn, or refused. Inkscape 1.2.2 and GIMP 2.10.34 wrote the files in tests/fixtures/pictures; the others
 * imitate the program that they're named after.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readDrawing } from './drawings.ts'
import { ORIGINALS } from './files.ts'

const SVG = 'xmlns="http://www.w3.org/2000/svg"'
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
const DTD = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
const shapes = '<rect width="6" height="4" fill="#1d4f91"/><circle cx="6" cy="6" r="2" fill="#c33"/>'
const svg = (inside: string, attributes = 'viewBox="0 0 8 8"') => `<svg ${SVG} ${attributes}>${inside}</svg>`
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../tests/fixtures/pictures', name), 'utf8')
/** With something hostile, or old, in it. */
const inkscape = (inside: string) => fixture('inkscape.svg').replace('</svg>', `${inside}</svg>`)

async function pixels(drawing: string): Promise<Buffer> {
  const bytes = Buffer.from(drawing)
  const { width } = await sharp(bytes).metadata()
  return sharp(bytes, { density: (72 * 512) / width })
    .resize(64, 64, { fit: 'fill' })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer()
}

/** From 0 to 255. Edges differ a little if a drawing says its size in other words. */
async function difference(a: string, b: string): Promise<number> {
  const [first, second] = [await pixels(a), await pixels(b)]
  return first.reduce((sum, value, index) => sum + Math.abs(value - (second[index] ?? 0)), 0) / first.length
}

const red = (
  await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
).toString('base64')

/** The second text: what a renderer needs to show the first one. */
test.each<readonly [by: string, drawing: string, readable?: string]>([
  ['the program’s own', readFileSync(join(ORIGINALS, 'pictures/seniors.svg'), 'utf8')],
  ['Inkscape', fixture('inkscape.svg')],
  ['Inkscape, as plain SVG', fixture('inkscape-plain.svg')],
  ['GIMP, a path', fixture('gimp-path.svg')],
  [
    'potrace',
    `<?xml version="1.0" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 20010904//EN"
 "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd">
<svg version="1.0" xmlns="http://www.w3.org/2000/svg" width="180.000000pt" height="180.000000pt" viewBox="0 0 180.000000 180.000000"
 preserveAspectRatio="xMidYMid meet"><metadata>Created by potrace 1.10</metadata>
<g transform="translate(0.000000,180.000000) scale(0.100000,-0.100000)" fill="#000000" stroke="none"><path d="M645 1463 l400 -400 0 300z"/></g></svg>`,
  ],
  [
    'Illustrator',
    `<?xml version="1.0" encoding="utf-8"?><!-- Generator: Adobe Illustrator 27.0.0 -->${svg(
      `<style type="text/css">\n\t.st0{fill:#FF9000;}\n</style><g data-name="Logo@2x" i:extraneous="self"><path class="st0" d="M0 0h6v6z"/></g>`,
      'version="1.1" id="Layer_1" x="0px" y="0px" viewBox="0 0 8 8" style="enable-background:new 0 0 8 8;" xml:space="preserve" xmlns:i="x"',
    )}`,
  ],
  [
    'Figma',
    svg(
      `<g clip-path="url(#clip0_1_2)">${shapes}</g><defs><clipPath id="clip0_1_2"><rect width="8" height="5" fill="white"/></clipPath></defs>`,
      'width="8" height="8" viewBox="0 0 8 8" fill="none"',
    ),
  ],
  [
    'Sketch',
    svg(
      `<title>logo@2x</title><desc>Created with Sketch.</desc><defs/><g id="Page-1" sketch:type="MSPage">${shapes}</g>`,
      `viewBox="0 0 8 8" ${XLINK} xmlns:sketch="http://www.bohemiancoding.com/sketch/ns"`,
    ),
  ],
  [
    'Canva',
    svg(
      `<defs><clipPath id="x"><path d="M 0 0 L 8 0 L 8 5 Z" clip-rule="nonzero"/></clipPath></defs><g clip-path="url(#x)">${shapes}</g>`,
      `${XLINK} width="500" zoomAndPan="magnify" viewBox="0 0 8 8" height="500" preserveAspectRatio="xMidYMid meet" version="1.0"`,
    ),
  ],
  [
    'CorelDRAW',
    `<?xml version="1.0" encoding="UTF-8"?>\n${DTD}\n<!-- Creator: CorelDRAW -->${svg('<defs><style type="text/css"><![CDATA[ .fil0 {fill:#2B2A29;fill-rule:nonzero} ]]></style></defs><g id="L"><metadata id="CorelCorpID_0Corel-Layer"/><polygon class="fil0" points="0,0 6,0 6,6"/></g>', 'xml:space="preserve" width="3in" height="3in" viewBox="0 0 8 8" xmlns:xodm="http://www.corel.com/coreldraw/odm/2003"')}`,
  ],
  [
    'Affinity',
    `<?xml version="1.0"?>${DTD}${svg(`<g id="Artboard1" serif:id="Artboard 1">${shapes}</g>`, 'width="100%" height="100%" viewBox="0 0 8 8" xmlns:serif="http://www.serif.com/"')}`,
  ],
  [
    'an embedded picture',
    svg(`<image width="8" height="8" xlink:href="data:image/png;base64,${red}"/>`, `viewBox="0 0 8 8" ${XLINK}`),
  ],
  ['no xmlns', `<svg viewBox="0 0 8 8">${shapes}</svg>`, svg(shapes)],
  [
    'no xmlns:xlink',
    svg(`<g id="a">${shapes}</g><use xlink:href="#a" x="1"/>`),
    svg(`<g id="a">${shapes}</g><use href="#a" x="1"/>`),
  ],
  [
    '&nbsp;',
    svg(`${shapes}<title>Example&nbsp;Advocates</title><text y="7">A&nbsp;B &amp; C</text>`),
    svg(`${shapes}<text y="7">A\u00a0B &amp; C</text>`),
  ],
  ['40,000 wide', svg(shapes, 'width="40000" height="40000" viewBox="0 0 8 8"'), svg(shapes)],
  ['no viewBox', svg(shapes, 'width="8" height="8"')],
  ['a byte order mark', `\ufeff${svg(shapes)}`, svg(shapes)],
  ['a quoted > in its document type', `<!DOCTYPE svg SYSTEM "https://a.test/x.dtd">${svg(shapes)}`],
  ['a script in its title', svg(`<title><style></title><script>1</script></style></title>${shapes}`), svg(shapes)],
])('%s: shown as it was drawn', async (_, drawing = '', readable = drawing) => {
  const read = readDrawing(Buffer.from(drawing))
  const published = 'svg' in read ? read.svg : read.problem
  expect(published).toMatch(/^<svg xmlns=/)
  expect(published).not.toMatch(/sodipodi|inkscape:|<!|<\?|script|data-name/)
  expect(await difference(published, readable)).toBeLessThan(3)
  expect(await difference(published, svg(''))).toBeGreaterThan(1)
  // What was checked is what browsers read.
  expect(readDrawing(Buffer.from(published))).toEqual(read)
})

const deep = (levels: number) => svg(`${'<g>'.repeat(levels)}${'</g>'.repeat(levels)}`)

test.each([
  [svg('<script>1</script>'), '<script>'],
  [svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">1</svg:script>'), '<svg:script>'],
  [svg('<x:foreignObject xmlns:x="http://www.w3.org/2000/svg"/>'), '<x:foreignobject>'],
  [svg('<foreignObject><div>Hi</div></foreignObject>'), '<foreignObject>'],
  [svg('<rect/onload="alert(1)"/>'), 'onload="…"'],
  [svg('<a><animate attributeName="href" values="https://a.test"/></a>'), '<a>'],
  [svg('<set attributeName="href" to="https://a.test"/>'), '<set>'],
  [svg('<b>Hi</b><rect/>'), '<b>'],
  [svg('<use xlink:href="https://a.test/x.svg#a"/>'), 'href="…"'],
  [svg('<use x:href="https://a.test/x.svg#a"/>'), 'x:href="…"'],
  [svg('<use href="#a" xml:base="https://a.test/x.svg"/>'), 'base="…"'],
  [inkscape('<image xlink:href="photo.png" width="4" height="4" />'), 'href="…"'],
  [inkscape('<script id="mesh_polyfill">1</script>'), '<script>'],
  [inkscape('<flowRoot><flowPara>Example</flowPara></flowRoot>'), '<flowroot>'],
  [svg('<image href="data:image/svg+xml;base64,AAAA"/>'), 'href="…"'],
  [svg('<style>@\\69mport "https://a.test/a.css";</style>'), 'a style that loads files'],
  [svg('<rect style="fill:u\\72l(https://a.test/a)"/>'), 'style="…"'],
  [svg('<style>rect { mask: image-set("https://a.test/a.png" 1x) }</style>'), 'a style that loads files'],
  [`<?xml-stylesheet href="a.css"?>${svg('')}`, 'a style sheet in another file'],
  [`${svg('')}<script>1</script>`, '<script>'],
  [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'declarations in its document type'],
  [
    `<!DOCTYPE svg [<!ATTLIST svg a CDATA ">" onload CDATA "alert(1)">]>${svg('')}`,
    'declarations in its document type',
  ],
  [`<!DOCTYPE svg SYSTEM ">" [<!ATTLIST svg onload CDATA "alert(1)">]>${svg('')}`, 'declarations in its document type'],
  [svg('<g><path d="M0 0h9v9z"/>'), 'is damaged: <g> in line 1 has no end'],
  [svg('\n<g>\n<rect></g>'), 'is damaged: <rect> in line 3 has no end'],
  [svg('<rect/>').slice(0, -9), 'has no end'],
  [deep(100_000), 'has groups in groups'],
  [svg('<rect/>', ''), 'doesn’t say how large it is'],
  ['<html><body>x</body></html>', 'isn’t an SVG drawing'],
  ['\x1f\x8b\x08\0', 'isn’t an SVG drawing'],
  [Buffer.from(svg(shapes), 'utf16le').toString(), 'isn’t an SVG drawing'],
])('%.90s is refused', (drawing, why) => {
  expect(readDrawing(Buffer.from(drawing))).toEqual({ problem: expect.stringContaining(why) })
})
