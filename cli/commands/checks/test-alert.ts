/** `test-alert`: sends one message to the alert address, marked as a test, and says what happened. */
import { postAlert } from '../../../server/alerts/post-alert.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'

export const testAlert: Command = {
  summary: 'Sends one message to the alert address, marked as a test, and says what happened.',
  usage: [''],
  about:
    'Sends {"text": "TEST: …"} to ALERT_WEBHOOK_URL just as the server would. Nothing is wrong then, and nothing is stored.\n' +
    'Look at the channel as well: an address may take a message and show it to nobody.',
  options: {},
  examples: [''],
  mostWords: 0,
  async run({ readConfig, out }) {
    const { alertUrl, siteUrl } = readConfig()
    if (alertUrl === null) throw new Failure('ALERT_WEBHOOK_URL is not set: alerts go to the log only.')
    const site = new URL(siteUrl).host
    // The path is often the address's only secret.
    const { host } = new URL(alertUrl)
    const text = `TEST: this is how alerts of ${site} look. Nothing is wrong. (leads test-alert)`
    const failure = await postAlert(alertUrl, text)
    if (failure === null) {
      await out.write(`${host} took the message. Is it in the channel?\n`)
      return exitCodes.done
    }
    await out.write(`${host} did not take the message: ${failure}. An alert would be tried again.\n`)
    return exitCodes.failed
  },
}
