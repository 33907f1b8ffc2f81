import { describe, expect, it } from 'vitest'
import { rowTypeFaults, staleRowTypes } from './rowTypes.mjs'

const faultsOf = (path, text) => rowTypeFaults({ path, text })
const store = 'apps/server/src/rider/new/store.ts'

describe('row types', () => {
  it.each([
    ['export type NewRow = {\n  id: number\n}'],
    ['type NewRow = OtherRow & { id: number }'],
    ['export interface NewRow {\n  id: number\n}'],
    ['const rows = sql<{ id: number }>`select id from rider`'],
    ['const rows = sql<{\n  id: number\n}>`select id from rider`'],
  ])('none is written by hand: %s', (text) => {
    expect(faultsOf(store, text)).toMatchObject([{ line: 1, why: expect.stringContaining('rowOf') }])
  })

  it.each([
    [store, 'export type NewRow = RowOf<typeof newRow>\nconst total = sql<number>`1`'],
    ['apps/server/src/kit/db/rows.ts', 'type AnyRow = { id: number }'],
    ['apps/server/src/rider/new/new.test.ts', 'sql<{ id: number }>`select id from rider`'],
    ['apps/console/src/rider/New.tsx', 'type NewRow = { id: number }'],
  ])('%s may: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([])
  })

  const allowed = { 'rider/new/store.ts': 1 }
  const one = 'export type NewRow = { kind: string }\n'

  it('a file that is named gets no further ones, and the fault names the line', () => {
    expect(rowTypeFaults({ path: store, text: one }, allowed)).toEqual([])
    expect(rowTypeFaults({ path: store, text: `${one}\n${one}` }, allowed)).toMatchObject([{ line: 3 }])
  })

  it('no file is allowed more than it has', () => {
    expect(staleRowTypes([{ path: store, text: one }], allowed)).toEqual([])
    const fault = 'scripts/lib/rowTypes.mjs: rider/new/store.ts needs 0 and not 1'
    expect(staleRowTypes([{ path: store, text: 'export type NewRow = RowOf<typeof newRow>' }], allowed)).toEqual([
      fault,
    ])
    expect(staleRowTypes([], allowed)).toEqual([fault])
  })
})
