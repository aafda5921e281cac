/** Light or dark: as the system says, unless the person chose one here. The choice stays in this browser. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'desk-theme'

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return themes.find(theme => theme === kept) ?? 'system'
  } catch {
    // Storage may be forbidden; the system's choice is a good one.
    return 'system'
  }
}

export function showTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // It then holds for this page alone.
  }
}
