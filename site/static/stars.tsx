/** Five stars as one picture with one label. */
const STAR = 'l3 6.5 7 .8-5.2 4.8 1.4 7-6.2-3.5-6.2 3.5 1.4-7-5.2-4.8 7-.8z'

export function Stars({ label }: { label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 124 22"
      className="h-5 w-28 max-w-full fill-amber-edge in-[footer]:fill-amber"
    >
      <path d={[12, 37, 62, 87, 112].map(center => `M${center} 1${STAR}`).join('')} />
    </svg>
  )
}
