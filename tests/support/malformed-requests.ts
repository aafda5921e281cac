/** Random lead requests that none of our pages would send: fields, encodings, sizes, methods and headers. */
import fc from 'fast-check'
import { eligibleAnswers } from './answers.ts'
import { ada } from './lead-receiver.ts'

/** `OWN` and `QUESTIONS` are placeholders for the current versions of consent and questionnaire. */
export interface Malformed {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly chunked: boolean
}

const oneOf = (spaced: string) => fc.constantFrom(...spaced.split(' '))

const field = fc.oneof(
  fc.constantFrom(...Object.keys(ada), ''),
  oneOf('xxTrustedFormCertUrl consentVersion questionnaireVersion page campaign question-1 __proto__ constructor'),
)

const encoded = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(text => encodeURIComponent(text.toWellFormed())),
  oneOf(
    "% %zz %ff%fe %00 %ed%a0%80 + %E2%82 %252e ..%2f '-- [] {{7*7}} %0d%0aset-cookie:a 1965-02-30 0000-00-00 yes no",
  ),
  fc.constantFrom(...Object.values(ada)).map(encodeURIComponent),
  fc.nat(7000).map(length => 'x'.repeat(length)),
  fc.constant(`https://cert.trustedform.com/${'a'.repeat(40)}`).map(encodeURIComponent),
)

const pair = fc.tuple(field, encoded).map(([name, value]) => `${name}=${value}`)

/** Mostly valid, so that many pass the first checks. */
const fields = fc.oneof(
  fc.array(pair, { maxLength: 12 }).map(pairs => pairs.join('&')),
  fc.array(pair, { maxLength: 2 }).map(pairs => [new URLSearchParams(ada).toString(), ...pairs].join('&')),
  fc.array(pair, { maxLength: 2 }).map(pairs => [...pairs, new URLSearchParams(ada).toString()].join('&')),
  fc.constantFrom('&&&', '=', '?', '%', '='.repeat(5000)),
)

const latin1 = fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code === 0x7f ? 0x20 : code))
const headerValue = fc.oneof(
  fc.string({ unit: latin1, maxLength: 60 }),
  oneOf('same-origin cross-site none null prefetch * http:// http://[ ::1 99999999999999999999'),
  fc.constantFrom('https://www.example.org/?utm_source=%ff&utm_a=%00', '1.2.3.4, x', ', ,'),
)

const headerName = fc.oneof(
  oneOf('sec-fetch-site sec-purpose purpose origin referer x-forwarded-for user-agent'),
  oneOf('accept content-type x-consent-version host cookie if-none-match range'),
)

export const malformed: fc.Arbitrary<Malformed> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: oneOf('GET POST') },
    { weight: 1, arbitrary: oneOf('HEAD PUT DELETE OPTIONS PATCH TRACE PROPFIND QUERY') },
  ),
  target: fields.map(query => `/api/leads?${query}`.slice(0, 14_000)),
  headers: fc.tuple(fc.boolean(), fc.dictionary(headerName, headerValue, { maxKeys: 3 })).map(([own, headers]) => ({
    ...(own && {
      'x-consent-version': 'OWN',
      'x-questionnaire-version': 'QUESTIONS',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    }),
    ...headers,
  })),
  body: fc.oneof(
    fields,
    fields.map(text => `consentVersion=OWN&${text}`),
    fields.map(
      text => `consentVersion=OWN&questionnaireVersion=QUESTIONS&${new URLSearchParams(eligibleAnswers)}&${text}`,
    ),
    fc.nat(40_000).map(length => 'b'.repeat(length)),
  ),
  chunked: fc.boolean(),
})
