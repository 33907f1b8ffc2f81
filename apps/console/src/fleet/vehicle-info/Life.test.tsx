import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { LifeEntry, LifeKind } from '@saddle/contract/fleet/life.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import { Life } from './Life.tsx'

const { on, sent, show } = pageTests()
/** Yesterday: within the last seven days, whichever day the test runs on. */
const at = Date.now() - dayMs
const unit = (event: 'activated' | 'made', happenedAt: number): LifeEntry => ({
  kind: 'unit',
  at: happenedAt,
  event,
  part: null,
  before: null,
  after: null,
  note: '',
  failures: [],
  personName: null,
})
const life = [unit('activated', at), unit('made', at - 1000)]

interface Asked {
  readonly vehicleId: number
  readonly kinds?: readonly LifeKind[]
  readonly from?: number
  readonly to?: number
}
const asked = (): Asked | undefined => sent(endpoints.vehicleLife).at(-1) as Asked | undefined

beforeEach(() => {
  overridePermissions(['0301'])
  on(endpoints.vehicleLife, (input) => {
    const { kinds = ['unit'], from = 0 } = input as Asked
    const list = kinds.includes('unit') ? life.filter((entry) => entry.at >= from) : []
    return { suc: true, data: { list, nextCursor: null } }
  })
  show(<Life vehicleId={5} />)
})

test('a life is narrowed by kind and by days, and one press shows all of it again', async () => {
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: '日期' }))
  const usual = within(await screen.findByRole('list', { name: '常用时间范围' }))
  fireEvent.click(usual.getByRole('button', { name: '近 7 天' }))
  await waitFor(() => expect((asked()?.to ?? 0) - (asked()?.from ?? 0)).toBeGreaterThan(0))
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: '告警' }))
  expect(await screen.findByText('没有符合条件的记录')).toBeTruthy()
  expect(asked()).toMatchObject({ vehicleId: 5, kinds: ['alarm'], from: expect.any(Number) as number })

  fireEvent.click(screen.getByRole('button', { name: '清除条件' }))
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByRole('button', { name: '告警' }).getAttribute('aria-pressed')).toBe('false')
  expect(screen.getByRole('button', { name: '日期' })).toBeTruthy()
})
