/** Path: / for the first time → painted in fonts that the visitor has → the text's typeface arrives and takes over. */
import { eventually, test } from './visitor.ts'

test('the text of a first page is set in its typeface, since nothing moves by it', async ({ visitor, engine }) => {
  test.skip(engine !== 'webkit', 'Safari’s engine is the one that refused it, and that most visitors have.')
  await visitor.open('/')
  // A typeface by which something would move is taken out again in the same task: it is never seen here.
  const families = () => visitor.look(() => Array.from(document.fonts, ({ family }) => family))
  await eventually(families).toContain('Atkinson')
})
