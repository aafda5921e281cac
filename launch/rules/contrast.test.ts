import { expect, test } from 'vitest'
import { colors } from '../../site-folder/site.ts'
import { contrastFindings } from './contrast.ts'

test('a light button and pale text are reported where to change them, with what they have and need', () => {
  const pale = { ...colors, action: '#8fd3b0', edge: '#cccccc' }
  expect(contrastFindings(pale)).toMatchObject([
    {
      code: 'low_contrast',
      detail: 'card on action (1.7:1, needs 4.5:1)',
      change: { key: 'organization.toml colors.action' },
    },
    {
      code: 'low_contrast',
      detail: 'edge on card (1.6:1, needs 3:1)',
      change: { key: 'organization.toml colors.edge' },
    },
  ])
})

test('the delivered colors can be read', () => expect(contrastFindings(colors)).toEqual([]))
