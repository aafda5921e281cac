/** Light, dark, or as the system has it. */
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { chooseTheme, chosenTheme, type Theme, themes } from '../theme/theme.ts'
import { Menu } from '../ui/menu.tsx'

const icons = { system: Monitor, light: Sun, dark: Moon }
const names: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  const Icon = icons[theme]
  return (
    <Menu
      label={`Light or dark: ${names[theme].toLowerCase()}`}
      items={themes.map(each => {
        const ItemIcon = icons[each]
        return {
          label: names[each],
          icon: <ItemIcon aria-hidden size={18} />,
          checked: each === theme,
          onChoose: () => {
            chooseTheme(each)
            setTheme(each)
          },
        }
      })}
    >
      <Icon aria-hidden size={20} />
    </Menu>
  )
}
