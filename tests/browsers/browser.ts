/** What the journeys need of a browser; each engine gives it in the protocol that it speaks by itself. */

/** Input as a person gives it. The W3C's two WebDriver protocols have the same words for it. */
export type InputSource =
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly KeyAction[] }
  | { readonly type: 'pointer'; readonly id: string; readonly actions: readonly PointerAction[] }

type KeyAction = { readonly type: 'keyDown' | 'keyUp'; readonly value: string }
type PointerAction =
  | { readonly type: 'pointerMove'; readonly x: number; readonly y: number }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: number }

export interface Browser {
  readonly version: string
  /** Returns when the page is there, scripts that come later aside. */
  open(url: string): Promise<void>
  reload(): Promise<void>
  goBack(): Promise<void>
  /** The value of an expression that gives a string. */
  evaluate(expression: string): Promise<string>
  perform(sources: readonly InputSource[]): Promise<void>
  close(): Promise<void>
}

export interface BrowserOptions {
  /** Off for visitors whose browser runs none. */
  readonly scripting: boolean
}

/** A phone of the most common kind, lying in the hands of a visitor in Chicago. */
export const WINDOW = { width: 390, height: 844 } as const
export const SURROUNDINGS = { TZ: 'America/Chicago', LANG: 'en_US.UTF-8' } as const

/** Keys without a character, as WebDriver numbers them. */
export const keys = {
  backspace: '\ue003',
  tab: '\ue004',
  enter: '\ue007',
  control: '\ue009',
  end: '\ue010',
  home: '\ue011',
  left: '\ue012',
  delete: '\ue017',
} as const
