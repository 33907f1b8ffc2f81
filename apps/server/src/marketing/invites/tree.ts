import { sql, type RawBuilder } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { inviteReasons, inviteStates, inviteTreePageSize, type InviteNode } from '@saddle/contract/marketing/invites.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { InviteDeps } from './deps.ts'
import { isEdge } from './store.ts'

type Agents = Pick<Scope, 'agentIds'>

const countOf = (state: string) => sql`
  (select count(*) from invite c where c.inviter_id = r.id and c.state = ${state})`

const nodeRow = rowsOf(
  rowOf('rider', 'r', ['id', 'phone_sealed', 'phone_hash']),
  rowOf('invite', 'i', ['id as invite_id', 'state', 'reason', 'bound_at']).optional(),
  rowOfValues({
    brought: computed('integer', sql`coalesce(k.brought, 0)`),
    rewarded: computed('integer', countOf('rewarded')),
    refused: computed('integer', countOf('refused')),
  }),
).codes({ state: inviteStates, reason: inviteReasons })
const nodeJoins = sql`left join invite_code k on k.rider_id = r.id`

function nodeOf({ riders }: Pick<InviteDeps, 'riders'>, row: RowOf<typeof nodeRow>): InviteNode {
  const { id, inviteId, state, reason, boundAt, brought, rewarded, refused } = nodeRow.present(row)
  const isBrought = inviteId !== null && state !== null && boundAt !== null
  return {
    riderId: id,
    phone: riders.maskedPhone(row),
    invite: isBrought ? { id: inviteId, state, reason, boundAt } : null,
    brought,
    rewarded,
    refused,
  }
}

const cursorPattern = /^(\d{1,10})-(\d{1,18})$/

/** The first key of the next page, as the page before has told it. */
function cursorOf(after: string | undefined): readonly [number, number] | null {
  if (after === undefined) return null
  const [, first, second] = cursorPattern.exec(after) ?? []
  if (first === undefined || second === undefined) throw new AppError('bad_request', { values: { detail: 'after' } })
  return [Number(first), Number(second)]
}

export type TreePage = { readonly list: InviteNode[]; readonly after: string | null }

/** Tops of trees, the largest first. */
export async function treeTops(deps: InviteDeps, scope: Scope, after: string | undefined): Promise<TreePage> {
  const cursor = cursorOf(after)
  const rows = await deps.kit.db.read(scope, (k) => selectTops(scope, cursor).compile(k))
  return pageOf(deps, rows, (node) => `${node.brought}-${node.riderId}`)
}

function selectTops({ agentIds }: Agents, cursor: readonly [number, number] | null) {
  const from = cursor === null ? sql`true` : sql`(t.brought, t.rider_id) < (${cursor[0]}, ${cursor[1]})`
  return nodeRow.select`
    from (
      select t.rider_id, t.agent_id from invite_code t
      where t.agent_id = any (${agentIds}::bigint[]) and not t.is_brought and t.brought > 0 and ${from}
      order by t.brought desc, t.rider_id desc limit ${inviteTreePageSize + 1}
    ) t
    join rider r on r.id = t.rider_id and r.agent_id = t.agent_id
    left join invite i on i.invited_id = r.id and ${isEdge}
    ${nodeJoins}
    order by k.brought desc, r.id desc`
}

/** Those whom a rider brought, the latest first. */
export async function treeBelow(
  deps: InviteDeps,
  scope: Scope,
  { inviterId, after }: { readonly inviterId: number; readonly after: string | undefined },
): Promise<TreePage> {
  const cursor = cursorOf(after)
  const rows = await deps.kit.db.read(scope, (k) => selectBelow(scope, inviterId, cursor).compile(k))
  return pageOf(deps, rows, (node) => `0-${node.invite?.id ?? 0}`)
}

function selectBelow({ agentIds }: Agents, inviterId: number, cursor: readonly [number, number] | null) {
  const from = cursor === null ? sql`true` : sql`i.id < ${cursor[1]}`
  return nodeRow.select`
    from invite i join rider r on r.id = i.invited_id and r.agent_id = i.agent_id
    ${nodeJoins}
    where i.inviter_id = ${inviterId} and i.agent_id = any (${agentIds}::bigint[]) and ${from}
    order by i.id desc limit ${inviteTreePageSize + 1}`
}

function pageOf(
  deps: Pick<InviteDeps, 'riders'>,
  rows: readonly RowOf<typeof nodeRow>[],
  keyOf: (node: InviteNode) => string,
): TreePage {
  const list = rows.slice(0, inviteTreePageSize).map((row) => nodeOf(deps, row))
  const last = list.at(-1)
  return { list, after: rows.length > inviteTreePageSize && last !== undefined ? keyOf(last) : null }
}

/** Inviters that a search walks up; the path ends there. */
const pathMax = 50

/** From the top of its tree to the rider. */
export async function pathTo(deps: InviteDeps, scope: Scope, riderId: number): Promise<InviteNode[]> {
  const rows = await deps.kit.db.read(scope, (k) => selectPath(scope, riderId).compile(k))
  return rows.map((row) => nodeOf(deps, row))
}

function selectPath({ agentIds }: Agents, riderId: number): RawBuilder<RowOf<typeof nodeRow>> {
  return nodeRow.query(
    (list) => sql`
      with recursive up as (
        select r.id as rider_id, 0 as n from rider r
        where r.id = ${riderId} and r.agent_id = any (${agentIds}::bigint[])
        union all
        select i.inviter_id, up.n + 1 from up join invite i on i.invited_id = up.rider_id and ${isEdge}
        where up.n < ${pathMax} and i.agent_id = any (${agentIds}::bigint[])
      )
      select ${list}
      from up join rider r on r.id = up.rider_id and r.agent_id = any (${agentIds}::bigint[])
      left join invite i on i.invited_id = r.id and ${isEdge}
      ${nodeJoins}
      order by up.n desc`,
  )
}
