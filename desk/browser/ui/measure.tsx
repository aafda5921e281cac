/** A bar of a share, as a picture: the number beside it says the same. */
export function Measure({ share }: { readonly share: number }) {
  return (
    <svg aria-hidden="true" className="mt-1 block h-2 w-full" preserveAspectRatio="none" viewBox="0 0 100 8">
      <rect width="100" height="8" className="fill-mist" />
      <rect width={Math.min(100, Math.max(share > 0 ? 0.8 : 0, share * 100))} height="8" className="fill-bar" />
    </svg>
  )
}
