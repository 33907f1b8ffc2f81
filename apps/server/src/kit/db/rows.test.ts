import { sql } from 'kysely'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { columnTable } from './columnTable.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from './rows.ts'

declare module './types.ts' {
  interface DB {
    every_type: {
      id: number
      cents: number | null
      share: number
      weight: number
      small: number
      note: string
      day: string | null
      ready: boolean
      made_at: Date
      shape: JsonValue
      hash: Buffer
      names: string[]
      ids: number[] | null
      state: string
      exact: Generated<string>
    }
  }
}

const { owner, db } = await testDatabase()
await sql`create domain cents_test as bigint`.execute(owner)
await sql`create table every_type (
  id bigint primary key, cents cents_test, share real not null, weight float8 not null, small smallint not null,
  note text not null, day date, ready boolean not null, made_at timestamptz not null, shape jsonb not null,
  hash bytea not null, names text[] not null, ids bigint[], state text not null check (state in ('on', 'off')),
  exact numeric not null default 1.50)`.execute(owner)
await sql`grant all on every_type to saddle_system`.execute(owner)

type Thing = {
  id: number
  cents: number | null
  note: string
  names: string[]
  ids: number[] | null
  state: 'on' | 'off'
}
const madeAt = Date.parse('2026-11-22T08:30:00.123Z')
const things = columnTable<Thing>()('every_type', {
  id: ['bigint', ({ id }) => id],
  cents: ['bigint', ({ cents }) => cents],
  share: ['real', () => 0.5],
  weight: ['float8', () => 12.25],
  small: ['smallint', () => -7],
  note: ['text', ({ note }) => note],
  day: ['date', () => '2026-02-28'],
  ready: ['boolean', () => true],
  made_at: ['timestamptz', () => madeAt],
  shape: ['jsonb', () => ({ ring: [[1, 2]], quoted: 'a "b"' })],
  hash: ['bytea', () => Buffer.from([0, 255])],
  names: ['text[]', ({ names }) => names],
  ids: ['bigint[]', ({ ids }) => ids],
  state: ['text', ({ state }) => state],
})

const columns = rowOf('every_type', 'e', [
  'id',
  'cents',
  'share',
  'weight',
  'small',
  'note',
  'day',
  'ready',
  'made_at',
  'shape',
  'hash',
  'names',
  'ids',
  'state as switch_state',
]).codes({ switch_state: ['on', 'off'] })

const first: Thing = {
  id: 1,
  cents: 9_007_199_254_740_991,
  note: '电车 “一”',
  names: ['a,b', '{"'],
  ids: [1, 2],
  state: 'on',
}
const second: Thing = { id: 2, cents: null, note: 'x'.repeat(200_000), names: [], ids: null, state: 'off' }
const read = (id: number) =>
  db.systemRead((kysely) => columns.select`from every_type e where e.id = ${id}`.compile(kysely))
const whole = {
  share: 0.5,
  weight: 12.25,
  small: -7,
  day: '2026-02-28',
  ready: true,
  made_at: new Date(madeAt),
  shape: { ring: [[1, 2]], quoted: 'a "b"' },
  hash: Buffer.from([0, 255]),
}
const shown = ({ state, ...thing }: Thing) => ({ ...whole, ...thing, switch_state: state })

describe('a row of the database', () => {
  it.each(['insert', 'copy'] as const)('goes in by %s and comes out as it was, in every type', async (way) => {
    await sql`truncate every_type`.execute(owner)
    await db.system(async (tx) => {
      if (way === 'insert') await things.insert([first, second]).execute(tx)
      else expect(await db.copyIn(tx, things.copy([first, second]))).toBe(2)
    })
    expect(await read(1)).toEqual([shown(first)])
    expect(await read(2)).toEqual([shown(second)])
  })

  it('has the types of its columns', () => {
    type Row = RowOf<typeof columns>
    expectTypeOf<Row['cents']>().toEqualTypeOf<number | null>()
    expectTypeOf<Row['made_at']>().toEqualTypeOf<Date>()
    expectTypeOf<Row['switch_state']>().toEqualTypeOf<'on' | 'off'>()
    expectTypeOf<Row>().not.toHaveProperty('exact')
    expect([...columns.parts.keys()].at(-1)).toBe('switch_state')
  })

  it('is shown in camel case with instants in milliseconds', async () => {
    const [row] = await db.systemRead((kysely) => columns.select`from every_type e where e.id = 1`.compile(kysely))
    if (row === undefined) throw new Error('no row')
    const { madeAt: at, switchState, ids } = columns.present(row)
    expectTypeOf(at).toEqualTypeOf<number>()
    expectTypeOf(switchState).toEqualTypeOf<'on' | 'off'>()
    expect({ at, switchState, ids }).toEqual({ at: madeAt, switchState: 'on', ids: [1, 2] })
  })

  it('refuses a code that its list does not have', () => {
    const row = { state: 'broken' as 'on' }
    expect(() =>
      rowOf('every_type', ['state'])
        .codes({ state: ['on', 'off'] })
        .present(row),
    ).toThrow(RangeError)
  })
})

describe('expressions and joins', () => {
  const values = rowOfValues({
    big: computed('bigint', sql`count(*)`),
    whole: computed('integer', sql`1.4`),
    half: computed('double precision', sql`0.5`),
    exact: computed('numeric', sql`1.50`),
    word: computed('text', sql`upper('a')`),
    day: computed('date', sql`timestamptz '2026-11-22 12:00Z' at time zone 'Asia/Shanghai'`),
    at: computed('timestamptz?', sql`null`),
    yes: computed('boolean', sql`1 < 2`),
    list: computed('jsonb', sql`'[1]'`),
    bytes: computed('bytea', sql`'\\x00ff'`),
    ids: computed('bigint[]', sql`array[1, 2]`),
    words: computed('text[]?', sql`array['a', null]`),
  })

  it('gives an expression the type that it is cast to', async () => {
    expectTypeOf<RowOf<typeof values>['at']>().toEqualTypeOf<Date | null>()
    expectTypeOf<RowOf<typeof values>['exact']>().toEqualTypeOf<string>()
    const rows = await db.systemRead((kysely) => values.select`from generate_series(1, 3)`.compile(kysely))
    expect(rows).toEqual([
      {
        big: 3,
        whole: 1,
        half: 0.5,
        exact: '1.50',
        word: 'A',
        day: '2026-11-22',
        at: null,
        yes: true,
        list: [1],
        bytes: Buffer.from([0, 255]),
        ids: [1, 2],
        words: ['a', null],
      },
    ])
  })

  it('joins the columns of several tables, those of an outer join without a value', async () => {
    const joined = rowsOf(
      rowOf('every_type', 'e', ['id', 'note']),
      rowOf('every_type', 'other', ['id as other_id', 'made_at']).optional(),
      rowOfValues({ length: computed('integer', sql`length(e.note)`) }),
    )
    expectTypeOf<RowOf<typeof joined>>().toEqualTypeOf<{
      id: number
      note: string
      other_id: number | null
      made_at: Date | null
      length: number
    }>()
    const rows = await db.systemRead((kysely) =>
      joined.select`from every_type e left join every_type other on other.id = e.id + 1 where e.id = 2`.compile(kysely),
    )
    expect(rows).toEqual([{ id: 2, note: second.note, other_id: null, made_at: null, length: 200_000 }])
  })

  it('returns the columns of what was written', async () => {
    const changed = rowOf('every_type', ['id', 'state'])
    const rows = await db.system((tx) => changed.returning`update every_type set state = 'off'`.execute(tx))
    expect(rows.rows).toEqual([
      { id: 1, state: 'off' },
      { id: 2, state: 'off' },
    ])
  })
})

it('refuses at compile time, not at run time, what the database does not have', () => {
  expect(wrongDeclarations).not.toThrow()
})

function wrongDeclarations(): void {
  // @ts-expect-error -- no such table
  rowOf('every_typ', ['id'])
  // @ts-expect-error -- no such column
  rowOf('every_type', 'e', ['id', 'centimes'])
  // @ts-expect-error -- an alias does not make a column
  rowOf('every_type', 'e', ['centimes as cents'])
  // @ts-expect-error -- two columns of one name
  rowsOf(rowOf('every_type', 'e', ['id']), rowOf('ride_order', 'o', ['id']))
  // @ts-expect-error -- codes are for texts
  rowOf('every_type', ['id']).codes({ id: ['on'] })
  // @ts-expect-error -- no such type
  computed('money', sql`1`)
  // @ts-expect-error -- a column that must have a value is missing
  columnTable<Thing>()('every_type', { id: ['bigint', ({ id }) => id] })
  columnTable<{ at: number | null }>()('access_change', {
    kind: ['text', () => 'role'],
    subject_id: ['bigint', () => 1],
    // @ts-expect-error -- null in a column that takes none
    at: ['timestamptz', ({ at }) => at],
  })
  columnTable<{ at: number }>()('access_change', {
    kind: ['text', () => 'role'],
    // @ts-expect-error -- a number is not written as text
    subject_id: ['text', () => 'one'],
  })
}
