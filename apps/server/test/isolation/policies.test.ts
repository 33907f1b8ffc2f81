import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { scopeOfAgent, type Scope } from '#kit/db/scope.ts'
import { createTally, createWorld, openPolicy, policedTables, type World } from './world.ts'

const tally = createTally('by policies alone')
const world = await createWorld()
const tables = await policedTables(world.server)

interface Reading {
  readonly table: string
  readonly column: 'agent_id' | 'area_id'
  readonly scope: Scope
}

/** What the table shows the role of requests within a scope, asked for without any filter. */
async function seen({ server }: World, { table, column, scope }: Reading): Promise<(number | null)[]> {
  return await server.db.withScope(scope, async (tx) => {
    const { rows } = await sql<{ id: number | null }>`
      select distinct ${sql.ref(column)} as id from ${sql.table(table)}`.execute(tx)
    return rows.map(({ id }) => id)
  })
}

const { alpha, bravo, server } = world
const ownScope = scopeOfAgent(alpha.agentId, [...alpha.areaIds])
const oneArea = scopeOfAgent(alpha.agentId, [alpha.areaIds[0]])

async function columnsOf(table: string): Promise<{ canRead: boolean; hasArea: boolean; hasForeign: boolean }> {
  const { rows } = await sql<{ can_read: boolean; has_area: boolean }>`
    select has_table_privilege('saddle_app', c.oid, 'select') as can_read,
      exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'tenant'
        and p.qual like '%area_id%') as has_area
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = ${table}`.execute(server.owner)
  const foreign = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(table)} where agent_id = ${bravo.agentId}) as found`.execute(server.owner)
  const [row] = rows
  if (row === undefined) throw new Error(`there is no table ${table}`)
  return { canRead: row.can_read, hasArea: row.has_area, hasForeign: foreign.rows[0]?.found === true }
}

describe('the row policy', () => {
  it('stands on every table that has tenants', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
        and has_table_privilege('saddle_app', c.oid, 'select') and c.relname <> all (${tables})`.execute(server.owner)
    expect(rows).toEqual([])
    expect(tables.length).toBeGreaterThan(12)
  })

  it.each(tables)('of %s keeps a tenant from another, and nothing else does', async (table) => {
    const { canRead, hasArea, hasForeign } = await columnsOf(table)
    if (!canRead) return
    tally.cases += 1
    const agents = await seen(world, { table, column: 'agent_id', scope: ownScope })
    if (agents.includes(bravo.agentId)) tally.leaks += 1
    expect(agents.filter((id) => id !== alpha.agentId)).toEqual([])
    if (hasArea) {
      tally.cases += 1
      const areas = await seen(world, { table, column: 'area_id', scope: oneArea })
      if (areas.includes(alpha.areaIds[1])) tally.leaks += 1
      expect(areas.filter((id) => id !== null && id !== alpha.areaIds[0])).toEqual([])
    }
    // Without rows of another tenant there would be nothing to keep apart.
    expect(hasForeign, `the fixture has no row of another tenant in ${table}`).toBe(true)
  })

  it.each(tables)('of %s is missed when it is gone', async (table) => {
    const { canRead } = await columnsOf(table)
    if (!canRead) return
    await openPolicy(server, table)
    expect(await seen(world, { table, column: 'agent_id', scope: ownScope })).toContain(bravo.agentId)
  })
})
