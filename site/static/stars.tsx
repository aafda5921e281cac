/** Five stars as one picture with one label. */
import { Icon } from './icon.tsx'

const places = ['first', 'second', 'third', 'fourth', 'fifth']

export function Stars({ label }: { label: string }) {
  return (
    <span role="img" aria-label={label} className="inline-flex flex-wrap gap-0.5 text-amber-edge *:fill-current">
      {places.map(place => (
        <Icon key={place} name="star" className="size-5" />
      ))}
    </span>
  )
}
