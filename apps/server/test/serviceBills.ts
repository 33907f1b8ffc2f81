import { sql } from 'kysely'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { createFinance } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'

/** Bills of services that a call could reach for. */
export type ServiceThings = {
  readonly billId: number
  readonly lineId: number
  readonly detailId: number
  readonly objectionId: number
}

/** A bill of September 2026 with a line of an area, and the days behind it. */
export async function addServiceBill(options: {
  tx: Tx
  kit: Kit
  agentId: number
  areaId: number
  marker: string
  at: Date
}): Promise<ServiceThings> {
  const { tx, kit, agentId, areaId, marker, at } = options
  await tx.insertInto('meter_tally').values({ agent_id: agentId, meter: 'sms', at, quantity: 2 }).execute()
  await sql`
    insert into meter_closing (meter, day, counted_at) values ('vehicle_day', '2026-09-03', ${at})
    on conflict do nothing`.execute(tx)
  await tx
    .insertInto('meter_day')
    .values({
      agent_id: agentId,
      area_id: areaId,
      meter: 'vehicle_day',
      day: '2026-09-03',
      // Told apart in answers that have no text.
      quantity: 100 + agentId,
      counted_at: at,
    })
    .execute()
  const cents = (100 + agentId) * 20
  const { id: billId } = await tx
    .insertInto('service_bill')
    .values({
      agent_id: agentId,
      number: `FW202609-${agentId}`,
      month: '2026-09-01',
      amount_cents: cents,
      issued_at: at,
      due_at: new Date(at.getTime() + dayMs),
      free_cents: 1,
      free_reason: `${marker} reason`,
      freed_by: `${marker} clerk`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: number }>`
    insert into service_bill_line (bill_id, agent_id, area_id, meter, price_id, quantity, amount_cents)
    select ${billId}, ${agentId}, ${areaId}, 'vehicle_day', p.id, ${100 + agentId}, ${cents}
    from meter_price p where p.meter = 'vehicle_day' and p.version = 1 returning id`.execute(tx)
  // Within the days of the trend.
  const yesterday = businessDayOf(at.getTime() - dayMs)
  await sql`
    insert into meter_closing (meter, day, counted_at) values ('sms', ${yesterday}, ${at}) on conflict do nothing`.execute(
    tx,
  )
  await tx
    .insertInto('meter_day')
    .values({ agent_id: agentId, meter: 'sms', day: yesterday, quantity: 10 + agentId, counted_at: at })
    .execute()
  const note = { agent_id: agentId, way: 'sandbox', created_at: at, operator_name: `${marker} clerk` }
  await tx
    .insertInto('charge_note')
    .values({
      ...note,
      number: `${marker}-note`,
      state: 'paid',
      cents: 10_000 + agentId,
      left_cents: 5_000,
      paid_at: at,
    })
    .execute()
  await tx.insertInto('spend_note').values({ agent_id: agentId, bill_id: billId, cents: 1, at }).execute()
  await createFinance(kit).ledger.post(
    {
      agentId,
      kind: 'service_recharge',
      reference: `charge-note:${marker}`,
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -5_000 },
        { account: { kind: 'service_balance' }, amountCents: 5_000 },
      ],
      memo: `${marker} memo`,
    },
    tx,
  )
  const detail = await tx
    .selectFrom('asset_detail')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('account', '=', 'service_balance')
    .executeTakeFirstOrThrow()
  const lineId = rows[0]?.id ?? 0
  const exported = { agent_id: agentId, action: 'service.export', subject_kind: 'export' }
  await tx
    .insertInto('audit_record')
    .values({ ...exported, subject_id: `${marker} file`, at })
    .execute()
  const { id: objectionId } = await tx
    .insertInto('objection')
    .values({
      agent_id: agentId,
      bill_id: billId,
      reason: 'quantity',
      text: `${marker} text`,
      disputed_cents: 7,
      held_paid_cents: 0,
      submitted_at: at,
      submitted_by: `${marker} clerk`,
      deadline_at: new Date(at.getTime() + dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const of = { objection_id: objectionId, agent_id: agentId }
  await tx
    .insertInto('objection_line')
    .values({ ...of, line_id: lineId, cents: 7 })
    .execute()
  await tx
    .insertInto('objection_event')
    .values({ ...of, act: 'submit', at, by_name: `${marker} clerk` })
    .execute()
  await sql`update service_bill set held_cents = 7 where id = ${billId}`.execute(tx)
  await sql`update service_bill_line set disputed_cents = 7 where id = ${lineId}`.execute(tx)
  return { billId, lineId, detailId: detail.id, objectionId }
}
