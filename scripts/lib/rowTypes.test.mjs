import { describe, expect, it } from 'vitest'
import { rowTypeFaults } from './rowTypes.mjs'

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

  it('a file from before gets no further ones, and the fault names the line', () => {
    const path = 'apps/server/src/audit/search/names.ts'
    const one = 'export type NameRow = { kind: string }\n'
    expect(faultsOf(path, one)).toEqual([])
    expect(faultsOf(path, `${one}\n${one}`)).toMatchObject([{ line: 3 }])
  })
})
