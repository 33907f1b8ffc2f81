import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { NearVehicle } from '@saddle/contract/fleet/vehicles.ts'
import { currentToasts } from '#kit/notify.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { NearestLine } from './NearestLine.tsx'
import { useNearest } from './useNearest.ts'

const near = (parts: Partial<NearVehicle>): NearVehicle => ({
  id: 1,
  number: 'SD100001',
  lat: 31.3,
  lng: 120.7,
  distanceM: 230,
  batteryPercent: 80,
  lowBattery: false,
  alarms: [],
  tasks: [],
  ...parts,
})
const pickAndGo = vi.fn<(picked: unknown) => void>()
const middle = { lat: 31.2, lng: 120.6 }
let platform: FakePlatform
let list: NearVehicle[]

/** The browser tells its place, or refuses to. */
function standAt(place: { latitude: number; longitude: number } | null): void {
  const getCurrentPosition = (found: PositionCallback, refused: PositionErrorCallback) =>
    place === null
      ? refused({} as GeolocationPositionError)
      : found({ coords: place } as unknown as GeolocationPosition)
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } })
}

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  list = []
  platform.on(endpoints.nearestWork, () => ({ suc: true, data: { list } }))
  pickAndGo.mockReset()
})

afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'geolocation')
})

const asked = () => platform.heard.filter(({ key }) => key === `GET ${endpoints.nearestWork.path}`)

it('goes to the nearest vehicle from where the person stands, on to the next, and measures anew after the last', async () => {
  standAt({ latitude: 31.31, longitude: 120.71 })
  list = [
    near({ id: 5, tasks: ['battery_swap'] }),
    near({ id: 8, lowBattery: true, batteryPercent: 9, distanceM: 1_400 }),
  ]
  const { result } = renderHook(() => useNearest({ pickAndGo, middle: () => middle }))
  act(() => result.current.start())
  await waitFor(() => expect(pickAndGo).toHaveBeenLastCalledWith({ id: 5 }))
  expect(asked()[0]?.input).toEqual({ lat: 31.31, lng: 120.71 })

  const { rerender } = render(<NearestLine nearest={result.current} id={5} />)
  expect(screen.getByLabelText('最近的待处理车辆').textContent).toBe('距你 230 m · 换电1/2下一辆')
  fireEvent.click(screen.getByText('下一辆'))
  expect(pickAndGo).toHaveBeenLastCalledWith({ id: 8 })
  rerender(<NearestLine nearest={result.current} id={8} />)
  expect(screen.getByLabelText('最近的待处理车辆').textContent).toBe('距你 1.4 km · 电量 9%2/2下一辆')
  rerender(<NearestLine nearest={result.current} id={77} />)
  expect(screen.queryByLabelText('最近的待处理车辆')).toBeNull()

  rerender(<NearestLine nearest={result.current} id={8} />)
  fireEvent.click(screen.getByText('下一辆'))
  await waitFor(() => expect(asked()).toHaveLength(2))
  await waitFor(() => expect(pickAndGo).toHaveBeenLastCalledWith({ id: 5 }))
})

it('measures from the middle of the map where the browser tells no place, and says when nothing waits', async () => {
  standAt(null)
  list = [near({ alarms: ['tamper', 'low_battery'], lowBattery: true, batteryPercent: 12 })]
  const { result } = renderHook(() => useNearest({ pickAndGo, middle: () => middle }))
  act(() => result.current.start())
  await waitFor(() => expect(pickAndGo).toHaveBeenCalledWith({ id: 1 }))
  expect(asked()[0]?.input).toEqual({ lat: 31.2, lng: 120.6 })
  render(<NearestLine nearest={result.current} id={1} />)
  expect(screen.getByLabelText('最近的待处理车辆').textContent).toBe('距地图中心 230 m · 拆卸 · 电量 12%1/1下一辆')

  list = []
  act(() => result.current.start())
  await waitFor(() => expect(currentToasts().map(({ text }) => text)).toContain('范围内没有待处理的车辆'))
  expect(pickAndGo).toHaveBeenCalledTimes(1)
  expect(result.current.round).toBeNull()
})
