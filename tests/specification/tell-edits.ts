/** Says at the end of the tests that content/ was edited, and what that means for them. */
import { editedFiles } from './delivered-content.ts'

export default function tellEdits(): () => void {
  const edited = editedFiles()
  return () => {
    if (edited.length === 0) return
    console.log(
      [
        `\ncontent/ differs from what was delivered: ${edited.join(', ')}.`,
        'That is fine. tests/specification/ guards the delivered defaults: where yours differ it says “Not as delivered”',
        'above and skips the check. Maintainers who changed the defaults themselves: npm run accept-content.\n',
      ].join('\n'),
    )
  }
}
