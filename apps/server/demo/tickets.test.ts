import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { feedbackStates } from '@saddle/contract/support/feedback.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance, rideChargeByChannel } from '#finance/public.ts'
import { reportFault } from '#operations/public.ts'
import { createPhotos } from '#photos/public.ts'
import { createRiders } from '#rider/public.ts'
import { createRideInvoicing } from '#riding/orders/invoicing.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { seedTenants } from '#test/tenants.ts'
import { fillFeedback } from './past/feedback.ts'
import { fillInvoices } from './past/invoices.ts'
import { fillReturnPhotos } from './past/returnPhotos.ts'
import { fillTickets } from './past/tickets.ts'
import { demoPicture } from './pictures.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const [alpha, bravo] = await seedTenants(kit)
const photos = createPhotos(kit)
const { ledger } = createFinance(kit)
const parts = { audit: createAudit(kit), photos }
const empty = sql`
  delete from feedback_event; delete from feedback_ticket; delete from invoice_item; delete from invoice;
  delete from ticket_event; delete from ticket`

it('fills tickets, invoices and photos of returns in once, by their own rules and in their own time', async () => {
  await empty.execute(owner)
  kit.clock.advance(12 * dayMs)
  expect(await fillTickets(kit, { reportFault }, demoPicture)).toBeGreaterThan(0)
  expect(await fillTickets(kit, { reportFault }, demoPicture)).toBe(0)
  const { rows } = await sql<{ state: string; late: boolean }>`
    select c.state, exists (select from ticket_event e where e.ticket_id = c.id and e.at > ${new Date(kit.clock.now())})
      as late
    from ticket c`.execute(owner)
  expect(rows.every(({ late }) => !late)).toBe(true)
  expect(rows.map(({ state }) => state)).toContain('closed')

  const { rider_id: riderId } = await owner
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', alpha.orderIds[0])
    .executeTakeFirstOrThrow()
  const charge = { agentId: alpha.agentId, riderId, orderId: alpha.orderIds[0], cents: 900, at: kit.clock.now() }
  await ledger.post(rideChargeByChannel({ ...charge, channel: 'sandbox' }))
  const invoiceParts = { kit, ...parts, rides: createRideInvoicing(kit, ledger), riders: createRiders(kit) }
  expect(await fillInvoices(invoiceParts)).toBeGreaterThan(0)
  expect(await fillInvoices(invoiceParts)).toBe(0)

  expect(await fillReturnPhotos(kit, demoPicture)).toBeGreaterThan(0)
  expect(await fillReturnPhotos(kit, demoPicture)).toBe(0)
  const kept = await owner.selectFrom('photo').select(['kind', 'width']).where('purpose', '=', 'return').execute()
  expect(kept).toContainEqual({ kind: 'png', width: 480 })
})

it('asks the platform in each state, and tells it of what was asked today', async () => {
  await empty.execute(owner)
  await sql`delete from notice where event like 'feedback%'`.execute(owner)
  const personOf = ({ managerId, agentId }: typeof alpha) => ({ operatorId: managerId, agentId, name: '王芳' })
  const asking = ['13800138001', '13800138002', '13800138006'].map((phone) => [phone, personOf(alpha)] as const)
  const people = new Map([['13800138000', personOf(bravo)] as const, ...asking])
  const filled = () => fillFeedback({ kit, picture: demoPicture, people })
  const count = await filled()
  expect(await filled()).toBe(0)
  const tickets = await owner.selectFrom('feedback_ticket').select(['state', 'opened_at']).execute()
  expect(tickets).toHaveLength(count)
  expect(new Set(tickets.map(({ state }) => state))).toEqual(new Set(feedbackStates))
  const since = kit.clock.now() - dayMs
  const told = await owner.selectFrom('notice').select('operator_ids').where('event', '=', 'feedback_opened').execute()
  expect(told).toEqual(
    tickets.filter(({ opened_at: at }) => at.getTime() > since).map(() => ({ operator_ids: [bravo.managerId] })),
  )
})
