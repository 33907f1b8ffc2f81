import type { ReactNode } from 'react'
import { sparkOption } from './chartOption.ts'
import { useOption } from './useDrawing.ts'
import './charts.css'

interface Props {
  readonly label: string
  readonly values: readonly number[]
  /** Drawn as a dashed line; values beyond it are too many. */
  readonly limit?: number | null
}

/** A curve as high as a line of text, drawn by Apache ECharts; its span in words. */
export function Sparkline({ label, values, limit = null }: Props): ReactNode {
  const { host } = useOption({ optionOf: (colours) => sparkOption({ values, limit }, colours), of: [values, limit] })
  if (values.length < 2) return null
  const words = `${label}: ${Math.min(...values)}–${Math.max(...values)}`
  return (
    <div className="sparkline" title={words}>
      <span className="visually-hidden">{words}</span>
      <div ref={host} aria-hidden="true" />
    </div>
  )
}
