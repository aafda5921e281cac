/** What build/compile.ts makes, once per release, and a publication reads. */
import { join } from 'node:path'

export const COMPILED = join(import.meta.dirname, '../compiled')

/** In `assets/`, beside it, are the files that pages link to. */
export const COMPILED_FILE = 'compiled.json'
export const RENDERER_FILE = 'render.js'
export const PANEL_FILE = 'panel.js'

export interface Compiled {
  /** `@font-face` rules. */
  readonly typefaces: string
  readonly fallbackFonts: string
  /** Public paths. */
  readonly scripts: { readonly typefaces: string; readonly sayMore: string }
}

/** Stands for an export with words in the panel's script, until a publication fills in one language's. */
export const placeholderOf = (name: string) => `__${name}__`

/** The global that compiled pages take their site's data from. */
export const SITE_DATA = 'siteData'
