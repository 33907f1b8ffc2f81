import type { FeatureCollection } from 'geojson'
import { fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import type { Corner } from '#kit/map/lasso/polygon.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { button, show, withDialogs } from '#test/dialogs.tsx'
import { task } from './task.fixture.ts'
import TaskMap from './TaskMap.tsx'

// The environment has no WebGL: what is given to the map is looked at instead.
interface Given {
  data: FeatureCollection
  onPick?: (properties: Readonly<Record<string, unknown>>) => void
}
const map = vi.hoisted(() => ({ given: null as Given | null, onCorner: null as ((corner: Corner) => void) | null }))
vi.mock('#kit/map/FocusMap.tsx', () => ({ default: ({ children }: { children: ReactNode }) => children }))
vi.mock('#kit/map/GeoLayers.tsx', () => ({
  GeoLayers: (given: Given) => {
    map.given = given
    return null
  },
}))
vi.mock('#kit/map/lasso/Lasso.tsx', () => ({
  Lasso: ({ corners, onCorner }: { corners: readonly Corner[]; onCorner: (corner: Corner) => void }) => {
    map.onCorner = onCorner
    const next = [
      [120.5, 31.2],
      [120.5, 31.4],
      [120.65, 31.4],
      [120.65, 31.2],
    ][corners.length]
    return next === undefined ? null : <button onClick={() => onCorner(next as unknown as Corner)}>角</button>
  },
}))

const { sent, answer } = withDialogs()
const onShow = vi.fn<(id: number) => void>()
const at = (lat: number, lng: number) => ({ state: 'available' as const, batteryPercent: 12, position: { lat, lng } })

beforeEach(() => {
  overridePermissions(['0909', '090901'])
  onShow.mockReset()
  map.given = null
  answer(taskEndpoints.mapTasks, {
    list: [
      task({ id: 1, dueAt: 1_000 }),
      task({
        id: 2,
        kind: 'move',
        vehicle: at(31.3, 120.7),
        to: { fenceId: 4, name: '东门', lat: 31.31, lng: 120.71 },
      }),
      task({ id: 3, vehicle: { state: 'available', batteryPercent: null, position: null } }),
    ],
    isCut: false,
  })
  answer(taskEndpoints.taskWorkers, { list: [] })
})

it('draws each task where its vehicle is, the late one on top, and the way to where it goes', async () => {
  show(<TaskMap filter={{ areaIds: [31] }} onShow={onShow} />)
  await screen.findByText('3 个任务')
  expect(sent[0]).toEqual({ filter: { areaIds: [31], states: ['open', 'claimed', 'on_site'] } })
  const features = map.given?.data.features ?? []
  expect(
    features.map(({ geometry, properties }) => [geometry.type, properties?.['task'], properties?.['late']]),
  ).toEqual([
    ['Point', 1, true],
    ['Point', 2, false],
    ['LineString', undefined, undefined],
  ])
  expect(screen.getByText('1 个超时')).toBeTruthy()
  map.given?.onPick?.({ task: 2 })
  expect(onShow).toHaveBeenCalledExactlyOnceWith(2)
})

it('offers what is drawn around to be handed out, and no click on a task meanwhile', async () => {
  show(<TaskMap filter={{}} onShow={onShow} />)
  await screen.findByText('3 个任务')
  fireEvent.click(button('框选'))
  expect(map.given?.onPick).toBeUndefined()
  for (let corner = 0; corner < 4; corner += 1) fireEvent.click(button('角'))
  expect(screen.getByText('框内 1 个任务')).toBeTruthy()
  expect(await screen.findByRole('combobox', { name: '派给' })).toBeTruthy()
  fireEvent.click(button('取消'))
  expect(screen.queryByRole('combobox', { name: '派给' })).toBeNull()
})
