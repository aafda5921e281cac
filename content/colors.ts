/**
 * The colors of every public page, as #rrggbb. `npm run dev` and the launch check say which pairs are hard to read. The logo is in
 * content/pictures.ts; the desk has its own colors.
 */
export const colors = {
  /** Your brand: buttons and the outline of the phone number. Their text is `card`. */
  action: '#1e6b4b',
  /** A darker shade of it: links, icons, and a button under the pointer. */
  'action-dark': '#134a33',
  /** Light shades of it: behind icons and the phone number, and behind sections. */
  sage: '#dde9df',
  mist: '#eef4ee',
  /** The page, and cards and fields on it. */
  paper: '#fbf7f0',
  card: '#ffffff',
  /** Text, and less important text. */
  ink: '#14352c',
  'ink-soft': '#354f47',
  /** Lines between things, and the borders of fields. */
  line: '#ddd3c2',
  edge: '#6b7f77',
  /** Stars and notices. */
  amber: '#fbe9c2',
  'amber-edge': '#a96b0c',
  /** Error messages. */
  error: '#a3201a',
  'error-soft': '#fdecea',
} as const satisfies Readonly<Record<string, `#${string}`>>

export type Color = keyof typeof colors
