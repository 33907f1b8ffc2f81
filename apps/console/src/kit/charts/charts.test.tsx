import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { Bars } from './Bars.tsx'
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
    expect(headText()).toBe('电量72%10:00')
    expect(screen.getByLabelText('电量：最低 60%，最高 80%，最近 72%')).toBeTruthy()
  })

  it('tells the value under the pointer, and the latest again when it leaves', () => {
    render(chart([80, 60, 72, 70]))
    const area = screen.getByLabelText(/^电量：/)
    area.getBoundingClientRect = () => ({ left: 0, width: 300 }) as DOMRect
    fireEvent.pointerMove(area, { clientX: 99 })
    expect(headText()).toBe('电量60%09:00')
    fireEvent.pointerLeave(area)
    expect(headText()).toBe('电量70%11:00')
  })

  it('has a gap where nothing was told, and a dot between two gaps', () => {
    render(chart([80, null, 72, null]))
    expect(document.querySelector('.chart-line')?.getAttribute('d')?.match(/[ML]/g)).toEqual(['M', 'M'])
  })

  it('says that there is nothing', () => {
    render(chart([null, null, null, null]))
    expect(screen.getByText('这段时间没有数据')).toBeTruthy()
    expect(headText()).toBe('电量--')
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
