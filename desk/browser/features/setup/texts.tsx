/** What each text of the site is called, for people who edit the organization's folder. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type SiteText, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/placeholders.tsx'

/** More than anyone reads. */
const MOST = 50

export function Texts() {
  const [wanted, setWanted] = useState('')
  const words = wanted.trim().toLowerCase()
  const texts = useQuery({
    queryKey: queryKeys.texts,
    queryFn: ({ signal }) => unwrap(api.setup.texts.$get({}, { init: { signal } })),
  })
  return (
    <Card title="Texts" note="To change one, add its section and name to the file in your site’s folder.">
      <TextField
        label="Find a text"
        hint="Words as they are on the site, or a name."
        type="search"
        autoComplete="off"
        value={wanted}
        onChange={event => setWanted(event.target.value)}
      />
      <Loaded query={texts} what="the texts">
        {all => (words === '' ? <Changed texts={all} /> : <Found texts={all.filter(text => hasWords(text, words))} />)}
      </Loaded>
    </Card>
  )
}

const hasWords = ({ file, section, name, original, own, shown }: SiteText, words: string) =>
  plain(`${file} [${section}] ${section}.${name} ${original ?? ''}\n${own ?? ''}\n${shown ?? ''}`).includes(
    plain(words),
  )

/** As people type it. */
const plain = (text: string) => text.toLowerCase().replaceAll('’', "'")

/** After an upgrade, until the folder says that someone has read them. */
function Changed({ texts }: { readonly texts: readonly SiteText[] }) {
  const changed = texts.filter(({ before }) => before !== null)
  return changed.length === 0 ? null : (
    <>
      <p className="mt-3">
        These originals have changed. When you have read them, write the new version into <code>checked-with</code> in
        organization.toml.
      </p>
      <Found texts={changed} />
    </>
  )
}

function Found({ texts }: { readonly texts: readonly SiteText[] }) {
  return (
    <>
      <p className="my-2 text-small text-ink-soft" role="status">
        {texts.length} found.{texts.length > MOST ? ` The first ${MOST} are shown.` : ''}
      </p>
      <ul>
        {texts.slice(0, MOST).map(({ file, section, name, original, before, own, shown }) => (
          <li key={`${file} ${section} ${name}`} className="border-t border-line py-2">
            <p className="font-mono text-small text-ink-soft">
              {file}: {section === '' ? '' : `[${section}] `}
              {name}
            </p>
            {own === null ? null : <p className="font-bold">{own}</p>}
            {shown === null || shown === (own ?? original) ? null : <p className="line-clamp-4">Shown: {shown}</p>}
            {original === null ? null : <p>{own === null ? original : `Original: ${original}`}</p>}
            {before === null ? null : <p className="text-ink-soft">Before: {before}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}
