import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Bars } from './Bars.tsx'
import { Chart } from './Chart.tsx'
import { chartOption, type ChartSeries } from './chartOption.ts'
import { Figure } from './Figure.tsx'
import { LineChart } from './LineChart.tsx'

afterEach(cleanup)

describe('a line over time', () => {
  const chart = (values: readonly (number | null)[]) => (
    <LineChart title="电量" unit="%" labels={['08:00', '09:00', '10:00', '11:00']} values={values} />
  )
  const headText = (): string => document.querySelector('figcaption')?.textContent ?? ''

  it('tells the latest value that is known, and its extremes in words', () => {
    render(chart([80, 60, 72, null]))
    expect(headText()).toContain('电量72%10:00')
    expect(screen.getByText('电量：最低 60%，最高 80%，最近 72%')).toBeTruthy()
  })

  it('says of the latest value that its time is not over, and leaves it out of the extremes', () => {
    render(<LineChart title="骑行" unit=" 次" labels={['周一', '周二', '周三']} values={[700, 800, 20]} openFrom={2} />)
    expect(headText()).toContain('骑行20 次周三 · 未结束')
    expect(screen.getByText('骑行：最低 700 次，最高 800 次，最近 800 次')).toBeTruthy()
  })

  it('says that there is nothing', () => {
    render(chart([null, null, null, null]))
    expect(screen.getByText('这段时间没有数据')).toBeTruthy()
    expect(headText()).toBe('电量--')
  })
})

describe('a chart', () => {
  const opened: number[] = []
  const chart = (
    <Chart
      title="骑行"
      labels={['周一', '周二']}
      series={[
        { name: '次数', values: [1_200, null], unit: ' 次', kind: 'bar' },
        { name: '收入', values: [3_000.5, 2], unit: '¥', digits: 2, axis: 'right' },
      ]}
      onSelect={(index) => opened.push(index)}
    />
  )
  const choose = async (name: string): Promise<void> => {
    fireEvent.click(screen.getByRole('button', { name: '骑行：更多操作' }))
    fireEvent.click(await screen.findByText(name))
  }

  it('has a table whose points open what is behind them', async () => {
    render(chart)
    await choose('查看表格')
    const cells = [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    )
    expect(cells).toEqual([
      ['周一', '1,200 次', '¥3,000.50'],
      ['周二', '--', '¥2.00'],
    ])
    fireEvent.click(screen.getByRole('button', { name: '周二' }))
    expect(opened).toEqual([1])
  })

  it('saves its table as a file', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:'
    })
    render(chart)
    await choose('下载表格')
    expect(await saved[0]?.text()).toContain(',次数（次）,收入（¥）\r\n周一,1200,3000.5\r\n周二,,2\r\n')
  })
})

describe('what is drawn', () => {
  const colours = {
    ink: '#000',
    faint: '#777',
    line: '#ddd',
    paper: '#fff',
    font: 'sans-serif',
    tones: { accent: '#00f', good: '#0a0', warn: '#a60', bad: '#c00', info: '#06c', quiet: '#999' },
  }
  const optionOf = (series: readonly ChartSeries[], look = {}, openFrom?: number) =>
    chartOption({ labels: ['a', 'b', 'c'], series, openFrom }, look, colours) as {
      series: {
        name: string
        data: unknown[]
        tooltip: { show?: boolean; valueFormatter?: (value: unknown, at: number) => string }
        color: string
        showSymbol?: boolean
        lineStyle?: { type: unknown }
        yAxisIndex: number
        stack?: string
      }[]
      yAxis: unknown[]
      legend: { show: boolean; data: string[] }
      animation: boolean
      dataZoom: unknown[]
    }

  it('tells series apart by colour and by dash, and the previous span is faint', () => {
    const values = [1, 2, 3]
    const { series, legend } = optionOf([
      { name: '甲', values },
      { name: '乙', values },
      { name: '上期', values, isBefore: true },
    ])
    expect(series.map(({ color }) => color)).toEqual(['#00f', '#a60', '#777'])
    expect(series.map(({ lineStyle }) => lineStyle?.type)).toEqual(['solid', [6, 3], [4, 4]])
    expect(legend.show).toBe(true)
  })

  it('shows a value between two gaps by a symbol', () => {
    expect(optionOf([{ name: '甲', values: [null, 3, null] }]).series[0]?.showSymbol).toBe(true)
    expect(optionOf([{ name: '甲', values: [2, 3, null] }]).series[0]?.showSymbol).toBe(false)
  })

  it('ends a line at the last whole value, and goes on dashed to what is not over', () => {
    const { series, legend } = optionOf(
      [
        { name: '骑行', values: [7, 8, 2], unit: ' 次' },
        { name: '前一时段', values: [7, 8, 9], isBefore: true },
      ],
      { openWord: ' · 未结束' },
      2,
    )
    expect(series.map(({ name, data }) => [name, data])).toEqual([
      ['骑行', [7, 8, null]],
      ['骑行', [null, { value: 8, symbolSize: 0 }, 2]],
      ['前一时段', [7, 8, 9]],
    ])
    expect(series[1]).toMatchObject({ color: '#00f', showSymbol: true, tooltip: { show: false } })
    expect(legend.data).toEqual(['骑行', '前一时段'])
    const text = series[0]?.tooltip.valueFormatter
    expect([text?.(8, 1), text?.(null, 2)]).toEqual(['8 次', '2 次 · 未结束'])
  })

  it('draws a bar that is not over hollow, and nothing apart where all are over or nothing is known', () => {
    const bars = optionOf([{ name: '骑行', values: [7, 8, 2], kind: 'bar' }], {}, 2).series
    expect(bars).toHaveLength(1)
    expect(bars[0]?.data.slice(0, 2)).toEqual([7, 8])
    expect(bars[0]?.data[2]).toMatchObject({ value: 2, itemStyle: { color: 'transparent', borderType: 'dashed' } })
    for (const [values, openFrom] of [
      [[7, 8, null], 2],
      [[7, 8, 2], -1],
      [[7, 8, 2], undefined],
    ] as const) {
      expect(optionOf([{ name: '骑行', values }], {}, openFrom).series).toHaveLength(1)
    }
  })

  it('has a second axis, stacks, zoom and rest only where they are asked for', () => {
    const plain = optionOf([{ name: '甲', values: [1] }])
    expect([plain.yAxis.length, plain.dataZoom.length, plain.animation]).toEqual([1, 0, true])
    const full = optionOf(
      [
        { name: '甲', values: [1], kind: 'bar', stack: 's' },
        { name: '乙', values: [1], axis: 'right' },
      ],
      { hasZoom: true, isStill: true },
    )
    expect([full.yAxis.length, full.dataZoom.length, full.animation]).toEqual([2, 2, false])
    expect(full.series.map(({ yAxisIndex, stack }) => [yAxisIndex, stack])).toEqual([
      [0, 's'],
      [1, undefined],
    ])
  })
})

describe('a figure and bars', () => {
  it('write thousands, units behind and the sign of a currency before', () => {
    render(<Figure label="骑行" value={2_000} unit="次" note="昨天 1,900" />)
    expect(document.querySelector('.figure')?.textContent).toBe('骑行2,000 次昨天 1,900')
    cleanup()
    render(<Figure label="Revenue" value="12.50" unit="¥" />)
    expect(document.querySelector('b')?.textContent).toBe('¥12.50')
  })

  it('open the list behind them', () => {
    render(
      <MemoryRouter>
        <Figure label="告警" value={3} to="/alarms" />
        <Bars
          label="状态"
          bars={[
            { key: 'a', label: '可用', value: 8, to: '/list?state=available' },
            { key: 'b', label: '离线', value: 2, text: '2 辆' },
          ]}
        />
      </MemoryRouter>,
    )
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/alarms',
      '/list?state=available',
    ])
    expect(screen.getByText('2 辆')).toBeTruthy()
    expect(
      [...document.querySelectorAll('meter')].map((meter) => [meter.getAttribute('value'), meter.getAttribute('max')]),
    ).toEqual([
      ['8', '8'],
      ['2', '8'],
    ])
  })
})
