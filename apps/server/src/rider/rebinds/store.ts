import { sql } from 'kysely'
import { rebindKinds, rebindList, rebindStates, type Rebind } from '@saddle/contract/rider/rebinds.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { personColumns, type OfRiders, type RiderRow } from '../parts/rider.ts'
import { maskIdNumber, maskPhone, type Seals } from '../people/seals.ts'

const rebind = rowOf('rider_rebind', 'w', [
  'id',
  'agent_id',
  'rider_id',
  'kind',
  'new_hash',
  'new_sealed',
  'name_sealed as wanted_name',
  'holder_id',
  'claim',
  'photo_ids',
  'asked_at',
  'state',
  'reason',
  'decided_at',
  'decided_by',
]).codes({ kind: rebindKinds, state: rebindStates })
export type RebindRow = RowOf<typeof rebind>
const holder = rowOf('rider', 'h', [
  'phone_hash as holder_hash',
  'phone_sealed as holder_phone',
  'name_sealed as holder_name',
]).optional()

export const rebindRows = tableList(rebindList, {
  table: 'rider_rebind',
  alias: 'w',
  tenant: 'agent',
  columns: rowsOf(rebind, holder, personColumns),
  joins: sql`join rider r on r.id = w.rider_id join agent on agent.id = w.agent_id
    left join rider h on h.id = w.holder_id`,
  sorts: { asked: ['asked_at', 'instant'] },
  find: ({ states = rebindStates, kinds, ...span }, { riderIds }: OfRiders) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [riderIds && sql`w.rider_id = any (${riderIds}::bigint[])`],
    where: [...spanOf('w.asked_at', span), kinds && sql`w.kind = any (${kinds}::text[])`],
  }),
})

const rebindsOfRiderMax = 50

/** Of one rider that was looked up within the scope: what they asked for. */
export function selectRebindsOf({ id, agent_id }: { id: number; agent_id: number }) {
  return rebind.select`
    from rider_rebind w where w.rider_id = ${id} and w.agent_id = ${agent_id}
    order by w.asked_at desc, w.id desc limit ${rebindsOfRiderMax}`
}

export function selectRebind({ id, scope }: { id: number; scope: Scope }) {
  return rebind.select`
    from rider_rebind w where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[])`
}

export async function lockRebind(tx: Tx, { id, scope }: { id: number; scope: Scope }): Promise<RebindRow | undefined> {
  const { rows } = await rebind.select`
    from rider_rebind w
    where w.id = ${id} and w.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  return rows[0]
}

/** The seal of a phone or ID number is bound to its hash, that of the name on an ID document to the number's. */
export function wantedOf(row: RebindRow, seals: Seals): { readonly number: string; readonly masked: string } {
  const { new_hash: hash, new_sealed: sealed } = row
  if (row.kind === 'phone') {
    const number = seals.openPhone({ phone_hash: hash, phone_sealed: sealed })
    return { number, masked: maskPhone(number) }
  }
  const number = seals.openIdNumber({ cert_hash: hash, cert_sealed: sealed })
  return { number, masked: maskIdNumber(number) }
}

export function rebindOf(row: RebindRow, seals: Seals): Rebind {
  const { photoIds, ...shown } = rebind.present(row)
  return { ...shown, wanted: wantedOf(row, seals).masked, photos: photoIds.length }
}

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
  idNumber: {
    readonly hash: string
    readonly sealed: string
    readonly nameHash: string
    readonly nameSealed: string
    readonly at: Date
  } | null,
): Promise<void> {
  const name = idNumber === null ? sql`` : sql`, name_hash = ${idNumber.nameHash}, name_sealed = ${idNumber.nameSealed}`
  await sql`
    update rider set cert_hash = ${idNumber?.hash ?? null}, cert_sealed = ${idNumber?.sealed ?? null},
      certified_at = ${idNumber?.at ?? null} ${name}
    where id = ${rider.id} and agent_id = ${rider.agent_id}`.execute(tx)
}
