/** One of our pictures. It is fetched after the words are painted, and its size is known, so nothing moves when it comes. */
import type { SiteAssets } from '../page.ts'

export type PictureName = keyof SiteAssets['pictures']

interface PictureProps {
  readonly of: PictureName
  readonly assets: SiteAssets
  /** Empty where the words beside it say the same. */
  readonly alt: string
  readonly className?: string
  /** How wide it stands on the page, for a photo, of which there are several sizes. */
  readonly sizes?: string
}

export function Picture({ of, assets, alt, className = '', sizes = '(min-width: 64rem) 36rem, 100vw' }: PictureProps) {
  const { src, srcSet, width, height } = assets.pictures[of]
  return (
    <img
      src={src}
      {...(srcSet === undefined ? {} : { srcSet, sizes })}
      alt={alt}
      width={width}
      height={height}
      loading="lazy"
      fetchPriority="low"
      className={`h-auto w-full print:hidden ${className}`}
    />
  )
}
