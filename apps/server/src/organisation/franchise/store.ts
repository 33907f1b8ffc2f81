import { agentTreeMax, type AgentNode, devicePolicySchema } from '@saddle/contract/organisation/franchise.ts'
import { enabledStateSchema } from '@saddle/contract/organisation/roles.ts'
import { sql, type Kysely } from 'kysely'
import { plannedAnew } from '#kit/db/plannedAnew.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'

type NodeRow = {
  id: number
  parent_id: number | null
  company: string
  state: string
  device_policy: string
  finance_totp_from: Date | null
  created_at: Date
  accounts: number
  roles: number
  vehicles: number
}
type AreaLeaf = { id: number; agent_id: number; name: string; state: string }

/** The companies of a scope with their figures, the outermost first; one of them, where an id is given. */
export async function readTree(options: {
  db: Database
  scope: Scope
  withAreas: boolean
  agentId?: number
}): Promise<AgentNode[]> {
  const { db, scope, withAreas, agentId } = options
  const narrow = narrowed(scope, agentId)
  const [rows, areas] = await Promise.all([
    db.read(scope, (k) => plannedAnew(nodesQuery(narrow).compile(k))),
    db.read(scope, (k) => plannedAnew(areasQuery(narrow).compile(k))),
  ])
  return nodesOf({ rows, areas, withAreas })
}

/** One company of the scope as its change left it, within that change's transaction; null outside. */
export async function readNode(options: { tx: Kysely<DB>; scope: Scope; agentId: number }): Promise<AgentNode | null> {
  const { tx, scope, agentId } = options
  const narrow = narrowed(scope, agentId)
  const { rows } = await nodesQuery(narrow).execute(tx)
  const areas = await areasQuery(narrow).execute(tx)
  return nodesOf({ rows, areas: areas.rows, withAreas: false })[0] ?? null
}

type Reach = Pick<Scope, 'agentIds' | 'areaIds'>

function narrowed({ agentIds, areaIds }: Scope, agentId: number | undefined): Reach {
  return { agentIds: agentId === undefined ? agentIds : agentIds.filter((id) => id === agentId), areaIds }
}

/**
 * Lists of the scope are joined and not compared with: with thousands of areas every row would be held against all of
 * them as soon as the plan is made without knowing the list.
 */
function nodesQuery({ agentIds, areaIds }: Reach) {
  const companies = sql`unnest(${agentIds}::bigint[]) as company (id)`
  return sql<NodeRow>`
    with accounts as (
        select o.agent_id, count(*) as n from ${companies} join operator o on o.agent_id = company.id
        where o.state <> 'removed' group by o.agent_id
      ), roles as (
        select r.agent_id, count(*) as n from ${companies} join role r on r.agent_id = company.id group by r.agent_id
      ), vehicles as (
        select v.agent_id, count(*) as n
        from vehicle v join unnest(${areaIds}::bigint[]) as area (id) on area.id = v.area_id
          join ${companies} on company.id = v.agent_id
        group by v.agent_id
      )
    select a.id, a.parent_id, a.company, a.state, a.device_policy, a.finance_totp_from, a.created_at,
      coalesce(accounts.n, 0) as accounts, coalesce(roles.n, 0) as roles, coalesce(vehicles.n, 0) as vehicles
    from ${companies} join agent a on a.id = company.id
      left join accounts on accounts.agent_id = a.id left join roles on roles.agent_id = a.id
      left join vehicles on vehicles.agent_id = a.id
    order by a.parent_id nulls first, a.id
    limit ${agentTreeMax}`
}

function areasQuery({ agentIds, areaIds }: Reach) {
  return sql<AreaLeaf>`
    select s.id, s.agent_id, s.name, s.state
    from unnest(${areaIds}::bigint[]) as area (id) join service_area s on s.id = area.id
      join unnest(${agentIds}::bigint[]) as company (id) on company.id = s.agent_id
    order by s.agent_id, s.name, s.id`
}

function nodesOf(read: { rows: readonly NodeRow[]; areas: readonly AreaLeaf[]; withAreas: boolean }): AgentNode[] {
  const areasOf = Map.groupBy(read.areas, (area) => area.agent_id)
  return read.rows.map((row) => {
    const areas = areasOf.get(row.id) ?? []
    return {
      id: row.id,
      parentId: row.parent_id,
      company: row.company,
      state: enabledStateSchema.parse(row.state),
      devicePolicy: devicePolicySchema.parse(row.device_policy),
      financeTotpFrom: row.finance_totp_from?.getTime() ?? null,
      areas: areas.length,
      accounts: row.accounts,
      roles: row.roles,
      vehicles: row.vehicles,
      areaList: read.withAreas
        ? areas.map(({ id, name, state }) => ({ id, name, state: enabledStateSchema.parse(state) }))
        : [],
      createdAt: row.created_at.getTime(),
    }
  })
}

export type CompanyRow = {
  id: number
  parentId: number | null
  company: string
  state: string
  devicePolicy: string
  financeTotpFrom: Date | null
}

/** One company of the scope, held until the commit; null outside. */
export async function lockCompany(options: { tx: Tx; scope: Scope; agentId: number }): Promise<CompanyRow | null> {
  const { tx, scope, agentId } = options
  const row = await tx
    .selectFrom('agent')
    .select([
      'id',
      'parent_id as parentId',
      'company',
      'state',
      'device_policy as devicePolicy',
      'finance_totp_from as financeTotpFrom',
    ])
    .where('id', '=', agentId)
    .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Changes of the tree take turns: two moves at once could close a ring that neither of them closes alone. */
export async function lockTree(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('agent_tree', 0))`.execute(tx)
}

export async function idsBelow(tx: Tx, agentId: number): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select agent_and_below(${agentId}) as id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

export async function countCompanies(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('agent')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** What stopping a company would touch, within the scope; its sessions are counted by the system, who alone sees them. */
export async function countCompanyUses(options: { db: Database; scope: Scope; agentId: number; now: Date }) {
  const { db, scope, agentId, now } = options
  type Counts = { accounts: number; companies: number; areas: number; vehicles: number; rides: number; tasks: number }
  const [[counts], [sessions]] = await Promise.all([
    db.read(scope, (k) =>
      sql<Counts>`
        select
          (select count(*) from operator where agent_id = ${agentId} and state = 'enabled') as accounts,
          (select count(*) from agent where parent_id = ${agentId}) as companies,
          (select count(*) from service_area where agent_id = ${agentId}) as areas,
          (select count(*) from vehicle where agent_id = ${agentId}) as vehicles,
          (select count(*) from trip where agent_id = ${agentId} and ended_at is null) as rides,
          (select count(*) from task where agent_id = ${agentId} and state in ('open', 'claimed')) as tasks`.compile(k),
    ),
    db.systemRead((k) =>
      sql<{ sessions: number }>`
        select count(*) as sessions from session join operator on operator.id = session.operator_id
        where operator.agent_id = ${agentId} and session.revoked_at is null and session.expires_at > ${now}`.compile(k),
    ),
  ])
  if (counts === undefined || sessions === undefined) throw new Error('a select without FROM has one row')
  return { ...counts, sessions: sessions.sessions }
}
