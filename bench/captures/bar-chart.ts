/** Bar charts as SVG, readable without colour: every group has its own pattern, and every bar its figure. */
export interface BarGroup {
  readonly name: string
  readonly bars: readonly { readonly label: string; readonly value: number }[]
}

export interface BarChart {
  readonly title: string
  readonly unit: string
  readonly digits: number
  readonly groups: readonly BarGroup[]
  /** A line at a limit. */
  readonly limit?: { readonly label: string; readonly value: number }
}

const WIDTH = 820
const LABEL_WIDTH = 300
const FIGURE_WIDTH = 70
const ROW = 24
const BAR = 16
const HEAD = 44
const GAP = 12
const FOOT = 30

/** Plain, striped one way, striped the other, dotted: told apart in print and by those who see no colours. */
const patterns = [
  '<path d="M0 0h8v8H0z" fill="#1f4e79"/>',
  '<path d="M0 0h8v8H0z" fill="#fff"/><path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="#1f4e79" stroke-width="2"/>',
  '<path d="M0 0h8v8H0z" fill="#fff"/><path d="M-2 6l4 4M0 0l8 8M6-2l4 4" stroke="#7a3e00" stroke-width="2"/>',
  '<path d="M0 0h8v8H0z" fill="#fff"/><circle cx="4" cy="4" r="2.2" fill="#1d5c2e"/>',
  '<path d="M0 0h8v8H0z" fill="#fff"/><path d="M0 2h8M0 6h8" stroke="#444" stroke-width="1.6"/>',
]

export function barChart({ title, unit, digits, groups, limit }: BarChart): string {
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const most = Math.max(...values, limit?.value ?? 0)
  const scale = (value: number) => (value / most) * (WIDTH - LABEL_WIDTH - FIGURE_WIDTH)
  const figure = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const rows: string[] = []
  let y = HEAD
  for (const [index, { name, bars }] of groups.entries()) {
    for (const { label, value } of bars) {
      const middle = y + BAR / 2 + 4
      rows.push(
        `<text x="${LABEL_WIDTH - 8}" y="${middle}" text-anchor="end">${escapeText(`${name}, ${label}`)}</text>`,
        `<rect x="${LABEL_WIDTH}" y="${y}" width="${scale(value).toFixed(1)}" height="${BAR}" fill="url(#p${index % patterns.length})" stroke="#222"/>`,
        `<text x="${(LABEL_WIDTH + scale(value) + 6).toFixed(1)}" y="${middle}">${figure(value)}</text>`,
      )
      y += ROW
    }
    y += GAP
  }
  const height = y + FOOT
  const line = limit
    ? `<path d="M${(LABEL_WIDTH + scale(limit.value)).toFixed(1)} ${HEAD - 6}V${y}" stroke="#222" stroke-dasharray="5 4"/>` +
      `<text x="${(LABEL_WIDTH + scale(limit.value)).toFixed(1)}" y="${y + 14}" text-anchor="end">${escapeText(limit.label)}</text>`
    : ''
  const described = groups
    .flatMap(({ name, bars }) => bars.map(({ label, value }) => `${name}, ${label}: ${figure(value)}`))
    .join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<title id="title">${escapeText(`${title} (${unit})`)}</title>
<desc id="description">${escapeText(described)}</desc>
<defs>${patterns.map((pattern, index) => `<pattern id="p${index}" width="8" height="8" patternUnits="userSpaceOnUse">${pattern}</pattern>`).join('')}</defs>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="12" y="24" font-size="16" font-weight="600">${escapeText(`${title} (${unit})`)}</text>
${rows.join('\n')}
<path d="M${LABEL_WIDTH} ${HEAD - 6}V${y}" stroke="#222"/>
${line}
</svg>
`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
