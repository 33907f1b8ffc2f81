import { expect, it } from 'vitest'
import { z } from 'zod'
import { list, type Direction } from '@saddle/contract/list.ts'
import type { SessionCall } from '#kit/call.ts'
import { serveComputedList } from './computedList.ts'

const spots = list({
  row: z.object({ id: z.int(), name: z.string(), vehicles: z.int() }),
  filter: z.strictObject({ least: z.int().default(0) }),
  sorts: { name: 'asc', vehicles: 'desc' },
  countMax: 6,
})
type Spot = z.output<typeof spots.row>

const rows: Spot[] = Array.from({ length: 7 }, (_, index) => ({
  id: index + 1,
  name: `P${index + 1}`,
  vehicles: index,
}))
const notes: object[] = []
// Only name and scope of the caller are looked at.
const call = { caller: { name: '周可' } } as SessionCall
const handlers = serveComputedList(
  {
    kit: {
      db: { snapshot: (work: () => unknown) => work(), fromReadDatabase: (work: () => unknown) => work() },
      clock: { now: () => 0 },
      random: { bytes: (count: number) => new Uint8Array(count) },
    } as never,
    audit: { noteExport: (_call, note) => Promise.resolve(void notes.push(note)) },
  },
  spots,
  {
    name: 'spots',
    all: ({ least }) => Promise.resolve(rows.filter(({ vehicles }) => vehicles >= least)),
    sorted: (list: readonly Spot[], sort: string, direction: Direction) => {
      const sign = direction === 'asc' ? 1 : -1
      return list.toSorted((a, b) => sign * (sort === 'name' ? a.id - b.id : a.vehicles - b.vehicles))
    },
    file: { action: 'spot.export', fields: { name: '名称', vehicles: '车辆' } },
  },
)

const question = spots.page.input.parse({ pageSize: 3 })

it('pages through all rows once, in the usual direction of the sort', async () => {
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const { data } = await handlers.page(
      { ...question, sort: 'vehicles', ...(cursor !== undefined && { cursor }) },
      call,
    )
    seen.push(...data.list.map(({ id }) => id))
    cursor = data.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
})

it('counts on the first page, up to the limit of the list', async () => {
  const { data } = await handlers.page(question, call)
  expect([data.count, data.isCountCut]).toEqual([6, true])
  const few = await handlers.page({ ...question, filter: { least: 5 } }, call)
  expect([few.data.count, few.data.isCountCut, few.data.nextCursor]).toEqual([2, false, null])
})

it('refuses a cursor of another order', async () => {
  const { data } = await handlers.page(question, call)
  const other = { ...question, sort: 'vehicles' as const, cursor: data.nextCursor! }
  await expect(handlers.page(other, call)).rejects.toMatchObject({ code: 'bad_request' })
})

it('writes the same rows into a file and notes it', async () => {
  const { data } = await handlers.file({ ...spots.file.input.parse({ filter: { least: 5 } }) }, call)
  expect(data.text.split('\r\n').map((line) => line.split(',').slice(0, 2))).toEqual([
    [expect.stringContaining('名称'), '车辆'],
    ['P6', '5'],
    ['P7', '6'],
    [''],
  ])
  expect(notes).toEqual([expect.objectContaining({ action: 'spot.export' })])
})
