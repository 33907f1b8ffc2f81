import { sql } from 'kysely'
import { rebindKinds, rebindStates, type Rebind, type RebindFilter } from '@saddle/contract/rider/rebinds.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { known } from '#kit/known.ts'
import { countOf, orderOf, pageOf, type Asked, type Listed } from '../parts/runs.ts'
import type { RiderRow } from '../parts/rider.ts'
import { maskIdNumber, maskPhone, type Seals } from '../people/seals.ts'

export type RebindRow = {
  id: number
  agent_id: number
  rider_id: number
  kind: string
  new_hash: string
  new_sealed: string
  wanted_name: string | null
  holder_id: number | null
  claim: string
  photo_ids: string[]
  asked_at: Date
  state: string
  reason: string
  decided_at: Date | null
  decided_by: string | null
}

type Person = { phone_hash: string; phone_sealed: string; name_sealed: string | null }
export type ListedRebindRow = RebindRow &
  Person & {
    company: string
    holder_hash: string | null
    holder_phone: string | null
    holder_name: string | null
  }

const columns = sql`w.id, w.agent_id, w.rider_id, w.kind, w.new_hash, w.new_sealed, w.name_sealed as wanted_name,
  w.holder_id, w.claim, w.photo_ids, w.asked_at, w.state, w.reason, w.decided_at, w.decided_by`

const listedOf = ({ states = [...rebindStates], kinds }: RebindFilter): Listed => ({
  table: 'rider_rebind',
  at: 'asked_at',
  by: { column: 'state', type: 'text', values: states },
  riderId: 'rider_id',
  ...(kinds !== undefined && { filter: sql`x.kind = any (${kinds}::text[])` }),
})

export function selectRebinds(filter: RebindFilter, asked: Asked) {
  return sql<ListedRebindRow>`
    select ${columns}, agent.company, r.phone_hash, r.phone_sealed, r.name_sealed, h.phone_hash as holder_hash,
      h.phone_sealed as holder_phone, h.name_sealed as holder_name
    from ${pageOf(listedOf(filter), asked)} join rider_rebind w on w.id = p.id
    join rider r on r.id = w.rider_id join agent on agent.id = w.agent_id
    left join rider h on h.id = w.holder_id
    order by ${orderOf(asked)}`
}

export const countRebinds = (filter: RebindFilter, asked: Asked) => countOf(listedOf(filter), asked)

const rebindsOfRiderMax = 50

/** Of one rider that was looked up within the scope: what they asked for. */
export function selectRebindsOf({ id, agent_id }: { id: number; agent_id: number }) {
  return sql<RebindRow>`
    select ${columns} from rider_rebind w where w.rider_id = ${id} and w.agent_id = ${agent_id}
    order by w.asked_at desc, w.id desc limit ${rebindsOfRiderMax}`
}

export function selectRebind({ id, scope }: { id: number; scope: Scope }) {
  return sql<RebindRow>`
    select ${columns} from rider_rebind w where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[])`
}

export async function lockRebind(tx: Tx, { id, scope }: { id: number; scope: Scope }): Promise<RebindRow | undefined> {
  const { rows } = await sql<RebindRow>`
    select ${columns} from rider_rebind w
    where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  return rows[0]
}

/** A phone's seal is bound to its hash, a certificate's as well; the name on it to the certificate's. */
export function wantedOf(row: RebindRow, seals: Seals): { readonly number: string; readonly masked: string } {
  const { new_hash: hash, new_sealed: sealed } = row
  if (row.kind === 'phone') {
    const number = seals.openPhone({ phone_hash: hash, phone_sealed: sealed })
    return { number, masked: maskPhone(number) }
  }
  const number = seals.openIdNumber({ cert_hash: hash, cert_sealed: sealed })
  return { number, masked: maskIdNumber(number) }
}

export const rebindOf = (row: RebindRow, seals: Seals): Rebind => ({
  id: row.id,
  riderId: row.rider_id,
  kind: known(rebindKinds, row.kind),
  wanted: wantedOf(row, seals).masked,
  holderId: row.holder_id,
  claim: row.claim,
  photos: row.photo_ids.length,
  askedAt: row.asked_at.getTime(),
  state: known(rebindStates, row.state),
  reason: row.reason,
  decidedAt: row.decided_at?.getTime() ?? null,
  decidedBy: row.decided_by,
})

export async function insertRebind(
  tx: Tx,
  rebind: {
    readonly rider: Pick<RiderRow, 'id' | 'agent_id'>
    readonly kind: 'phone' | 'certificate'
    readonly wanted: { readonly hash: string; readonly sealed: string }
    readonly nameSealed: string | null
    readonly holderId: number | null
    readonly claim: string
    readonly photoIds: readonly string[]
    readonly at: Date
  },
): Promise<void> {
  const { rider, wanted } = rebind
  await sql`
    insert into rider_rebind (agent_id, rider_id, kind, new_hash, new_sealed, name_sealed, holder_id, claim, photo_ids,
      asked_at)
    values (${rider.agent_id}, ${rider.id}, ${rebind.kind}, ${wanted.hash}, ${wanted.sealed}, ${rebind.nameSealed},
      ${rebind.holderId}, ${rebind.claim}, ${rebind.photoIds}::uuid[], ${rebind.at})`.execute(tx)
}

export async function decideRebind(
  tx: Tx,
  row: RebindRow,
  decision: {
    readonly state: 'approved' | 'refused'
    readonly oldSealed: string | null
    readonly reason: string
    readonly at: Date
    readonly operatorId: number
    readonly operatorName: string
  },
): Promise<void> {
  await sql`
    update rider_rebind set state = ${decision.state}, old_sealed = ${decision.oldSealed}, reason = ${decision.reason},
      decided_at = ${decision.at}, decided_by_id = ${decision.operatorId}, decided_by = ${decision.operatorName}
    where id = ${row.id} and agent_id = ${row.agent_id}`.execute(tx)
}

/** Gives the rider another phone; throws where another rider of the company has it. The name is bound to it anew. */
export async function changePhone(
  tx: Tx,
  rider: RiderRow,
  phone: { readonly hash: string; readonly sealed: string; readonly nameSealed: string | null },
): Promise<void> {
  await sql`
    update rider set phone_hash = ${phone.hash}, phone_sealed = ${phone.sealed}, name_sealed = ${phone.nameSealed}
    where id = ${rider.id} and agent_id = ${rider.agent_id}`.execute(tx)
}

export async function setIdNumber(
  tx: Tx,
  rider: Pick<RiderRow, 'id' | 'agent_id'>,
  certificate: {
    readonly hash: string
    readonly sealed: string
    readonly nameHash: string
    readonly nameSealed: string
    readonly at: Date
  } | null,
): Promise<void> {
  const name =
    certificate === null ? sql`` : sql`, name_hash = ${certificate.nameHash}, name_sealed = ${certificate.nameSealed}`
  await sql`
    update rider set cert_hash = ${certificate?.hash ?? null}, cert_sealed = ${certificate?.sealed ?? null},
      certified_at = ${certificate?.at ?? null} ${name}
    where id = ${rider.id} and agent_id = ${rider.agent_id}`.execute(tx)
}
