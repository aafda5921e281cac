/** What the journeys need from a browser. */

/** The part of `Page` that the journeys use. Playwright and Puppeteer have these methods in common; webkit.ts adds them for WebKit. */
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

/** A visitor with a phone in Chicago. */
export const WINDOW = { width: 390, height: 844 } as const
export const VISITOR_ENV = { ...process.env, TZ: 'America/Chicago', LANG: 'en_US.UTF-8' }
