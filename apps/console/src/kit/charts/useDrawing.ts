import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loadChunk } from '#kit/chunk.tsx'
import { useTheme } from '#kit/theme/settings.ts'
import type { EChartsCoreOption } from 'echarts/core'
import { chartOption, readChartColours, type ChartColours, type ChartData } from './chartOption.ts'
import type { drawChart, Drawing } from './drawChart.ts'

type Look = Omit<Parameters<typeof chartOption>[1], 'isStill'>

interface Drawn {
  /** The ref of the element to draw into. */
  readonly host: (element: HTMLDivElement | null) => void
  readonly hasFailed: boolean
  readonly picture: () => string | null
}

/** A chart of the data. */
export function useDrawing(options: {
  readonly data: ChartData
  readonly look: Look
  readonly onSelect?: ((index: number) => void) | undefined
  readonly enlarged?: number
}): Drawn {
  const { data, look, onSelect, enlarged } = options
  const optionOf = (colours: ChartColours): EChartsCoreOption => {
    const isStill = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches
    return chartOption(data, { ...look, isStill }, colours)
  }
  return useOption({ optionOf, of: [data, look], onSelect, enlarged })
}

/** Fetches the drawing code when the element first comes into view, and keeps the drawing equal to the data and the theme. */
export function useOption(options: {
  readonly optionOf: (colours: ChartColours) => EChartsCoreOption
  /** What the option is made of. */
  readonly of: readonly unknown[]
  readonly onSelect?: ((index: number) => void) | undefined
  readonly enlarged?: number | undefined
}): Drawn {
  const { optionOf, of, onSelect, enlarged = 1 } = options
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const drawing = useRef<Drawing>(null)
  const [draw, setDraw] = useState<{ readonly chart: typeof drawChart } | 'failed' | null>(null)
  const { appearance, primaryColor } = useTheme()

  useEffect(() => {
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        loadChunk(() => import('./drawChart.ts')).then(
          (chunk) => setDraw({ chart: chunk.drawChart }),
          () => setDraw('failed'),
        )
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])

  const select = useEffectEvent((index: number) => onSelect?.(index))
  const optionNow = (at: Element): EChartsCoreOption => optionOf(readChartColours(at))
  const firstOption = useEffectEvent(optionNow)

  useEffect(() => {
    if (element === null || draw === null || draw === 'failed') return
    const drawn = draw.chart(element, firstOption(element), { onSelect: (index) => select(index), enlarged })
    drawing.current = drawn
    return () => {
      drawing.current = null
      drawn.dispose()
    }
  }, [draw, element, enlarged])

  // Pages make the arrays anew at each rendering; the key changes with what they hold.
  const key = JSON.stringify([of, appearance, primaryColor])
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key || element === null) return
    shown.current = key
    drawing.current?.update(optionNow(element))
  })

  return {
    host: setElement,
    hasFailed: draw === 'failed',
    picture: () => (element === null ? null : (drawing.current?.picture(readChartColours(element).paper) ?? null)),
  }
}
