import { operatorLevels } from '@saddle/contract/constants.ts'
import { personList } from '@saddle/contract/organisation/people.ts'
import { enabledStates, type EnabledState } from '@saddle/contract/organisation/roles.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import { tableList } from '#kit/list/tableList.ts'
import { likePattern } from '#organisation/agents/rules.ts'
import type { PeopleReach } from './reach.ts'

/** A person with their role and the named areas that the scope sees. */
const personColumns = (scope: Scope) =>
  rowsOf(
    rowOf('operator', 'o', [
      'id as operator_id',
      'agent_id',
      'name',
      'phone_sealed',
      'level',
      'state',
      'all_areas',
      'last_login_at',
      'created_at',
      'support_account',
      'version',
    ])
      .filled('phone_sealed')
      .codes({ state: enabledStates }),
    rowOf('agent', 'agent', ['company']),
    rowOfValues({
      is_company_enabled: computed('boolean', sql`agent.state = 'enabled'`),
      role: builtJson<{ readonly id: number; readonly name: string; readonly state: EnabledState } | null>(sql`
        case when r.id is null then null else jsonb_build_object('id', r.id, 'name', r.name, 'state', r.state) end`),
      /** Codes of the role, whether it is enabled or not. */
      codes: computed(
        'text[]',
        sql`array(select p.code from role_permission p where p.role_id = r.id order by p.code)`,
      ),
      areas: builtJson<{ readonly id: number; readonly name: string }[]>(sql`
        coalesce((
          select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by a.name, a.id)
          from operator_area h join service_area a on a.id = h.area_id
          where h.operator_id = o.id and not o.all_areas and h.area_id = any (${scope.areaIds}::bigint[])
            and a.agent_id = any (${scope.agentIds}::bigint[])
        ), '[]'::jsonb)`),
      has_totp: computed('boolean', sql`o.totp_enabled_at is not null`),
    }),
  )
type PersonColumns = ReturnType<typeof personColumns>

const joins = sql`join agent on agent.id = o.agent_id left join role r on r.id = o.role_id`
const noScope: Scope = { agentIds: [], areaIds: [], operatorId: 0 }
const shown = personColumns(noScope)

export function storedPerson(row: RowOf<PersonColumns>, callerId: number) {
  const person = shown.present(row)
  const level = codeOf(Object.values(operatorLevels), row.level)
  return { ...person, level, isSelf: person.operatorId === callerId }
}
export type StoredPerson = ReturnType<typeof storedPerson>

/** What the list of people needs beside its filter. */
export interface OfPeople {
  /** The companies of the side. */
  readonly agentIds: readonly number[]
  /** Of the phone number that is looked for. */
  readonly phoneHash: string | undefined
}

export const personRows = tableList(personList, {
  table: 'operator',
  alias: 'o',
  tenant: 'agent',
  columns: personColumns,
  joins,
  sorts: { created: ['created_at', 'instant'], name: ['name', 'text'] },
  find: ({ keyword, levels, states, roleId, agentId, areaId }, { agentIds, phoneHash }: OfPeople, { scope }) => ({
    agentIds: agentId === undefined ? agentIds : agentIds.filter((id) => id === agentId),
    narrowed: [
      phoneHash !== undefined && sql`o.phone_hash = ${phoneHash}`,
      roleId !== undefined && sql`o.role_id = ${roleId}`,
    ],
    where: [
      sql`o.state <> 'removed'`,
      keyword !== undefined && keyword !== '' && sql`o.name ilike ${likePattern(keyword)}`,
      levels && sql`o.level = any (${levels}::smallint[])`,
      states && sql`o.state = any (${states}::text[])`,
      areaId !== undefined &&
        sql`(o.all_areas or exists (
          select from operator_area h
          where h.operator_id = o.id and h.area_id = ${areaId} and h.area_id = any (${scope.areaIds}::bigint[])
        ))`,
    ],
  }),
})

const levelRow = rowsOf(rowOf('operator', 'o', ['level']), rowOfValues({ count: computed('bigint', sql`count(*)`) }))

/** How many people of each level the companies have. */
export async function countLevels(db: Database, { scope, agentIds }: PeopleReach) {
  const rows = await db.read(scope, (k) =>
    levelRow.select`
      from operator o where o.agent_id = any (${agentIds}::bigint[]) and o.state <> 'removed'
      group by o.level order by o.level`.compile(k),
  )
  return rows.map(({ level, count }) => ({ level: codeOf(Object.values(operatorLevels), level), count }))
}

interface OnePerson {
  readonly reach: PeopleReach
  readonly callerId: number
}
type Wanted = { readonly operatorId: number } | { readonly phoneHash: string }

const onePerson = ({ reach, operatorId }: OnePerson & { operatorId: number }) => personColumns(reach.scope).select`
  from operator o ${joins}
  where o.agent_id = any (${reach.agentIds}::bigint[]) and o.state <> 'removed' and o.id = ${operatorId}`

/** One person of the scope; null when they lie outside or have left. */
export async function findPerson(
  db: Database,
  wanted: OnePerson & { readonly operatorId: number },
): Promise<StoredPerson | null> {
  const [row] = await db.read(wanted.reach.scope, (k) => onePerson(wanted).compile(k))
  return row === undefined ? null : storedPerson(row, wanted.callerId)
}

const idRow = rowOf('operator', ['id'])

/** Like `findPerson`, held until the commit. */
export async function lockPerson(tx: Tx, wanted: OnePerson & Wanted): Promise<StoredPerson | null> {
  const { reach, callerId } = wanted
  const condition = 'operatorId' in wanted ? sql`id = ${wanted.operatorId}` : sql`phone_hash = ${wanted.phoneHash}`
  await sql`
    select from operator
    where ${condition} and agent_id = any (${reach.agentIds}::bigint[]) for update`.execute(tx)
  const named = await idRow.select`from operator where ${condition}`.execute(tx)
  const operatorId = named.rows[0]?.id
  if (operatorId === undefined) return null
  const { rows } = await onePerson({ reach, callerId, operatorId }).execute(tx)
  return rows[0] === undefined ? null : storedPerson(rows[0], callerId)
}

const areaIdRow = rowOf('service_area', 'a', ['id'])

/** Which of the areas may be given to people of the company: the company's own and those below it, within the scope. */
export async function givableAreas(
  tx: Tx,
  options: { readonly scope: Scope; readonly agentId: number; readonly areaIds: readonly number[] },
): Promise<number[]> {
  const { scope, agentId, areaIds } = options
  const { rows } = await areaIdRow.select`
    from service_area a
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
  const uses = rowOfValues({
    screenings: computed('bigint', sql`(select count(*) from screening s where s.operator_id = ${operatorId})`),
    pendingCommands: computed(
      'bigint',
      sql`(
        select count(*) from vehicle_command c
        where c.operator_id = ${operatorId} and c.state in ('queued', 'sent', 'acknowledged')
      )`,
    ),
  })
  const [row] = await db.read(scope, (k) => uses.select``.compile(k))
  return row ?? { screenings: 0, pendingCommands: 0 }
}
