/** Light, dark, or as the system says. The choice stays in this browser; public/theme.js applies it before the first paint. */
import { useState } from 'react'
import { recall, remember } from '../local-storage.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const KEY = 'desk-theme'

function chooseTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset['theme'] = theme
  remember(KEY, theme)
}

const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const
const names: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => themes.find(each => each === recall(KEY)) ?? 'system')
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
