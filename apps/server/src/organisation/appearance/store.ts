import { sql, type RawBuilder } from 'kysely'
import { logoPath } from '@saddle/contract/organisation/appearance.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

const appearance = rowsOf(
  rowOf('agent', ['web_img', 'web_title', 'app_title', 'brand_company', 'domain', 'layout']).json<{
    layout: unknown
  }>(),
  rowOfValues({ has_api_key: computed('boolean', sql`api_key_hash is not null`) }),
)
export type Appearance = RowOf<typeof appearance>

/** How one company of the scope looks. */
export function selectAppearance(options: { agentId: number; scope: Scope }): RawBuilder<Appearance> {
  const { agentId, scope } = options
  return appearance.select`
    from agent where id = ${agentId} and agent_id = any (${scope.agentIds}::bigint[])`
}

/** The same, held until the commit. */
export async function lockAppearance(options: {
  tx: Tx
  agentId: number
  scope: Scope
}): Promise<Appearance | undefined> {
  const { rows } = await sql<Appearance>`${selectAppearance(options)} for update`.execute(options.tx)
  return rows[0]
}

export type AppearanceColumns = Omit<Appearance, 'has_api_key'>

export async function updateAppearance(options: {
  tx: Tx
  agentId: number
  scope: Scope
  columns: AppearanceColumns
}): Promise<void> {
  const { tx, agentId, scope, columns } = options
  await sql`
    update agent set web_img = ${columns.web_img}, web_title = ${columns.web_title}, app_title = ${columns.app_title},
      brand_company = ${columns.brand_company}, domain = ${columns.domain}, layout = ${JSON.stringify(columns.layout)}
    where id = ${agentId} and agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
}

export async function setApiKeyHash(options: {
  tx: Tx
  agentId: number
  scope: Scope
  hash: string | null
}): Promise<boolean> {
  const { tx, agentId, scope, hash } = options
  const { rows } = await sql`
    update agent set api_key_hash = ${hash}
    where id = ${agentId} and agent_id = any (${scope.agentIds}::bigint[])
    returning id`.execute(tx)
  return rows.length === 1
}

const own = rowsOf(
  rowOf('agent', 'brand', ['web_img', 'web_title', 'app_title', 'brand_company']).optional(),
  rowOf('agent', 'own_company', ['layout as company']).json<{ company: unknown }>(),
  rowOf('operator', 'person', ['layout as own']).json<{ own: unknown }>(),
)

/**
 * What one person sees. As the system, and by who asks alone: the companies above a person's own lie outside of the
 * scope, and their branding is shown to whoever opens their address anyway.
 */
export async function readOwnAppearance(options: {
  db: Database
  agentId: number
  operatorId: number
}): Promise<RowOf<typeof own> | undefined> {
  const { db, agentId, operatorId } = options
  const rows = await db.systemRead((k) =>
    own
      .query(
        (list) => sql`
      with recursive above (id, depth) as (
        select ${agentId}::bigint, 0
        union all
        select agent.parent_id, above.depth + 1 from above join agent on agent.id = above.id
        where agent.parent_id is not null and above.depth < ${depthMax}
      )
      select ${list}
      from agent own_company
        join operator person on person.id = ${operatorId} and person.agent_id = own_company.id
        left join lateral (
          select agent.web_img, agent.web_title, agent.app_title, agent.brand_company
          from above join agent on agent.id = above.id
          where num_nonnulls(agent.web_img, agent.web_title, agent.app_title, agent.brand_company) > 0
          order by above.depth limit 1
        ) brand on true
      where own_company.id = ${agentId}`,
      )
      .compile(k),
  )
  return rows[0]
}

/** Far more than a tree of companies is deep: the bound of a reading, should the tree ever hold a ring. */
const depthMax = 50

export async function updateOwnLayout(options: {
  tx: Tx
  agentId: number
  operatorId: number
  layout: unknown
}): Promise<boolean> {
  const { tx, agentId, operatorId, layout } = options
  const { rows } = await sql`
    update operator set layout = ${JSON.stringify(layout)} where id = ${operatorId} and agent_id = ${agentId}
    returning id`.execute(tx)
  return rows.length === 1
}

const agentRow = rowOf('agent', ['id'])

/** Before any login, so as the system: which enabled company shows this logo. */
export async function ownerOfLogo(options: { db: Database; id: string }): Promise<number | undefined> {
  const rows = await options.db.systemRead((k) =>
    agentRow.select`from agent where web_img = ${logoPath + options.id} and state = 'enabled' limit 1`.compile(k),
  )
  return rows[0]?.id
}
