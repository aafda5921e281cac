import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { figures } from '../../content/figures.ts'
import { specified } from './specified.ts'

specified('figures keep the values of the specification', () => {
  const shown = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure.shown]))
  expect(shown).toMatchObject({
    maximumBenefit: '$4,018/Month',
    averageBenefit: '$1,483',
    initialDenials: 'about 70%',
    initialDenialsAdvertorial: 'over 65%',
    feeShare: '25%',
    feeCap: '$7,200',
    initialDecisionTime: '3-5 months',
    medicareWait: '24 months',
    impairmentDuration: '12 months',
    workHistory: '5 of the last 10 years',
    spotsRemaining: '23',
    checkDuration: '2-minute',
    audienceAgeRange: '55-64',
  })
})

specified('every figure is written once: no other text repeats it', () => {
  const distinctive = Object.values(figures)
    .map(figure => figure.shown)
    .filter(shown => !/^\d+$/.test(shown))
  const files = globSync(['content/**/*.ts', 'site/**/*.{ts,tsx}']).filter(file => !/figures(\.test)?\.ts$/.test(file))
  const texts = files.map(file => [file, readFileSync(file, 'utf8')] as const)
  const repeated = texts.flatMap(([file, text]) =>
    distinctive.filter(shown => text.includes(shown)).map(shown => `${file}: ${shown}`),
  )
  expect(repeated).toEqual([])
})
