import { expect, test } from 'vitest'
import { explainFailure } from './states.tsx'

test('why a delivery failed is said in words, with the code for the administrator of the CRM', () => {
  expect(['the webhook answered 503', 'answered 422', 'host name not found'].map(explainFailure)).toEqual([
    'Your CRM wasn’t working (error 503)',
    'Your CRM refused the lead (error 422)',
    'Hostname not found',
  ])
})
