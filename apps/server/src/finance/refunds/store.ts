import { sql } from 'kysely'
import { paymentChannels, purposes } from '@saddle/contract/finance/payments.ts'
import { refundList, refundStates, type ChannelRefund, type ListedRefund } from '@saddle/contract/finance/refunds.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import type { OfRiders, RiderDirectory } from '../wallet/who.ts'

const refund = rowOf('payment_refund', 'r', [
  'id',
  'cents',
  'reason',
  'state',
  'fault',
  'attempts',
  'created_at',
  'done_at',
  'returned_at',
  'returned_by',
]).codes({ state: refundStates })
const ofPayment = rowsOf(refund, rowOf('payment_refund', 'r', ['payment_id']))

const listed = rowsOf(
  ofPayment,
  rowOf('payment_refund', 'r', ['agent_id']),
  rowOf('agent', 'a', ['company']),
  rowOf('payment', 'pay', ['rider_id', 'purpose', 'subject_id', 'channel']).codes({
    purpose: purposes,
    channel: paymentChannels,
  }),
  rowOf('rider', 'i', ['phone_sealed', 'phone_hash']).optional(),
)

/** The same as `refundDeadline` of the deposits: the end of the second day from Monday to Friday after the request. */
const askedOn = sql`(r.created_at at time zone 'Asia/Shanghai')::date`
const deadline = sql`((${askedOn} + case extract(isodow from ${askedOn}) when 4 then 5 when 5 then 5 when 6 then 4 else 3 end)
  ::timestamp at time zone 'Asia/Shanghai')`

export const refundRows = tableList(refundList, {
  table: 'payment_refund',
  alias: 'r',
  tenant: 'agent',
  columns: listed,
  joins: sql`
    join payment pay on pay.id = r.payment_id and pay.agent_id = r.agent_id
    join agent a on a.id = r.agent_id
    left join rider i on i.id = pay.rider_id and i.agent_id = pay.agent_id`,
  // Ids are given in the order in which refunds are asked for.
  sorts: { created: [] },
  find: (
    { states = refundStates, purposes: wanted, isLate, ...span },
    { riderIds, nowMs }: OfRiders & { readonly nowMs: number },
  ) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      riderIds &&
        sql`r.payment_id in (
          select pay.id from payment pay where pay.rider_id = any (${riderIds}::bigint[]) and pay.agent_id = r.agent_id)`,
    ],
    where: [
      ...spanOf('r.created_at', span),
      isLate !== undefined && sql`(coalesce(r.done_at, r.returned_at, ${new Date(nowMs)}) > ${deadline}) = ${isLate}`,
      wanted &&
        sql`exists (
          select from payment pay
          where pay.id = r.payment_id and pay.agent_id = r.agent_id and pay.purpose = any (${wanted}::text[]))`,
    ],
  }),
  sums: { cents: sql`r.cents` },
})

export const refundOf = (row: RowOf<typeof refund>): ChannelRefund => refund.present(row)

export function listedRefundOf(row: RowOf<typeof listed>, riders: Pick<RiderDirectory, 'maskedPhone'>): ListedRefund {
  const { phone_sealed, phone_hash } = row
  const isKnown = phone_sealed !== null && phone_hash !== null
  return { ...listed.present(row), riderPhone: isKnown ? riders.maskedPhone({ phone_sealed, phone_hash }) : null }
}

export function selectRefundsOf(options: { agentId: number; paymentIds: readonly number[] }) {
  return ofPayment.select`
    from payment_refund r
    where r.agent_id = ${options.agentId} and r.payment_id = any (${options.paymentIds}::bigint[]) order by r.id desc`
}

export function selectRefund(options: { agentId: number; id: number }) {
  return refund.select`from payment_refund r where r.agent_id = ${options.agentId} and r.id = ${options.id}`
}

const askedRefund = rowsOf(
  rowOf('payment_refund', 'r', ['id', 'agent_id', 'cents', 'state']).codes({ state: refundStates }),
  rowOf('payment', 'p', ['rider_id']),
)

/** Those of the scope, whatever else was asked for. */
export function selectAskedRefunds(options: { scope: Scope; ids: readonly number[] }) {
  return askedRefund.select`
    from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
    where r.agent_id = any (${options.scope.agentIds}::bigint[]) and r.id = any (${options.ids}::bigint[])
    order by r.agent_id, r.id`
}
