import { sql } from 'kysely'
import { orderCells } from '@saddle/contract/riding/orders.ts'
import { riderOrdersMax } from '@saddle/contract/rider/riders.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

type Own = { readonly id: number; readonly agent_id: number }

const devicesMax = 20
const revealsMax = 50
const elsewhereMax = 50

const deviceRow = rowsOf(
  rowOf('rider_device', 'd', ['id', 'model', 'system', 'app_version', 'first_seen_at', 'last_seen_at']),
  rowOf('rider_app', 'app', ['name as app_name']).optional(),
  rowOfValues({
    others: computed(
      'bigint',
      sql`(select count(*) from rider_device o
        where o.device_hash = d.device_hash and o.agent_id = d.agent_id and o.rider_id <> d.rider_id)`,
    ),
  }),
)
export type DeviceRow = RowOf<typeof deviceRow>

/** The telephones of a rider that was looked up within the scope, with how many others of the company used each. */
export function selectDevices({ id, agent_id }: Own) {
  return deviceRow.select`
    from rider_device d left join rider_app app on app.id = d.app_id
    where d.rider_id = ${id} and d.agent_id = ${agent_id}
    order by d.last_seen_at desc, d.id desc limit ${devicesMax}`
}

const revealRow = rowOf('rider_reveal', 'v', ['id', 'field', 'reason', 'operator_name', 'shown_at'])
export type RevealRow = RowOf<typeof revealRow>

export function selectReveals({ id, agent_id }: Own) {
  return revealRow.select`
    from rider_reveal v
    where v.rider_id = ${id} and v.agent_id = ${agent_id} order by v.shown_at desc, v.id desc limit ${revealsMax}`
}

/** The orders of a rider within the areas of the scope, and those that are not paid. */
export function countOrders({ id }: Own, scope: Scope) {
  const due = orderCells({ states: ['due'] })
  return rowOfValues({
    orders: computed('bigint', sql`count(*)`),
    due: computed('bigint', sql`count(*) filter (where o.cell = any (${due}::smallint[]))`),
  }).select`
    from (
      select o.cell from ride_order o where o.rider_id = ${id} and o.agent_id = any (${scope.agentIds}::bigint[])
        and o.area_id = any (${scope.areaIds}::bigint[]) limit ${riderOrdersMax}
    ) o`
}

const riderRow = rowsOf(rowOf('rider', 'r', ['id', 'banned']), rowOf('agent', 'agent', ['company']))

/** The same phone number with other companies of the scope. */
export function selectElsewhere({ id, phone_hash }: { id: number; phone_hash: string }, scope: Scope) {
  return riderRow.select`
    from rider r join agent on agent.id = r.agent_id
    where r.phone_hash = ${phone_hash} and r.id <> ${id} and r.agent_id = any (${scope.agentIds}::bigint[])
    order by r.id limit ${elsewhereMax}`
}
