import type { Tx } from '#kit/db/pool.ts'

/** What a call could reach for of a company's day at a payment channel. */
export type ChannelBillThings = { readonly openId: number; readonly proposedId: number }

/** A compared day with two differences, one of which waits for its second person. */
export async function addChannelBill(options: {
  tx: Tx
  agentId: number
  marker: string
  at: Date
}): Promise<ChannelBillThings> {
  const { tx, agentId, marker, at } = options
  const own = { agent_id: agentId, channel: 'sandbox', day: '2026-09-03' }
  await tx
    .insertInto('channel_day')
    .values({
      ...own,
      source: 'fetched',
      bill_payments: 1,
      bill_paid_cents: 100 + agentId,
      bill_refunds: 0,
      bill_refunded_cents: 0,
      own_payments: 1,
      own_paid_cents: 100 + agentId,
      own_refunds: 0,
      own_refunded_cents: 0,
      fee_millicents: 600,
      fee_cents: 1,
      differences: 2,
      open_differences: 2,
      held_cents: 2,
      compared_at: at,
    })
    .execute()
  const short = {
    ...own,
    kind: 'short',
    is_refund: false,
    order_number: marker,
    trade_number: '',
    own_cents: 1,
    own_status: 'paid',
    own_at: at,
    delta_cents: -1,
    held_cents: 1,
    found_at: at,
  }
  const [open, proposed] = await tx
    .insertInto('channel_difference')
    .values([
      { ...short, number: `${marker} open`, state: 'open' },
      {
        ...short,
        number: `${marker} proposed`,
        state: 'proposed',
        resolution: 'adjust',
        reason: `${marker} reason`,
        // Nobody of the tests.
        proposed_by_id: 999_999_999,
        proposed_by: `${marker} clerk`,
        proposed_at: at,
      },
    ])
    .returning('id')
    .execute()
  await tx
    .insertInto('channel_bill_line')
    .values({
      ...own,
      n: agentId,
      is_refund: false,
      number: marker,
      order_number: marker,
      trade_number: marker,
      at,
      cents: 100,
      fee_millicents: 600,
      status: 'success',
    })
    .execute()
  return { openId: open?.id ?? 0, proposedId: proposed?.id ?? 0 }
}
