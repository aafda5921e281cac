/** A number that leads to the list behind it. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { hrefOfFilter } from '../../leads-address.ts'

export function FigureLink({
  filter,
  className = '',
  children,
}: {
  readonly filter: Parameters<typeof hrefOfFilter>[0]
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <Link
      href={hrefOfFilter(filter)}
      className={`underline decoration-edge underline-offset-4 hover:decoration-2 hover:decoration-action ${className}`}
    >
      {children}
    </Link>
  )
}
