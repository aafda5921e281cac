/**
 * Bars over time with their running average. To a screen reader it is one picture with its sentence; every bar can be
 * pressed with a pointer, and the table behind it (ChartWithTable) has the same links for everybody.
 */
import { scaleBand, scaleLinear } from 'd3-scale'
import { curveMonotoneX, line } from 'd3-shape'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useRoom } from './use-room.ts'

export interface Bar {
  readonly key: string
  /** Below the axis, where there is room. */
  readonly label: string
  /** In full, when pointed at. */
  readonly title: string
  readonly value: number
  readonly href: string
  /** Not over yet: dashed, and out of the average. */
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
  const [pointed, setPointed] = useState<Bar | null>(null)
  const [, navigate] = useLocation()
  const x = scaleBand<string>()
    .domain(bars.map(({ key }) => key))
    .range([left, Math.max(left + 1, width - MARGIN.right)])
    .paddingInner(0.28)
  const y = scaleLinear()
    .domain([0, Math.max(4, ...bars.map(({ value }) => value))])
    .nice(4)
    .range([HEIGHT - bottom, MARGIN.top * enlarged])
  const base = y(0)
  const middle = (key: string) => (x(key) ?? 0) + x.bandwidth() / 2
  const average = line<{ readonly key: string; readonly mean: number }>()
    .x(({ key }) => middle(key))
    .y(({ mean }) => y(mean))
    .curve(curveMonotoneX)(means(bars))
  // Every so many labels that none touches the next.
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, Math.floor(width / (LABEL_WIDTH * enlarged)))))
  return (
    <div ref={ref} className="relative">
      {width === 0 ? (
        <div style={{ height: HEIGHT }} />
      ) : (
        <svg role="img" aria-label={summary} width={width} height={HEIGHT} className="block overflow-visible">
          {y.ticks(4).map(tick => (
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
                x={x(bar.key)}
                width={x.bandwidth()}
                y={Math.min(y(bar.value), base - (bar.value > 0 ? 2 : 0))}
                height={Math.max(base - y(bar.value), bar.value > 0 ? 2 : 0)}
                rx={Math.min(3, x.bandwidth() / 3)}
                strokeDasharray={bar.unfinished ? '4 3' : undefined}
                strokeWidth={bar.unfinished ? 2 : 0}
                // In forced colours hollow, so that the line is seen before them.
                className={`stroke-bar forced-colors:stroke-1 ${bar.unfinished ? 'fill-bar-soft' : pointed?.key === bar.key ? 'fill-action-strong' : 'fill-bar forced-colors:fill-bar-soft'}`}
              />
              {(bars.length - 1 - index) % every === 0 ? (
                <text
                  x={middle(bar.key)}
                  y={HEIGHT - 6}
                  textAnchor={index === bars.length - 1 ? 'end' : 'middle'}
                  dx={index === bars.length - 1 ? x.bandwidth() / 2 : 0}
                  className="fill-ink-soft text-tiny"
                >
                  {bar.label}
                </text>
              ) : null}
              {/* The whole height can be pressed, so that a small bar is no small target. */}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: for pointers; the table has the links. */}
              <rect
                x={(x(bar.key) ?? 0) - (x.step() - x.bandwidth()) / 2}
                width={x.step()}
                y={0}
                height={HEIGHT}
                className="cursor-pointer fill-transparent"
                onPointerEnter={() => setPointed(bar)}
                onPointerLeave={() => setPointed(null)}
                onClick={() => navigate(bar.href)}
              />
            </g>
          ))}
          {average ? (
            <path d={average} className="pointer-events-none fill-none stroke-amber-edge" strokeWidth={2.5} />
          ) : null}
        </svg>
      )}
      {pointed ? (
        <p
          aria-hidden
          className="pointer-events-none absolute top-0 rounded-lg border border-line bg-raised px-2.5 py-1 text-small font-bold shadow-raised"
          style={
            middle(pointed.key) > width / 2
              ? { right: width - middle(pointed.key) + 10 }
              : { left: middle(pointed.key) + 10 }
          }
        >
          {pointed.title}
        </p>
      ) : null}
    </div>
  )
}

function means(bars: readonly Bar[]): { readonly key: string; readonly mean: number }[] {
  const finished = bars.filter(({ unfinished }) => !unfinished)
  return finished.slice(AVERAGE_OF - 1).map(({ key }, index) => ({
    key,
    mean: finished.slice(index, index + AVERAGE_OF).reduce((sum, { value }) => sum + value, 0) / AVERAGE_OF,
  }))
}
