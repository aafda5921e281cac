/** A picture. It loads after the text is painted and has a known size, so nothing moves when it appears. */
import type { SiteAssets } from '../page.ts'

export type PictureName = keyof SiteAssets['pictures']

interface PictureProps {
  readonly of: PictureName
  readonly assets: SiteAssets
  /** Empty if the text next to it says the same thing. */
  readonly alt: string
  readonly className?: string
  /** The width on the page, so the browser can choose one of a photo's sizes. */
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
