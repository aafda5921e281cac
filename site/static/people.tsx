/** The people who answer the phone, each with a photo, a name, and a role. Renders nothing without photos. */
import type { Language } from '../../domain/languages.ts'
import { organization } from '../../site-folder/site.ts'
import type { SiteAssets } from './page.ts'

interface PeopleProps {
  readonly language: Language
  readonly assets: SiteAssets
  readonly className?: string
}

export function People({ language, assets, className = '' }: PeopleProps) {
  const shown = organization.people.flatMap(({ photo, ...person }) => {
    const picture = assets.photos[photo ?? '']
    return picture ? [{ ...person, picture }] : []
  })
  if (shown.length === 0) return null
  return (
    <ul className={`flex flex-wrap gap-x-8 gap-y-4 ${className}`}>
      {shown.map(({ name, role, picture: { src, srcSet } }) => (
        <li key={name} className="flex items-center gap-4">
          <img
            src={src}
            srcSet={srcSet}
            sizes="64px"
            alt=""
            width="64"
            height="64"
            loading="lazy"
            className="size-16 rounded-full object-cover"
          />
          <span>
            <strong className="block">{name}</strong>
            {role[language]}
          </span>
        </li>
      ))}
    </ul>
  )
}
