/**
 * Bars over time with their running average, a chart with its table, and the bar beside a number. For screen readers a chart
 * is one picture with a sentence; every bar can be clicked, and the table has the same links for everyone.
 */
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { navigate } from '../router.tsx'
import { Button } from './button.tsx'
import { Card } from './card.tsx'

export interface Bar {
  readonly key: string
  /** Below the axis, if there is room. */
  readonly label: string
  /** In full, when pointed at. */
  readonly title: string
  readonly value: number
  readonly href: string
  /** Not over yet: dashed, and not in the average. */
  readonly unfinished: boolean
}

const HEIGHT = 220
const MARGIN = { top: 14, right: 2, bottom: 26, left: 34 }
const LABEL_WIDTH = 76
const AVERAGE_OF = 7

export function BarChart({ bars, summary }: { readonly bars: readonly Bar[]; readonly summary: string }) {
  const [ref, { width, enlarged }] = useRoom<HTMLDivElement>()
  const left = MARGIN.left * enlarged
  const bottom = MARGIN.bottom * enlarged
  const [pointed, setPointed] = useState<number | null>(null)
  const step = Math.max(1, width - MARGIN.right - left) / Math.max(1, bars.length)
  const barWidth = step * 0.75
  const x = (index: number) => left + index * step
  const middle = (index: number) => x(index) + barWidth / 2
  const ticks = ticksUpTo(Math.max(4, ...bars.map(({ value }) => value)))
  const base = HEIGHT - bottom
  const y = (value: number) => base - (value / (ticks.at(-1) ?? 1)) * (base - MARGIN.top * enlarged)
  const average = means(bars).map(([index, mean], at) => `${at === 0 ? 'M' : 'L'}${middle(index)},${y(mean)}`)
  // As many labels as fit.
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, Math.floor(width / (LABEL_WIDTH * enlarged)))))
  return (
    <div ref={ref} className="relative">
      {width === 0 ? (
        <div style={{ height: HEIGHT }} />
      ) : (
        <svg role="img" aria-label={summary} width={width} height={HEIGHT} className="block overflow-visible">
          {ticks.map(tick => (
            <g key={tick}>
              <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
              <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-ink-soft text-tiny">
                {tick}
              </text>
            </g>
          ))}
          {bars.map((bar, index) => (
            <g key={bar.key}>
              <rect
                x={x(index)}
                width={barWidth}
                y={Math.min(y(bar.value), base - (bar.value > 0 ? 2 : 0))}
                height={Math.max(base - y(bar.value), bar.value > 0 ? 2 : 0)}
                rx={Math.min(3, barWidth / 3)}
                strokeDasharray={bar.unfinished ? '4 3' : undefined}
                strokeWidth={bar.unfinished ? 2 : 0}
                // Hollow in forced colors, so that the line stays visible.
                className={`stroke-bar forced-colors:stroke-1 ${bar.unfinished ? 'fill-bar-soft' : pointed === index ? 'fill-action-strong' : 'fill-bar forced-colors:fill-bar-soft'}`}
              />
              {(bars.length - 1 - index) % every === 0 ? (
                <text
                  x={middle(index)}
                  y={HEIGHT - 6}
                  textAnchor={index === bars.length - 1 ? 'end' : 'middle'}
                  dx={index === bars.length - 1 ? barWidth / 2 : 0}
                  className="fill-ink-soft text-tiny"
                >
                  {bar.label}
                </text>
              ) : null}
              {/* The whole height can be clicked, however small the bar. */}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers; the table has the links. */}
              <rect
                x={x(index) - (step - barWidth) / 2}
                width={step}
                y={0}
                height={HEIGHT}
                className="cursor-pointer fill-transparent"
                onPointerEnter={() => setPointed(index)}
                onPointerLeave={() => setPointed(null)}
                onClick={() => navigate(bar.href)}
              />
            </g>
          ))}
          {average.length > 0 ? (
            <path d={average.join('')} className="pointer-events-none fill-none stroke-amber-edge" strokeWidth={2.5} />
          ) : null}
        </svg>
      )}
      {pointed === null ? null : (
        <p
          aria-hidden
          className="pointer-events-none absolute top-0 rounded-lg border border-line bg-raised px-2.5 py-1 text-small font-bold shadow-raised"
          style={middle(pointed) > width / 2 ? { right: width - middle(pointed) + 10 } : { left: middle(pointed) + 10 }}
        >
          {bars[pointed]?.title}
        </p>
      )}
    </div>
  )
}

/** Four or five round numbers, from zero to at least the highest value. */
function ticksUpTo(highest: number): readonly number[] {
  const magnitude = 10 ** Math.floor(Math.log10(highest / 4))
  const step = [1, 2, 5, 10].map(each => each * magnitude).find(each => each * 5 >= highest) ?? highest
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

/** The running average by the index of its last bar. */
function means(bars: readonly Bar[]): (readonly [index: number, mean: number])[] {
  const values = bars.filter(({ unfinished }) => !unfinished).map(({ value }) => value)
  return values.slice(AVERAGE_OF - 1).map((_, index) => {
    const sum = values.slice(index, index + AVERAGE_OF).reduce((total, value) => total + value, 0)
    return [index + AVERAGE_OF - 1, sum / AVERAGE_OF]
  })
}

interface ChartWithTableProps {
  readonly title: string
  /** About the chart: the table needs no legend. */
  readonly note: ReactNode
  readonly chart: ReactNode
  readonly table: ReactNode
}

export function ChartWithTable({ title, note, chart, table }: ChartWithTableProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      className="h-full"
      title={title}
      note={asTable ? undefined : note}
      aside={
        <Button kind="quiet" className="-my-2 px-2 text-small" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      }
    >
      {asTable ? table : chart}
    </Card>
  )
}

export function Measure({ share }: { readonly share: number }) {
  return (
    <svg aria-hidden="true" className="mt-1 block h-2 w-full" preserveAspectRatio="none" viewBox="0 0 100 8">
      <rect width="100" height="8" className="fill-mist" />
      <rect width={Math.min(100, Math.max(share > 0 ? 0.8 : 0, share * 100))} height="8" className="fill-bar" />
    </svg>
  )
}

interface Room {
  readonly width: number
  /** How often larger the text is than browsers have it by themselves. */
  readonly enlarged: number
}

const USUAL_PX = 16

function useRoom<E extends Element>(): readonly [ref: RefObject<E | null>, room: Room] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  const [enlarged, setEnlarged] = useState(1)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      setWidth(element.clientWidth)
      setEnlarged(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // It grows with the text, which need not change the width of anything.
    observer.observe(document.documentElement)
    return () => observer.disconnect()
  }, [])
  return [ref, { width, enlarged }] as const
}
