import { expect, test } from 'vitest'
import { fullName } from './names.tsx'

test('a first name can’t turn the last one around; Arabic and Persian names stay as they are', () => {
  expect(fullName({ firstName: 'Ann\u202e', lastName: '  Lee' })).toBe('Ann Lee')
  expect(fullName({ firstName: 'علی\u200cرضا', lastName: 'حسینی' })).toBe('علی\u200cرضا حسینی')
})
