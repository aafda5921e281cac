import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callbackTimes } from './callbacks.ts'
import { callOutcomeNames, callOutcomes, outcomeName, UNDONE } from './outcomes.ts'

test('each outcome and each time to call back has a different key', () => {
  const keys = [...Object.values(callOutcomes), ...Object.values(callbackTimes)].map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the docs list every outcome: what follows it, and its name in the webhook', () => {
  const [guide, webhook] = ['first-day', 'webhook'].map(page => readFileSync(`docs/${page}.md`, 'utf8'))
  const table = guide?.split('| What happened')[1]?.split('\n\n')[0] ?? ''
  const rows = [...table.matchAll(/^\| ([A-Z][^|]*?) +\|/gm)].map(([, label]) => label)
  expect(rows).toEqual(callOutcomeNames.map(name => callOutcomes[name].label))
  const names = [...(/^- `outcome`: (.*)\.$/m.exec(webhook ?? '')?.[1] ?? '').matchAll(/`([^`]+)`/g)]
  expect(names.map(([, name]) => name)).toEqual([...callOutcomeNames, UNDONE])
})

test('what someone said counts on all their numbers, but a wrong number says nothing about the others', () => {
  const everywhere = callOutcomeNames.filter(name => callOutcomes[name].answersOtherNumbers)
  expect(everywhere).toEqual(['going ahead', 'not interested', 'never call again'])
})

test('every stored outcome has a label', () => {
  expect(['voicemail', 'not reached', 'undone', 'not called'].map(outcomeName)).toEqual([
    'Left voicemail',
    'Not reached',
    'Undone',
    'Didn’t call',
  ])
})
