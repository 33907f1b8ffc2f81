import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sparkOption, type ChartColours } from './chartOption.ts'
import { Sparkline } from './Sparkline.tsx'

beforeEach(() =>
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  ),
)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const tones: ChartColours['tones'] = { accent: 'a', good: 'g', warn: 'w', bad: 'b', info: 'i', quiet: 'q' }
const option = (values: readonly number[], limit: number | null = null) =>
  sparkOption({ values, limit }, { faint: 'f', tones })

it('is drawn from zero to its highest value, and names its span', () => {
  expect(option([0, 5, 10])).toMatchObject({
    yAxis: { min: 0, max: 10 },
    series: [{ data: [0, 5, 10], lineStyle: { color: 'a' } }],
  })
  render(<Sparkline label="停放" values={[0, 5, 10]} />)
  expect(screen.getByText('停放: 0–10')).toBeTruthy()
})

it('has its limit as a line, and another colour when it is passed', () => {
  expect(option([1, 2], 4)).toMatchObject({
    yAxis: { max: 4 },
    series: [{ lineStyle: { color: 'a' } }, { data: [4, 4] }],
  })
  expect(option([1, 8], 4)).toMatchObject({
    yAxis: { max: 8 },
    series: [{ lineStyle: { color: 'b' } }, { data: [4, 4] }],
  })
})

it('draws no curve of one moment', () => {
  render(<Sparkline label="停放" values={[3]} />)
  expect(screen.queryByText(/停放/)).toBeNull()
})
