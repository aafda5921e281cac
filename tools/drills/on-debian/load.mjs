/** Visitors who send a lead every 100 ms, through nginx. Logs the time, the answer, and the name. `load.mjs 17` sends only that one. */
import { appendFileSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })
const queries = readFileSync('/root/queries', 'utf8').split('\n')
const options = { host: '127.0.0.1', servername: 'www.acme.test', rejectUnauthorized: false, agent, timeout: 20_000 }
const page = await new Promise(resolve => get({ ...options, headers: { host: 'www.acme.test' }, path: '/' }, resolve))
const [, consent] = /name="consentVersion" value="(\w+)"/.exec(await text(page)) ?? []

function send(index, onAnswer) {
  const headers = {
    host: 'www.acme.test',
    'sec-fetch-site': 'same-origin',
    'x-consent-version': consent,
    // Leads beyond the first few from an address would be put on hold.
    'x-forwarded-for': `10.9.${index >> 8}.${index & 255}`,
  }
  return get({ ...options, headers, path: `/api/leads?${queries[index]}` }, onAnswer)
}

if (process.argv[2]) {
  const answer = await new Promise(resolve => send(Number(process.argv[2]), resolve))
  console.log(answer.statusCode, await text(answer))
  process.exit()
}
// The time makes each run's leads new.
for (let index = Math.floor((Date.now() / 100) % 15_000); index < queries.length - 10; index++) {
  const log = status => appendFileSync('/root/load.log', `${Date.now()} ${status} lead-${index}\n`)
  const request = send(index, answer => {
    answer.resume()
    log(answer.statusCode)
  })
  request.on('timeout', () => request.destroy()).on('error', ({ code }) => log(code))
  await new Promise(resolve => setTimeout(resolve, 100))
}
