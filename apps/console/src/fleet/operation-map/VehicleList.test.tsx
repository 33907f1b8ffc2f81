import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { everything, type Filter } from './filter.ts'
import { createVehicleStore, type VehicleStore } from './store.ts'
import { liveVehicle, vehicleDetail } from './vehicle.fixture.ts'
import { arrange, VehicleList } from './VehicleList.tsx'

let store: VehicleStore
const onPick = vi.fn<(id: number) => void>()
const onClearFilter = vi.fn<() => void>()

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  platform.on(endpoints.singleDeviceInfo, (input) => {
    const { id } = input as { id: number }
    return { suc: true, data: vehicleDetail({ id, number: `SD10000${id}` }) }
  })
  store = createVehicleStore()
  onPick.mockReset()
  onClearFilter.mockReset()
})

afterEach(() => {
  cleanup()
  queryClient.clear()
})

const snapshot = (upserts: LiveVehicle[]) =>
  act(() => void store.apply({ kind: 'vehicles', snapshot: true, sequence: 1, upserts, removed: [] }, 0))
const city = { west: 120, south: 31, east: 121, north: 32 }

function show(filter: Filter = everything): void {
  render(
    <QueryClientProvider client={queryClient}>
      <VehicleList
        store={store}
        filter={filter}
        bounds={city}
        selectedId={2}
        theme="light"
        onPick={onPick}
        onClearFilter={onClearFilter}
      />
    </QueryClientProvider>,
  )
}

const numbers = () =>
  screen.getAllByRole('button').map((row) => /SD\d+/.exec(row.textContent ?? '')?.[0] ?? row.textContent)

describe('list of the view', () => {
  test('waits, then shows what needs a person first, with its printed number', async () => {
    show()
    expect(screen.getByLabelText('正在加载…').getAttribute('aria-busy')).toBe('true')
    snapshot([
      liveVehicle({ id: 1 }),
      liveVehicle({ id: 2, lowBattery: true, batteryPercent: 8 }),
      liveVehicle({ id: 3, lng: 130 }),
    ])
    await waitFor(() => expect(numbers()).toEqual(['SD100002', 'SD100001']))
    expect(screen.getByText('8%').dataset['low']).toBe('true')
    expect(screen.getAllByRole('button')[0]?.getAttribute('aria-current')).toBe('true')
    fireEvent.click(screen.getByText('SD100001'))
    expect(onPick).toHaveBeenCalledWith(1)
  })

  test('says what to do when the filter or the view is empty', () => {
    show({ states: ['missing'], flag: null, alarms: [] })
    snapshot([liveVehicle()])
    expect(screen.getByText('视野内没有符合筛选的车辆')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '清除筛选' }))
    expect(onClearFilter).toHaveBeenCalledTimes(1)
    snapshot([liveVehicle({ lng: 130 })])
    expect(screen.getByText('视野内没有车辆，可缩小地图或显示全城')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '清除筛选' })).toBeNull()
    snapshot([])
    expect(screen.getByText('视野内没有车辆，可缩小地图或显示全城')).toBeTruthy()
  })

  test('turns pages, and arrow keys walk through the rows', async () => {
    show()
    snapshot(Array.from({ length: 12 }, (_, at) => liveVehicle({ id: at + 1 })))
    expect(screen.getAllByRole('listitem')).toHaveLength(10)
    const [first, second] = screen.getAllByRole('button')
    first?.focus()
    fireEvent.keyDown(first ?? document.body, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(second)
    fireEvent.click(screen.getByRole('button', { name: '下一页' }))
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2))
  })
})

test('rows keep their places while they are held; new ones come at the end, gone ones go', () => {
  const [one, two, three] = [1, 2, 3].map((id) => liveVehicle({ id }))
  const fresh = [three, one, two].flatMap((vehicle) => vehicle ?? [])
  expect(arrange(fresh, null).map(({ id }) => id)).toEqual([3, 1, 2])
  expect(arrange(fresh, [1, 9, 2]).map(({ id }) => id)).toEqual([1, 2, 3])
})
