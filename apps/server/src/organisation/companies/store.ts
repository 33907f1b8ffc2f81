import { agentTreeMax, type AgentNode, devicePolicySchema } from '@saddle/contract/organisation/companies.ts'
import { enabledStateSchema } from '@saddle/contract/organisation/roles.ts'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { forceCustomPlan } from '#kit/db/forceCustomPlan.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'

const nodeRow = rowOf('agent', 'a', [
  'id',
  'parent_id',
  'company',
  'state',
  'device_policy',
  'finance_totp_from',
  'created_at',
])
type NodeRow = RowOf<typeof nodeRow>
const areaLeafRow = rowOf('service_area', 's', ['id', 'agent_id', 'name', 'state'])
type AreaLeaf = RowOf<typeof areaLeafRow>
type Reach = Pick<Scope, 'agentIds' | 'areaIds'>

/** The companies of a scope, the outermost first, with areas and figures where they are asked for. */
export async function readTree(options: {
  db: Database
  scope: Scope
  withAreas?: boolean
  withFigures?: boolean
}): Promise<AgentNode[]> {
  const { db, scope, withAreas = false, withFigures = false } = options
  const [rows, areas, counts] = await Promise.all([
    db.read(scope, (k) => forceCustomPlan(nodesQuery(scope.agentIds).compile(k))),
    withAreas ? db.read(scope, (k) => forceCustomPlan(areasQuery(scope).compile(k))) : [],
    withFigures ? db.read(scope, (k) => forceCustomPlan(countsQuery(scope).compile(k))) : null,
  ])
  const areasOf = Map.groupBy(areas, (area) => area.agent_id)
  const countsOf = counts === null ? null : new Map(counts.map((row) => [row.agent_id, row]))
  return rows.map((row) => {
    const figures = countsOf === null ? null : figuresOf(countsOf.get(row.id))
    return nodeOf(row, areasOf.get(row.id), figures)
  })
}

/** One company of the scope as its change left it, within that change's transaction; null outside. */
export async function readNode(options: { tx: Kysely<DB>; scope: Scope; agentId: number }): Promise<AgentNode | null> {
  const { tx, scope, agentId } = options
  const { rows } = await nodesQuery(scope.agentIds.filter((id) => id === agentId)).execute(tx)
  return rows[0] === undefined ? null : nodeOf(rows[0])
}

function nodesQuery(agentIds: readonly number[]) {
  return nodeRow.select`
    from unnest(${agentIds}::bigint[]) as company (id) join agent a on a.id = company.id
    order by a.parent_id nulls first, a.id
    limit ${agentTreeMax}`
}

/**
 * Lists of the scope are joined and not compared with: with thousands of areas every row would be held against all of
 * them as soon as the plan is made without knowing the list.
 */
function areasQuery({ agentIds, areaIds }: Reach) {
  return areaLeafRow.select`
    from unnest(${areaIds}::bigint[]) as area (id) join service_area s on s.id = area.id
      join unnest(${agentIds}::bigint[]) as company (id) on company.id = s.agent_id
    order by s.agent_id, s.name, s.id`
}

const figuresRow = rowOfValues({
  agent_id: computed('bigint', sql`company.id`),
  accounts: computed(
    'bigint',
    sql`(select count(*) from operator o where o.agent_id = company.id and o.state <> 'removed')`,
  ),
  roles: computed('bigint', sql`(select count(*) from role r where r.agent_id = company.id)`),
  vehicles: computed('bigint', sql`coalesce((select n from vehicles where vehicles.agent_id = company.id), 0)`),
  areas: computed('bigint', sql`coalesce((select n from areas where areas.agent_id = company.id), 0)`),
})

function countsQuery({ agentIds, areaIds }: Reach) {
  const companies = sql`unnest(${agentIds}::bigint[]) as company (id)`
  const held = sql`unnest(${areaIds}::bigint[]) as area (id)`
  return figuresRow.query(
    (list) => sql`
      with vehicles as (
          select v.agent_id, count(*) as n
          from ${held} join vehicle v on v.area_id = area.id join ${companies} on company.id = v.agent_id
          group by v.agent_id
        ), areas as (
          select s.agent_id, count(*) as n from ${held} join service_area s on s.id = area.id group by s.agent_id
        )
      select ${list} from ${companies}`,
  )
}

function figuresOf(row: RowOf<typeof figuresRow> | undefined): AgentNode['figures'] {
  if (row === undefined) return { areas: 0, accounts: 0, roles: 0, vehicles: 0 }
  const { areas, accounts, roles, vehicles } = row
  return { areas, accounts, roles, vehicles }
}

function nodeOf(row: NodeRow, areas: readonly AreaLeaf[] = [], figures: AgentNode['figures'] = null): AgentNode {
  return {
    id: row.id,
    parentId: row.parent_id,
    company: row.company,
    state: enabledStateSchema.parse(row.state),
    devicePolicy: devicePolicySchema.parse(row.device_policy),
    financeTotpFrom: row.finance_totp_from?.getTime() ?? null,
    figures,
    areaList: areas.map(({ id, name, state }) => ({ id, name, state: enabledStateSchema.parse(state) })),
    createdAt: row.created_at.getTime(),
  }
}

const heldCompany = rowOf('agent', [
  'id',
  'parent_id as parentId',
  'company',
  'state',
  'device_policy as devicePolicy',
  'finance_totp_from as financeTotpFrom',
])
export type HeldCompany = RowOf<typeof heldCompany>

/** One company of the scope, held until the commit; null outside. */
export async function lockCompany(options: { tx: Tx; scope: Scope; agentId: number }): Promise<HeldCompany | null> {
  const { tx, scope, agentId } = options
  const { rows } = await heldCompany.select`
    from agent where id = ${agentId} and agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  return rows[0] ?? null
}

/** Changes of the tree take turns: two moves at once could close a ring that neither of them closes alone. */
export async function lockTree(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('agent_tree', 0))`.execute(tx)
}

export async function idsBelow(tx: Tx, agentId: number): Promise<Set<number>> {
  const { rows } = await rowOfValues({ id: computed('bigint', sql`agent_and_below(${agentId})`) }).select``.execute(tx)
  return new Set(rows.map((row) => row.id))
}

export async function countCompanies(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('agent')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const sessionsRow = rowOfValues({ sessions: computed('bigint', sql`count(*)`) })

/** What stopping a company would touch, within the scope; its sessions are counted by the system, who alone sees them. */
export async function countCompanyUses(options: { db: Database; scope: Scope; agentId: number; now: Date }) {
  const { db, scope, agentId, now } = options
  const of = (statement: RawBuilder<unknown>) => computed('bigint', sql`(select count(*) from ${statement})`)
  const uses = rowOfValues({
    accounts: of(sql`operator where agent_id = ${agentId} and state = 'enabled'`),
    companies: of(sql`agent where parent_id = ${agentId}`),
    areas: of(sql`service_area where agent_id = ${agentId}`),
    vehicles: of(sql`vehicle where agent_id = ${agentId}`),
    rides: of(sql`trip where agent_id = ${agentId} and ended_at is null`),
    tasks: of(sql`task where agent_id = ${agentId} and done_at is null`),
  })
  const [[counts], [sessions]] = await Promise.all([
    db.read(scope, (k) => uses.select``.compile(k)),
    db.systemRead((k) =>
      sessionsRow.select`
        from session join operator on operator.id = session.operator_id
        where operator.agent_id = ${agentId} and session.revoked_at is null and session.expires_at > ${now}`.compile(k),
    ),
  ])
  if (counts === undefined || sessions === undefined) throw new Error('a select without FROM has one row')
  return { ...counts, sessions: sessions.sessions }
}
