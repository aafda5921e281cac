/** `npm run accept-content`: for maintainers, after a change of the delivered content that keeps to the specification. */
import { acceptAsDelivered, editedFiles } from './delivered-content.ts'

const edited = editedFiles()
acceptAsDelivered()
console.log(edited.length === 0 ? 'content/ is as delivered.' : `Delivered from now on: ${edited.join(', ')}`)
