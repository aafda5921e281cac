/** Looks at the types after every change: a text that is missing or misnamed is told here before anybody sees the page. */
import { describeMistake, typeMistakes } from '../mistakes.ts'

/** An editor that saves all its files at once is one change. */
const SETTLED_MS = 300

/** Answers with what to call after a change. */
export function createTypeWatch(root: string): () => void {
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let lookAgain = false
  let told = ''

  async function look(): Promise<void> {
    if (looking) {
      lookAgain = true
      return
    }
    looking = true
    // The compiler would else take a processor from the page that is just being rendered.
    const mistakes = await typeMistakes(root, { aside: true })
    const telling = mistakes.map(each => describeMistake(each, root)).join('\n\n')
    if (telling !== '' && telling !== told) console.error(`\n${telling}\n`)
    if (telling === '' && told !== '') console.log('\n  No mistakes left.\n')
    told = telling
    looking = false
    if (lookAgain) {
      lookAgain = false
      await look()
    }
  }

  return () => {
    clearTimeout(timer)
    timer = setTimeout(look, SETTLED_MS)
  }
}
