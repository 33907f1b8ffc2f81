import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'

/** Bills of services that a call could reach for. */
export type ServiceThings = { readonly billId: number; readonly lineId: number }

/** A bill of September 2026 with a line of an area, and the days behind it. */
export async function addServiceBill(options: {
  tx: Tx
  agentId: number
  areaId: number
  marker: string
  at: Date
}): Promise<ServiceThings> {
  const { tx, agentId, areaId, marker, at } = options
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
  return { billId, lineId: rows[0]?.id ?? 0 }
}
