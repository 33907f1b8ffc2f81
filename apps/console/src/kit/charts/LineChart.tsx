import { useId, useState, type PointerEvent, type ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import './charts.css'

interface Props {
  readonly title: string
  readonly unit: string
  /** Labels of the x axis. */
  readonly labels: readonly string[]
  /** Null: no data; the line has a gap there. */
  readonly values: readonly (number | null)[]
  readonly min?: number
  readonly max?: number
  readonly digits?: number
  /** The previous span of the same length, drawn faintly behind. */
  readonly before?: readonly (number | null)[]
}

const box = { width: 300, height: 110, top: 8, bottom: 18 } as const

/** A small line over time. The value under the pointer is told in words; a screen reader gets first, last and extremes. */
export function LineChart({ title, unit, labels, values, min, max, digits = 0, before }: Props): ReactNode {
  const [at, setAt] = useState<number | null>(null)
  const id = useId()
  const told = values.filter((value) => value !== null)
  const all = [...told, ...(before ?? []).filter((value) => value !== null)]
  const low = min ?? Math.min(...all)
  const high = Math.max(max ?? Math.max(0, ...all), low + 1)
  const x = (index: number): number => (values.length < 2 ? 0 : (index / (values.length - 1)) * box.width)
  const y = (value: number): number =>
    box.top + (1 - (value - low) / (high - low)) * (box.height - box.top - box.bottom)
  const words = (value: number | null | undefined): string =>
    value === null || value === undefined ? emptyText : `${value.toFixed(digits)}${unit}`
  const latest = values.findLastIndex((value) => value !== null)
  const shown = at ?? latest
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const area = event.currentTarget.getBoundingClientRect()
    const part = (event.clientX - area.left) / Math.max(1, area.width)
    setAt(Math.min(values.length - 1, Math.max(0, Math.round(part * (values.length - 1)))))
  }
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span>{title}</span>
        <b>{words(values[shown])}</b>
        <small>{labels[shown] ?? ''}</small>
      </figcaption>
      {told.length === 0 ? (
        <p className="chart-none">{t('这段时间没有数据')}</p>
      ) : (
        <svg
          viewBox={`0 0 ${box.width} ${box.height}`}
          preserveAspectRatio="none"
          aria-label={t('{{title}}：最低 {{low}}，最高 {{high}}，最近 {{last}}', {
            title,
            low: words(Math.min(...told)),
            high: words(Math.max(...told)),
            last: words(values[latest]),
          })}
          onPointerMove={move}
          onPointerLeave={() => setAt(null)}
        >
          <path className="chart-base" d={`M0 ${y(low)}H${box.width}`} />
          {before !== undefined && <path className="chart-before" d={pathOf(before, x, y)} />}
          <path className="chart-line" d={pathOf(values, x, y)} />
          {at !== null && <path className="chart-cursor" d={`M${x(at)} ${box.top}V${box.height - box.bottom}`} />}
        </svg>
      )}
      <div className="chart-ends" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </div>
    </figure>
  )
}

function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = ''
  let isDown = false
  for (const [index, value] of values.entries()) {
    if (value === null) isDown = false
    else {
      // A value between two gaps is a dot: a line of no length with round ends.
      path += `${isDown ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${isDown ? '' : 'h0'}`
      isDown = true
    }
  }
  return path
}
