import { expect, test } from 'vitest'
import type { ReviewedText } from '../../../domain/text/text-blocks.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'

const text = (name: string, words: string): ReviewedText => ({
  name,
  legalName: 'Acme LLC',
  blocks: [{ is: 'paragraph', words: [words, { is: 'link', to: 'stop', words: ['/stop'] }] }],
})

onEachEngine('reviewed texts', ({ store, change }) => {
  test('keeps every version, later ones last', async () => {
    const [first, second, other] = [text('consent.en', 'b'), text('consent.en', 'a'), text('consent.es', 'c')]
    await store.saveReviewedTexts([first])
    await change('UPDATE reviewed_texts SET saved_at = saved_at - 1000')
    await store.saveReviewedTexts([second, other])
    await store.saveReviewedTexts([first, second])
    const kept = await store.reviewedTexts()
    expect(kept[0]).toEqual(first)
    expect(kept).toHaveLength(3)
    expect(kept).toEqual(expect.arrayContaining([second, other]))
  })
})
