/** Light, dark, or as the system says. The choice stays in this browser; public/theme.js applies it before the first paint. */
import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const KEY = 'desk-theme'

function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return themes.find(theme => theme === kept) ?? 'system'
  } catch {
    // Storage may be blocked.
    return 'system'
  }
}

function chooseTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // It applies to this page only.
  }
}

const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const names: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Menu
      label={`Theme: ${names[theme]}`}
      items={themes.map(each => ({
        label: names[each],
        icon: icons[each],
        checked: each === theme,
        onChoose: () => {
          chooseTheme(each)
          setTheme(each)
        },
      }))}
    >
      <Icon name={icons[theme]} size={20} />
    </Menu>
  )
}
