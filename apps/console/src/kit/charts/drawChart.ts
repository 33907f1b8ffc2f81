import { BarChart, LineChart } from 'echarts/charts'
import { DataZoomComponent, GridComponent, LegendScrollComponent, TooltipComponent } from 'echarts/components'
import { init, use as register, type EChartsCoreOption } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

register([
  BarChart,
  LineChart,
  CanvasRenderer,
  DataZoomComponent,
  GridComponent,
  LegendScrollComponent,
  TooltipComponent,
])

export interface Drawing {
  readonly update: (option: EChartsCoreOption) => void
  /** The picture as a PNG data address. */
  readonly picture: (background: string) => string
  readonly dispose: () => void
}

/** Draws a chart into the element, as large as the element is and becomes. `onSelect` hears the point that was clicked. */
export function drawChart(
  element: HTMLElement,
  option: EChartsCoreOption,
  { onSelect, enlarged }: { readonly onSelect: (index: number) => void; readonly enlarged: number },
): Drawing {
  const chart = init(element, null, { renderer: 'canvas', devicePixelRatio: devicePixelRatio * Math.max(1, enlarged) })
  chart.setOption(option)
  chart.getZr().on('click', ({ offsetX, offsetY }) => {
    const at = [offsetX, offsetY]
    if (!chart.containPixel('grid', at)) return
    const [index] = chart.convertFromPixel({ gridIndex: 0 }, at)
    if (index !== undefined && Number.isFinite(index)) onSelect(Math.round(index))
  })
  const observer = new ResizeObserver(() => chart.resize())
  observer.observe(element)
  return {
    update: (next) => chart.setOption(next, { notMerge: true }),
    picture: (background) => chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: background }),
    dispose: () => {
      observer.disconnect()
      chart.dispose()
    },
  }
}
