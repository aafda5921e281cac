/** Path: / → two answers → another tab: the page reports which question was reached, once, and nothing else. */
import { expect, test } from './visitor.ts'

test('a page that is left reports which question was reached, and no answers', async ({ visitor, page }) => {
  const reports: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/progress')) {
      reports.push(`${request.method()} ${new URL(request.url()).search} ${request.postData() ?? ''}`.trim())
    }
  })
  const hide = () =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
  await visitor.open('/?utm_source=news')
  await visitor.ready()
  await visitor.answer(true)
  await expect(visitor.question(2)).toBeVisible()
  await visitor.answer(true)
  await expect(visitor.question(3)).toBeVisible()
  expect(reports).toEqual([])
  await hide()
  await expect.poll(() => reports).toEqual(['POST ?from=0&to=3'])
  await hide()
  await visitor.answer(true)
  await expect(visitor.question(4)).toBeVisible()
  await hide()
  await expect.poll(() => reports).toEqual(['POST ?from=0&to=3', 'POST ?from=3&to=4'])
})
