/**
 * Tests for the delivered defaults: the specification's own text and figures. Once an operator has edited content/, a
 * failed check is logged and skipped. With SPECIFICATION=strict, as in CI, it still fails.
 */
import { test } from 'vitest'
import { mayDiffer } from './delivered-content.ts'

export function specified(name: string, check: () => void | Promise<void>): void {
  test(name, async ({ skip }) => {
    try {
      await check()
    } catch (error) {
      if (!mayDiffer()) throw error
      const [difference = ''] = (error as Error).message.split('\n')
      console.warn(`Not as delivered: ${name}. ${difference}`)
      skip('content/ was edited')
    }
  })
}
