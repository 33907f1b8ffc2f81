import { useId, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { saveRows } from './saveRows.ts'
import { saveAddress } from '#kit/exports/save.ts'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { axisText, chartValueText, openIndex, type ChartData, type ChartSeries } from './chartOption.ts'
import { useDrawing } from './useDrawing.ts'
import './charts.css'

export interface ChartProps extends ChartData {
  readonly title: string
  /** In pixels; 240 by default. */
  readonly height?: number
  /** Opens the rows behind a point. */
  readonly onSelect?: (index: number) => void
  readonly hasZoom?: boolean
  /** One series in a narrow column: its latest value stands in the caption, and there is no legend. */
  readonly isCompact?: boolean
  /** On a screen on a wall: nobody points at it; text and lines are larger. */
  readonly isWall?: boolean
  /** By which factor the whole page is shown larger: the canvas has so many more pixels. */
  readonly enlarged?: number
}

const wallScale = 1.5

/** A chart drawn by Apache ECharts, its table for those who cannot see it, and both as files. */
export function Chart(props: ChartProps): ReactNode {
  const {
    title,
    labels,
    series,
    height = 240,
    onSelect,
    hasZoom = false,
    isCompact = false,
    isWall = false,
    enlarged = 1,
  } = props
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  const isEmpty = series.every(({ values }) => values.every((value) => value === null))
  const { min, max, openFrom } = props
  const open = series.some((one) => one.isBefore !== true && openIndex(props, one.values) !== undefined)
    ? openFrom
    : undefined
  const { host, hasFailed, picture } = useDrawing({
    data: { labels, series, openFrom, ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    look: { isCompact, hasZoom, openWord: ` · ${t('未结束')}`, scale: isWall ? wallScale : 1 },
    onSelect,
    enlarged,
  })
  const showsTable = isTable || hasFailed
  const savePicture = (): void => {
    const address = picture()
    if (address !== null) saveAddress(`${title}.png`, address)
  }
  const actions = [
    isTable
      ? { key: 'chart', label: t('查看图表'), run: () => setIsTable(false) }
      : { key: 'table', label: t('查看表格'), run: () => setIsTable(true) },
    ...(showsTable ? [] : [{ key: 'picture', label: t('下载图片'), run: savePicture }]),
    { key: 'file', label: t('下载表格'), run: () => saveTable(props) },
  ]
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span>{title}</span>
        {isCompact && <Latest labels={labels} one={series[0]} openFrom={open} />}
        {!isEmpty && !isWall && <MoreMenu label={title} actions={actions} />}
      </figcaption>
      {isEmpty ? (
        <p className="chart-none" style={{ height }}>
          {t('这段时间没有数据')}
        </p>
      ) : (
        <>
          <p className="visually-hidden">{series.map((one) => wordsOf(one, open)).join('；')}</p>
          <div
            ref={host}
            className="chart-canvas"
            aria-hidden="true"
            data-selects={onSelect !== undefined}
            style={{ height }}
            hidden={showsTable}
          />
          {open !== undefined && !isCompact && !isWall && !showsTable && (
            <p className="chart-open">{t('{{label}} 尚未结束，以空心表示', { label: labels[open] ?? '' })}</p>
          )}
        </>
      )}
      {!isEmpty && showsTable && (
        <ChartTable
          title={title}
          labels={labels.map((label, at) => openLabel(label, at, open))}
          series={series}
          onSelect={onSelect}
        />
      )}
    </figure>
  )
}

/** The name of a point; of one that is not over it says so. */
const openLabel = (label: string, at: number, openFrom: number | undefined): string =>
  openFrom !== undefined && at >= openFrom ? `${label} · ${t('未结束')}` : label

interface LatestProps {
  readonly labels: readonly string[]
  readonly one: ChartSeries | undefined
  readonly openFrom: number | undefined
}

function Latest({ labels, one, openFrom }: LatestProps) {
  if (one === undefined) return null
  const at = one.values.findLastIndex((value) => value !== null)
  return (
    <>
      <b>{chartValueText(one.values[at], one.unit, one.digits)}</b>
      <small>{openLabel(axisText(labels[at] ?? ''), at, openFrom)}</small>
    </>
  )
}

/** What a screen reader says of a series: its extremes and its latest value, of what is over. */
function wordsOf({ name, values, unit, digits, isBefore = false }: ChartSeries, openFrom: number | undefined): string {
  const whole = isBefore ? values : values.slice(0, openFrom)
  const known = whole.filter((value) => value !== null)
  const words = (value: number | undefined): string => chartValueText(value, unit, digits)
  if (known.length === 0) return name
  return t('{{title}}：最低 {{low}}，最高 {{high}}，最近 {{last}}', {
    title: name,
    low: words(Math.min(...known)),
    high: words(Math.max(...known)),
    last: words(known.at(-1)),
  })
}

interface TableProps {
  readonly title: string
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly onSelect: ((index: number) => void) | undefined
}

function ChartTable({ title, labels, series, onSelect }: TableProps): ReactNode {
  return (
    // The table scrolls inside of its frame; the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="chart-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{title}</span>
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={label}>
              <th scope="row">
                {onSelect === undefined ? (
                  label
                ) : (
                  <button type="button" className="chart-point" onClick={() => onSelect(index)}>
                    {label}
                  </button>
                )}
              </th>
              {series.map(({ name, values, unit, digits }) => (
                <td key={name}>{chartValueText(values[index], unit, digits)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function saveTable({ title, labels, series, openFrom }: ChartProps): void {
  saveRows({
    fileName: `${title}.csv`,
    titles: [
      '',
      ...series.map(({ name, unit = '' }) =>
        unit === '' ? name : t('{{title}}（{{unit}}）', { title: name, unit: unit.trim() }),
      ),
    ],
    rows: labels.map((label, index) => [
      openLabel(label, index, openFrom),
      ...series.map(({ values }) => values[index] ?? null),
    ]),
  })
}
