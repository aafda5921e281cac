/** What the journeys need of a browser. */

/** The part of `Page` that Playwright and Puppeteer have in common and the journeys use. WebKit has the same methods. */
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

/** Some journeys hold scripts back, and visitors don't wait for them either. */
export const UNTIL_PARSED = { waitUntil: 'domcontentloaded' } as const

export interface Browser {
  readonly version: string
  readonly tab: Tab
  close(): Promise<void>
}

export interface BrowserOptions {
  readonly scripting: boolean
}

/** A phone in the hands of a visitor in Chicago. */
export const WINDOW = { width: 390, height: 844 } as const
export const VISITOR_ENV = { ...process.env, TZ: 'America/Chicago', LANG: 'en_US.UTF-8' }
