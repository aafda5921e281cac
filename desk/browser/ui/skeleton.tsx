/** Grey shapes where something is about to be, so that nothing jumps when it arrives. Read out once, as "Loading". */

export function Skeleton({ className = 'h-5 w-full' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block animate-breathe rounded-md bg-line/45 ${className}`} />
}

export function LoadingText({ what }: { readonly what: string }) {
  return (
    <span role="status" className="sr-only">
      Loading {what} …
    </span>
  )
}
