/** One of our drawings. It is fetched after the words are painted, and its size is known, so nothing moves when it comes. */
import type { SiteAssets } from '../page.ts'

export type PictureName = keyof SiteAssets['pictures']

const sizes: Readonly<Record<PictureName, readonly [width: number, height: number]>> = {
  advocate: [560, 440],
  papers: [640, 460],
  seniors: [1200, 630],
  shoulder: [640, 520],
}

interface PictureProps {
  readonly of: PictureName
  readonly assets: SiteAssets
  /** Empty where the words beside it say the same. */
  readonly alt: string
  readonly className?: string
}

export function Picture({ of, assets, alt, className = '' }: PictureProps) {
  const [width, height] = sizes[of]
  return (
    <img
      src={assets.pictures[of]}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      fetchPriority="low"
      className={`h-auto w-full print:hidden ${className}`}
    />
  )
}
