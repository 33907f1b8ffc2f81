import type { EChartsCoreOption } from 'echarts/core'
import { emptyText } from '@saddle/contract/constants.ts'

export type ChartTone = 'accent' | 'good' | 'warn' | 'bad' | 'info' | 'quiet'

export interface ChartSeries {
  readonly name: string
  /** One for each label. Null: no data; a line has a gap there. */
  readonly values: readonly (number | null)[]
  readonly unit?: string
  /** Decimal places. */
  readonly digits?: number
  readonly kind?: 'line' | 'area' | 'bar'
  readonly axis?: 'left' | 'right'
  /** Series of one name stand on each other. */
  readonly stack?: string
  readonly tone?: ChartTone
  /** A previous span of the same length: drawn faintly and dashed. */
  readonly isBefore?: boolean
}

export interface ChartData {
  /** Names of the points on the x axis. */
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly min?: number
  readonly max?: number
  /** The first point whose time is not over: what is known of it is drawn hollow, apart from whole values. */
  readonly openFrom?: number | undefined
}

interface Look {
  /** A chart of one series in a narrow column: no legend, few labels. */
  readonly isCompact?: boolean
  /** A slider below the chart and the wheel choose a part of the x axis. */
  readonly hasZoom?: boolean
  /** Behind a value whose time is not over. */
  readonly openWord?: string
  /** Times the size of text and lines; a screen on a wall is read from afar. */
  readonly scale?: number
  readonly isStill?: boolean
}

export interface ChartColours {
  readonly ink: string
  readonly faint: string
  readonly line: string
  readonly paper: string
  readonly font: string
  readonly tones: Readonly<Record<ChartTone, string>>
}

/** The order in which series without a tone take one. */
const toneOrder: readonly ChartTone[] = ['accent', 'warn', 'good', 'bad', 'info', 'quiet']
/** Lines differ without colour too. */
const dashes = ['solid', [6, 3], [2, 2], [8, 3, 2, 3]] as const

/** A value with its unit; the sign of a currency stands before the amount. */
export function chartValueText(value: number | null | undefined, unit = '', digits = 0): string {
  if (value === null || value === undefined) return emptyText
  const text = value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === '¥' ? `${unit}${text}`.replace('¥-', '-¥') : `${text}${unit}`
}

/** What Apache ECharts draws. Pure: colours come from the theme's style sheet by `readChartColours`. */
export function chartOption(data: ChartData, look: Look, colours: ChartColours): EChartsCoreOption {
  const { isCompact = false, hasZoom = false, scale = 1, isStill = false } = look
  const size = 12 * scale
  const text = { color: colours.faint, fontSize: size, fontFamily: colours.font }
  const hasRight = data.series.some(({ axis }) => axis === 'right')
  const hasLegend = !isCompact && data.series.length > 1
  return {
    animation: !isStill,
    animationDuration: 300,
    animationDurationUpdate: 300,
    textStyle: { fontFamily: colours.font },
    aria: { enabled: false },
    grid: {
      left: 4 * scale,
      right: (hasRight ? 4 : 12) * scale,
      top: (hasLegend ? 32 : 10) * scale,
      bottom: (hasZoom ? 38 : 4) * scale,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      show: hasLegend,
      data: data.series.map(({ name }) => name),
      type: 'scroll',
      left: 0,
      top: 0,
      itemWidth: 18 * scale,
      itemHeight: 8 * scale,
      textStyle: { ...text, color: colours.ink },
      pageTextStyle: text,
      pageIconColor: colours.ink,
    },
    // Drawn on the canvas: the page's content security policy forbids markup with styles.
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: colours.paper,
      borderColor: colours.line,
      padding: 8 * scale,
      textStyle: { color: colours.ink, fontSize: size, fontFamily: colours.font },
      axisPointer: { type: data.series.every(({ kind }) => kind === 'bar') ? 'shadow' : 'line' },
    },
    xAxis: {
      type: 'category',
      data: [...data.labels],
      boundaryGap: data.series.some(({ kind }) => kind === 'bar'),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colours.line } },
      axisLabel: {
        ...text,
        formatter: axisText,
        hideOverlap: true,
        showMinLabel: true,
        showMaxLabel: true,
        alignMinLabel: 'left',
        alignMaxLabel: 'right',
      },
    },
    yAxis: [
      valueAxis(data, text, colours, isCompact ? 2 : 4),
      ...(hasRight
        ? [
            {
              ...valueAxis({}, text, colours, 4),
              splitLine: { show: false },
            },
          ]
        : []),
    ],
    dataZoom: hasZoom
      ? [
          { type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false, moveOnMouseMove: true },
          {
            type: 'slider',
            height: 20 * scale,
            bottom: 4,
            borderColor: colours.line,
            textStyle: text,
            brushSelect: false,
          },
        ]
      : [],
    series: data.series.flatMap((one, index) => seriesOptions(one, index, { data, look, colours })),
  }
}

/** Days of an axis stand without their year; the tooltip and the table have it. */
export const axisText = (label: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(label) ? label.slice(5) : label)

function valueAxis(
  { min, max }: Pick<ChartData, 'min' | 'max'>,
  text: object,
  colours: ChartColours,
  splitNumber: number,
): object {
  return {
    type: 'value',
    splitNumber,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    splitLine: { lineStyle: { color: colours.line } },
    axisLabel: { ...text, formatter: (value: number) => value.toLocaleString() },
  }
}

interface Drawn {
  readonly data: ChartData
  readonly look: Look
  readonly colours: ChartColours
}

/** A series as it is drawn: a line goes on, dashed, to what is not over. */
function seriesOptions(one: ChartSeries, index: number, { data, look, colours }: Drawn): object[] {
  const { kind = 'line', isBefore = false, unit, digits, values } = one
  const { scale = 1, openWord = '' } = look
  const openFrom = isBefore ? undefined : openIndex(data, values)
  const colour = isBefore ? colours.faint : colours.tones[one.tone ?? toneOrder[index % toneOrder.length] ?? 'accent']
  const base = {
    name: one.name,
    type: kind === 'bar' ? 'bar' : 'line',
    yAxisIndex: one.axis === 'right' ? 1 : 0,
    ...(one.stack !== undefined && { stack: one.stack }),
    color: colour,
    tooltip: {
      // Of the values that were given: those that are not over are drawn by another series.
      valueFormatter: (_value: unknown, at: number) =>
        `${chartValueText(values[at], unit, digits)}${openFrom !== undefined && at >= openFrom ? openWord : ''}`,
    },
  }
  if (kind === 'bar') {
    const hollow = { color: 'transparent', borderColor: colour, borderWidth: 1.5 * scale, borderType: 'dashed' }
    return [
      {
        ...base,
        data: values.map((value, at) =>
          openFrom !== undefined && at >= openFrom ? { value, itemStyle: hollow } : value,
        ),
        barMaxWidth: 28 * scale,
        itemStyle: { borderRadius: one.stack === undefined ? [3, 3, 0, 0] : 0, opacity: isBefore ? 0.45 : 1 },
      },
    ]
  }
  const line = {
    ...base,
    symbol: 'circle',
    symbolSize: 5 * scale,
    z: isBefore ? 1 : 2,
    ...(kind === 'area' && { areaStyle: { opacity: 0.12 } }),
  }
  const width = (isBefore ? 1.5 : 2) * scale
  const whole = values.map((value, at) => (openFrom !== undefined && at >= openFrom ? null : value))
  const drawn = {
    ...line,
    data: whole,
    // A value between two gaps has no line; its symbol shows it.
    showSymbol: isLonely(whole),
    lineStyle: { width, type: isBefore ? [4, 4] : dashes[index % dashes.length] },
  }
  if (openFrom === undefined) return [drawn]
  const open = {
    ...line,
    ...(one.stack !== undefined && { stack: `${one.stack} open` }),
    // From the last whole value on, which has no symbol of its own here.
    data: values.map((value, at) => (at >= openFrom ? value : at === openFrom - 1 ? { value, symbolSize: 0 } : null)),
    showSymbol: true,
    showAllSymbol: true,
    symbolSize: 7 * scale,
    itemStyle: { color: colours.paper, borderColor: colour, borderWidth: 1.5 * scale },
    lineStyle: { color: colour, width, type: [2, 3] },
    tooltip: { show: false },
  }
  return [drawn, open]
}

/** Where a series has values that are not over; undefined where it has none. */
export function openIndex(
  { openFrom }: Pick<ChartData, 'openFrom'>,
  values: ChartSeries['values'],
): number | undefined {
  if (openFrom === undefined || openFrom < 0) return undefined
  return values.slice(openFrom).some((value) => value !== null) ? openFrom : undefined
}

const isLonely = (values: readonly (number | null)[]): boolean =>
  values.some(
    (value, index) => value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null,
  )

/** A curve as high as a line of text, from zero to its highest value or its limit, which is a dashed line. Pure. */
export function sparkOption(
  { values, limit }: { readonly values: readonly number[]; readonly limit: number | null },
  { faint, tones }: Pick<ChartColours, 'faint' | 'tones'>,
): EChartsCoreOption {
  const isOver = limit !== null && values.some((value) => value > limit)
  const line = { type: 'line', symbol: 'none', silent: true }
  return {
    animation: false,
    aria: { enabled: false },
    grid: { left: 0, right: 0, top: 2, bottom: 2 },
    xAxis: { type: 'category', show: false, boundaryGap: false, data: values.map((_value, index) => index) },
    yAxis: { type: 'value', show: false, min: 0, max: Math.max(1, limit ?? 0, ...values) },
    series: [
      { ...line, data: [...values], lineStyle: { width: 1.5, color: isOver ? tones.bad : tones.accent } },
      ...(limit === null
        ? []
        : [{ ...line, data: values.map(() => limit), lineStyle: { width: 1, type: [2, 2], color: faint } }]),
    ],
  }
}

/** The theme's colours as the page's style sheet has them now. */
export function readChartColours(element: Element): ChartColours {
  const style = getComputedStyle(element)
  const of = (name: string): string => style.getPropertyValue(name).trim()
  return {
    ink: of('--ink'),
    faint: of('--ink-faint'),
    line: of('--line'),
    paper: of('--paper'),
    font: style.fontFamily,
    tones: {
      accent: of('--accent'),
      good: of('--good'),
      warn: of('--warn'),
      bad: of('--bad'),
      info: of('--info'),
      quiet: of('--line-strong'),
    },
  }
}
