import { sql } from 'kysely'
import { orderCells } from '@saddle/contract/riding/orders.ts'
import { riderOrdersMax } from '@saddle/contract/rider/riders.ts'
import type { Scope } from '#kit/db/scope.ts'

type Own = { readonly id: number; readonly agent_id: number }

const devicesMax = 20
const revealsMax = 50
const elsewhereMax = 50

export type DeviceRow = {
  id: number
  app_name: string | null
  model: string
  system: string
  app_version: string
  first_seen_at: Date
  last_seen_at: Date
  others: number
}

/** The telephones of a rider that was looked up within the scope, with how many others of the company used each. */
export function selectDevices({ id, agent_id }: Own) {
  return sql<DeviceRow>`
    select d.id, app.name as app_name, d.model, d.system, d.app_version, d.first_seen_at, d.last_seen_at,
      (select count(*) from rider_device o
        where o.device_hash = d.device_hash and o.agent_id = d.agent_id and o.rider_id <> d.rider_id) as others
    from rider_device d left join rider_app app on app.id = d.app_id
    where d.rider_id = ${id} and d.agent_id = ${agent_id}
    order by d.last_seen_at desc, d.id desc limit ${devicesMax}`
}

export type RevealRow = { id: number; field: string; reason: string; operator_name: string; shown_at: Date }

export function selectReveals({ id, agent_id }: Own) {
  return sql<RevealRow>`
    select v.id, v.field, v.reason, v.operator_name, v.shown_at from rider_reveal v
    where v.rider_id = ${id} and v.agent_id = ${agent_id} order by v.shown_at desc, v.id desc limit ${revealsMax}`
}

/** The orders of a rider within the areas of the scope, and those that are not paid. */
export function countOrders({ id }: Own, scope: Scope) {
  const due = orderCells({ states: ['due'] })
  return sql<{ orders: number; due: number }>`
    select count(*) as orders, count(*) filter (where o.cell = any (${due}::smallint[])) as due from (
      select o.cell from ride_order o where o.rider_id = ${id} and o.agent_id = any (${scope.agentIds}::bigint[])
        and o.area_id = any (${scope.areaIds}::bigint[]) limit ${riderOrdersMax}
    ) o`
}

/** The same phone number with other companies of the scope. */
export function selectElsewhere({ id, phone_hash }: { id: number; phone_hash: string }, scope: Scope) {
  return sql<{ id: number; company: string; banned: boolean }>`
    select r.id, agent.company, r.banned from rider r join agent on agent.id = r.agent_id
    where r.phone_hash = ${phone_hash} and r.id <> ${id} and r.agent_id = any (${scope.agentIds}::bigint[])
    order by r.id limit ${elsewhereMax}`
}
