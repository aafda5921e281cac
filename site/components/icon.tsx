/**
 * The few icons that browser code uses: lucide's drawings without its code, which is larger than the drawings. They always
 * appear next to text, so screen readers skip them.
 */
const drawings = {
  alert: 'M12 8v4m0 4h.01M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0',
  check: 'M20 6 9 17l-5-5',
  close: 'M18 6 6 18M6 6l12 12',
  lock: 'M12 16h.01M7 10V7a5 5 0 0 1 10 0v3M5 10h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2',
  spinner: 'M21 12a9 9 0 1 1-6.2-8.6',
} as const

export function Icon({ name, className = 'size-6' }: { name: keyof typeof drawings; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'check' ? 3 : 2}
      strokeLinecap="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={drawings[name]} />
    </svg>
  )
}
