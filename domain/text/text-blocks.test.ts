import { expect, test } from 'vitest'
import { markdownOf } from './text-blocks.ts'

test('is shown as it’s written, with links and marks', () => {
  const link = { is: 'link', to: '/stop', words: ['here'] } as const
  const items = [[{ is: 'line', words: ['One'] }], [{ is: 'line', words: [{ is: 'strong', words: ['Two'] }] }]] as const
  expect(
    markdownOf([
      { is: 'heading', level: 2, words: ['Help'] },
      { is: 'paragraph', words: ['Ask ', link, ', ', { is: 'em', words: ['now'] }, '.'] },
      { is: 'list', start: 3, items },
      { is: 'list', start: null, items },
    ]),
  ).toEqual(['## Help', 'Ask [here](/stop), *now*.', '3. One', '4. **Two**', '- One', '- **Two**'])
})
