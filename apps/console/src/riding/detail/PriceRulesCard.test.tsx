import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { PriceVersion } from '@saddle/contract/riding/prices.ts'
import { PriceRulesCard } from './PriceRulesCard.tsx'

afterEach(cleanup)

const band = { fromMinute: 420, toMinute: 540, surchargePercent: 20 }
const version = {
  id: 1,
  agentId: 3,
  areaId: 31,
  areaName: '城区',
  name: '首版',
  authorName: '平台',
  validFrom: 1_800_000_000_000,
  createdAt: 1_800_000_000_000,
  rules: {
    freeSeconds: 60,
    startCents: 150,
    timeSteps: [{ fromMinute: 10, everyMinutes: 10, cents: 50 }],
    distance: null,
    bands: [
      { ...band, name: '早高峰', weekdays: [5, 1, 2, 3, 4] },
      { ...band, name: '夜间', weekdays: [1, 2, 3, 4, 5, 6, 7] },
      { ...band, name: '集市', weekdays: [7, 3] },
    ],
    dayCapCents: null,
    insuranceCents: 0,
    outOfPlaceCents: 0,
    outsideAreaCents: 0,
    noStopCents: 0,
    noStopReturnAllowed: true,
  },
} as unknown as PriceVersion

test('a price says on which days its hours cost more', () => {
  render(<PriceRulesCard version={version} />)
  const said = (name: string) => screen.getByText(name).parentElement?.textContent
  expect(said('早高峰')).toBe('早高峰周一至周五 07:00–09:00 加价 20%')
  expect(said('夜间')).toBe('夜间每天 07:00–09:00 加价 20%')
  expect(said('集市')).toBe('集市周三、周日 07:00–09:00 加价 20%')
})
