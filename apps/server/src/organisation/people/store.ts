import type { OperatorLevel } from '@saddle/contract/constants.ts'
import type { EnabledState } from '@saddle/contract/organisation/roles.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { likePattern } from '#organisation/agents/rules.ts'
import type { PeopleReach } from './reach.ts'

export interface StoredPerson {
  readonly operatorId: number
  readonly agentId: number
  readonly company: string
  readonly isCompanyEnabled: boolean
  readonly name: string
  readonly phoneSealed: string
  readonly level: OperatorLevel
  readonly state: EnabledState
  readonly role: { readonly id: number; readonly name: string; readonly state: EnabledState } | null
  /** Codes of the role, whether it is enabled or not. */
  readonly codes: string[]
  readonly allAreas: boolean
  /** Named areas that the caller sees. */
  readonly areas: { readonly id: number; readonly name: string }[]
  readonly lastLoginAt: Date | null
  readonly createdAt: Date
  readonly supportAccount: string | null
  readonly hasTotp: boolean
  readonly isSelf: boolean
  readonly version: number
}

export interface PersonFilter {
  readonly keyword?: string | undefined
  /** Of the keyword, where it is a whole phone number. */
  readonly phoneHash?: string | undefined
  readonly level?: OperatorLevel | undefined
  readonly state?: EnabledState | undefined
  readonly roleId?: number | undefined
  readonly agentId?: number | undefined
  readonly areaId?: number | undefined
  readonly page: number
  readonly pageSize: number
}

const personOf = (scope: Scope, callerId: number): RawBuilder<unknown> => sql`
  o.id as "operatorId", o.agent_id as "agentId", agent.company,
  agent.state = 'enabled' as "isCompanyEnabled", o.name, o.phone_sealed as "phoneSealed", o.level, o.state,
  case when r.id is null then null else jsonb_build_object('id', r.id, 'name', r.name, 'state', r.state) end as role,
  array(select p.code from role_permission p where p.role_id = r.id order by p.code) as codes,
  o.all_areas as "allAreas",
  coalesce((
    select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by a.name, a.id)
    from operator_area h join service_area a on a.id = h.area_id
    where h.operator_id = o.id and not o.all_areas and h.area_id = any (${scope.areaIds}::bigint[])
      and a.agent_id = any (${scope.agentIds}::bigint[])
  ), '[]'::jsonb) as areas,
  o.last_login_at as "lastLoginAt", o.created_at as "createdAt", o.support_account as "supportAccount",
  o.totp_enabled_at is not null as "hasTotp", o.id = ${callerId} as "isSelf", o.version`

const joined = sql`operator o join agent on agent.id = o.agent_id left join role r on r.id = o.role_id`

/** One page of the people of the scope, how many there are, and how many of each level the other conditions leave. */
export async function findPeople(options: {
  db: Database
  reach: PeopleReach
  filter: PersonFilter
  callerId: number
}): Promise<{ rows: StoredPerson[]; levels: { level: OperatorLevel; count: number }[] }> {
  const { db, reach, filter, callerId } = options
  const { scope } = reach
  const { level, page, pageSize } = filter
  const where = sql.join(conditions(reach, filter), sql` and `)
  const ofLevel = level === undefined ? sql`` : sql`and o.level = ${level}`
  const [rows, levels] = await Promise.all([
    db.read(scope, (k) =>
      sql<StoredPerson>`
        select ${personOf(scope, callerId)} from ${joined}
        where o.id = any (array(
          select o.id from operator o where ${where} ${ofLevel}
          order by o.id desc limit ${pageSize} offset ${(page - 1) * pageSize}
        ))
        order by o.id desc`.compile(k),
    ),
    db.read(scope, (k) =>
      sql<{ level: OperatorLevel; count: number }>`
        select o.level, count(*) as count from operator o where ${where} group by o.level order by o.level`.compile(k),
    ),
  ])
  return { rows, levels }
}

function conditions({ scope, agentIds }: PeopleReach, filter: PersonFilter): RawBuilder<unknown>[] {
  const { keyword, phoneHash, state, roleId, agentId, areaId } = filter
  return [
    sql`o.agent_id = any (${agentIds}::bigint[])`,
    sql`o.state <> 'removed'`,
    ...(phoneHash === undefined ? [] : [sql`o.phone_hash = ${phoneHash}`]),
    ...(phoneHash !== undefined || keyword === undefined || keyword === ''
      ? []
      : [sql`o.name ilike ${likePattern(keyword)}`]),
    ...(state === undefined ? [] : [sql`o.state = ${state}`]),
    ...(roleId === undefined ? [] : [sql`o.role_id = ${roleId}`]),
    ...(agentId === undefined ? [] : [sql`o.agent_id = ${agentId}`]),
    ...(areaId === undefined
      ? []
      : [
          sql`(o.all_areas or exists (
            select from operator_area h
            where h.operator_id = o.id and h.area_id = ${areaId} and h.area_id = any (${scope.areaIds}::bigint[])
          ))`,
        ]),
  ]
}

interface OnePerson {
  readonly reach: PeopleReach
  readonly callerId: number
}
type Wanted = { readonly operatorId: number } | { readonly phoneHash: string }

const onePerson = ({ reach, callerId, operatorId }: OnePerson & { operatorId: number }) => sql<StoredPerson>`
  select ${personOf(reach.scope, callerId)} from ${joined}
  where o.agent_id = any (${reach.agentIds}::bigint[]) and o.state <> 'removed'
    and o.id = ${operatorId}`

/** One person of the scope; null when they lie outside or have left. */
export async function findPerson(
  db: Database,
  wanted: OnePerson & { readonly operatorId: number },
): Promise<StoredPerson | null> {
  const [row] = await db.read(wanted.reach.scope, (k) => onePerson(wanted).compile(k))
  return row ?? null
}

/** Like `findPerson`, held until the commit. */
export async function lockPerson(tx: Tx, wanted: OnePerson & Wanted): Promise<StoredPerson | null> {
  const { reach, callerId } = wanted
  const condition = 'operatorId' in wanted ? sql`id = ${wanted.operatorId}` : sql`phone_hash = ${wanted.phoneHash}`
  await sql`
    select from operator
    where ${condition} and agent_id = any (${reach.agentIds}::bigint[]) for update`.execute(tx)
  const named = await sql<{ id: number }>`select id from operator where ${condition}`.execute(tx)
  const operatorId = named.rows[0]?.id
  if (operatorId === undefined) return null
  const { rows } = await onePerson({ reach, callerId, operatorId }).execute(tx)
  return rows[0] ?? null
}

/** Which of the areas may be given to people of the company: the company's own and those below it, within the scope. */
export async function givableAreas(
  tx: Tx,
  options: { readonly scope: Scope; readonly agentId: number; readonly areaIds: readonly number[] },
): Promise<number[]> {
  const { scope, agentId, areaIds } = options
  const { rows } = await sql<{ id: number }>`
    select a.id from service_area a
    where a.id = any (${areaIds}::bigint[]) and a.area_id = any (${scope.areaIds}::bigint[])
      and a.agent_id in (select agent_and_below(${agentId}))
    order by a.id`.execute(tx)
  return rows.map((row) => row.id)
}

/** What hangs on a person of the scope besides their login; counts, as far as the caller sees the areas. */
export async function countUses(
  db: Database,
  options: { readonly scope: Scope; readonly operatorId: number },
): Promise<{ screenings: number; pendingCommands: number }> {
  const { scope, operatorId } = options
  const [row] = await db.read(scope, (k) =>
    sql<{ screenings: number; pendingCommands: number }>`
      select
        (select count(*) from screening s where s.operator_id = ${operatorId}) as screenings,
        (select count(*) from vehicle_command c
          where c.operator_id = ${operatorId} and c.state in ('queued', 'sent', 'acknowledged')) as "pendingCommands"
      `.compile(k),
  )
  return row ?? { screenings: 0, pendingCommands: 0 }
}
