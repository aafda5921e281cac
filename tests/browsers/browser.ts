/** The browser interface that the journeys use. */

/** The part of Playwright's `Page` that journeys need. Puppeteer has the same methods; webkit.ts adds them for WebKit. */
export interface Tab {
  goto(url: string, options: typeof UNTIL_PARSED): Promise<unknown>
  reload(options: typeof UNTIL_PARSED): Promise<unknown>
  goBack(options: typeof UNTIL_PARSED): Promise<unknown>
  evaluate(expression: string): Promise<unknown>
  readonly mouse: { click(x: number, y: number): Promise<void> }
  readonly keyboard: {
    type(text: string): Promise<void>
    press(key: Key): Promise<void>
    down(key: Key): Promise<void>
    up(key: Key): Promise<void>
  }
}

export type Key = 'Backspace' | 'Control' | 'Delete' | 'End' | 'Enter' | 'Home' | 'ArrowLeft' | 'Tab' | 'a' | 'c' | 'v'

/** Some journeys delay scripts, and real visitors don't wait for them either. */
export const UNTIL_PARSED = { waitUntil: 'domcontentloaded' } as const

export interface OpenTab {
  /** The browser's name and version. */
  readonly version: string
  readonly tab: Tab
  /** Uncaught errors and rejections in its pages so far. */
  readonly errors: readonly string[]
  close(): Promise<void>
}

/** Started once per worker, because startup takes longer than a journey. */
export interface Browser {
  /** Uses a new profile, so nothing is left over from another tab. Open one tab at a time. */
  openTab(options: { readonly scripting: boolean }): Promise<OpenTab>
  close(): Promise<void>
}

/** A visitor with a phone in Chicago. */
export const WINDOW = { width: 390, height: 844 } as const
export const VISITOR_ENV = { ...process.env, TZ: 'America/Chicago', LANG: 'en_US.UTF-8' }
