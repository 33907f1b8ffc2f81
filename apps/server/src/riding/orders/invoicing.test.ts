import { invoiceRevealsPerHour } from '@saddle/contract/finance/invoices.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import type { AppCall } from '#kit/call.ts'
import { createFinance, createInvoices, type Line } from '#finance/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { createPhotos } from '#photos/public.ts'
import { createRiders } from '#rider/public.ts'
import { createRideInvoicing } from './invoicing.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const [alpha, bravo] = await seedTenants(kit)
await sql`delete from invoice_item; delete from invoice`.execute(owner)
const { ledger } = createFinance(kit)
const rides = createRideInvoicing(kit, ledger)
const { handlers } = createInvoices(kit, {
  audit: createAudit(kit),
  photos: createPhotos(kit),
  rides,
  riders: createRiders(kit),
})

const callOf = (of: TenantFixture) =>
  sessionCall({
    operatorId: of.managerId,
    agentId: of.agentId,
    name: '林一',
    grant: { agentIds: [of.agentId], areaIds: [...of.areaIds] },
  })
const call = callOf(alpha)
const foreign = callOf(bravo)
const app: AppCall = { ...publicCall(), app: { id: 0, agentIds: [alpha.agentId] } }
const foreignApp: AppCall = { ...publicCall(), app: { id: 0, agentIds: [bravo.agentId] } }
const phone = '13812345678'
/** Somebody who has paid nothing yet has ridden the two orders. */
const [riderId = 0] = await db.system((tx) =>
  createRiders(kit).ensure(tx, [{ agentId: alpha.agentId, phone, name: null }]),
)
await owner.updateTable('ride_order').set({ rider_id: riderId }).where('id', 'in', alpha.orderIds).execute()
const taxNumber = '91320594MA1XABCD2E'
const title = { titleKind: 'company', title: '苏州星河科技有限公司', taxNumber, email: 'bill@example.com' } as const
const post = (reference: string, kind: 'ride_charge' | 'ride_refund', lines: readonly Line[]) =>
  ledger.post({ agentId: alpha.agentId, kind, reference, key: `${kind} ${lines[0]?.amountCents}`, lines })
const channel = { kind: 'clearing_sandbox' } as const
const balance = { kind: 'rider_balance', ownerId: riderId } as const
const revenue = { kind: 'agent_revenue' } as const
const [first, second] = alpha.orderIds

/** The first ride was paid by a channel, with 100 too many, which became balance; the second out of the balance. */
await post(`order:${first}`, 'ride_charge', [
  { account: channel, amountCents: -1_000 },
  { account: balance, amountCents: 100 },
  { account: revenue, amountCents: 900 },
])
await sql`
  insert into payment (agent_id, rider_id, purpose, became, channel, number, cents, state, trade_number, created_at, paid_at)
  values (${alpha.agentId}, ${riderId}, 'recharge', 'recharge', 'sandbox', 'recharge00000001', 5000, 'paid', 't1',
    ${new Date(kit.clock.now())}, ${new Date(kit.clock.now())})`.execute(owner)
await ledger.post({
  agentId: alpha.agentId,
  kind: 'recharge',
  reference: 'payment:1',
  lines: [
    { account: channel, amountCents: -5_000 },
    { account: balance, amountCents: 5_000 },
  ],
})
await post(`order:${second}`, 'ride_charge', [
  { account: balance, amountCents: -900 },
  { account: revenue, amountCents: 900 },
])

const offered = async () => (await handlers.riderInvoiceables({ phone }, app)).data.list
const ask = async (items: { kind: 'order' | 'recharge'; id: number }[], by = app) =>
  (await handlers.riderAskInvoice({ phone, items, ...title }, by)).data
const order = { kind: 'order', id: first } as const
const sort = 'requested' as const
const list = async (filter: object = {}, by = call) =>
  (await handlers.listInvoices({ filter, sort, pageSize: 50 }, by)).data
const stateOf = async (id: number) => (await list({ id })).list[0]?.state

describe('a rider', () => {
  it('is offered what channels were really paid, once', async () => {
    const found = await offered()
    expect(found.map(({ kind, cents }) => [kind, cents])).toEqual(
      expect.arrayContaining([
        ['order', 900],
        ['recharge', 5_000],
      ]),
    )
    expect(found).toHaveLength(2)
    expect((await handlers.riderInvoiceables({ phone }, foreignApp)).data.list).toEqual([])
  })

  it('asks for it, alone, and may take it back until it is decided', async () => {
    const asked = await Promise.allSettled([ask([order]), ask([order]), ask([order])])
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [own] = (await handlers.riderInvoices({ phone }, app)).data.list
    expect(own).toMatchObject({ state: 'requested', cents: 900, itemCount: 1, title: title.title })
    expect((await offered()).map(({ kind }) => kind)).toEqual(['recharge'])
    const gone = { code: 'invoice_items_taken' }
    await expect(ask([{ kind: 'order', id: second }])).rejects.toMatchObject(gone)
    await expect(ask([{ kind: 'order', id: bravo.orderIds[0] }])).rejects.toMatchObject(gone)
    const id = own?.id ?? 0
    await expect(handlers.riderCancelInvoice({ phone: bravo.riderPhone, id }, app)).rejects.toThrow('未找到')
    await handlers.riderCancelInvoice({ phone, id }, app)
    expect((await handlers.riderCancelInvoice({ phone, id }, app)).data.state).toBe('cancelled')
    expect(await offered()).toHaveLength(2)
  })
})

describe('those who write invoices', () => {
  it('see titles in part, in full only with a line in the log, and nothing of another company', async () => {
    const { id } = await ask([order])
    const { list: shown } = await list({ phone })
    expect(shown[0]).toMatchObject({
      id,
      title: '苏州******公司',
      riderPhone: `${phone.slice(0, 3)}****${phone.slice(7)}`,
    })
    const waiting = await handlers.sumInvoices({ filter: { states: ['requested'] } }, call)
    expect(waiting.data).toEqual({ rows: 1, isCut: false, sums: { cents: 900 } })
    const stored = JSON.stringify(await owner.selectFrom('invoice').selectAll().execute())
    expect(stored).not.toContain('星河')
    expect(stored).not.toContain(taxNumber)
    expect((await handlers.revealInvoice({ id }, call)).data).toEqual({
      title: title.title,
      taxNumber,
      email: title.email,
    })
    const lines = await owner.selectFrom('audit_record').select('action').where('subject_id', '=', String(id)).execute()
    expect(lines).toEqual([{ action: 'invoice.reveal' }])
    for (let shown = 1; shown < invoiceRevealsPerHour; shown += 1) await handlers.revealInvoice({ id }, call)
    await expect(handlers.revealInvoice({ id }, call)).rejects.toMatchObject({ code: 'too_many_requests' })
    expect((await list({}, foreign)).list).toEqual([])
    await expect(handlers.revealInvoice({ id }, foreign)).rejects.toThrow('未找到')
    await expect(handlers.refuseInvoices({ ids: [id], reason: '不' }, foreign)).rejects.toThrow('未找到')
    await handlers.refuseInvoices({ ids: [id], reason: '抬头与税号不符' }, call)
  })

  it('refuse, think again, issue with number and picture, and flush; each once', async () => {
    const [refused] = (await list({ states: ['refused'] })).list
    const id = refused?.id ?? 0
    await handlers.restoreInvoices({ ids: [id] }, call)
    const invoices = [{ id, number: '24322000000012345678', link: 'https://example.com/1.pdf' }]
    const file = samples.png.toString('base64')
    expect((await handlers.issueInvoices({ invoices, file }, call)).data.done).toEqual([id])
    await expect(handlers.issueInvoices({ invoices, file }, call)).rejects.toThrow('已经处理')
    expect((await handlers.invoiceFile({ id }, call)).data.list[0]).toMatchObject({ kind: 'png' })
    const other = await ask([{ kind: 'recharge', id: (await offered())[0]?.subjectId ?? 0 }])
    const twice = { invoices: [{ ...invoices[0], id: other.id, number: '24322000000012345678' }] }
    await expect(handlers.issueInvoices(twice, call)).rejects.toThrow('已登记过')
    const flushed = await handlers.flushInvoice({ id, redNumber: '24322000000012345679', reason: '退款' }, call)
    expect(flushed.data).toMatchObject({ state: 'red_flushed', redNumber: '24322000000012345679' })
    expect((await offered()).map(({ kind }) => kind)).toEqual(['order'])
    const many = await handlers.refuseInvoices({ ids: [id, other.id], reason: '重复' }, call)
    expect(many.data).toMatchObject({ done: [other.id], refused: [{ id }] })
  })

  it('cannot issue more than is still paid, and see when a refund asks for a flush', async () => {
    const { id } = await ask([order])
    await post(`order:${first}`, 'ride_refund', [
      { account: channel, amountCents: 300 },
      { account: revenue, amountCents: -300 },
    ])
    await expect(handlers.issueInvoices({ invoices: [{ id, number: '00000003' }] }, call)).rejects.toThrow('实际支付')
    expect(await stateOf(id)).toBe('requested')
    const { data } = await handlers.invoiceItems({ id }, call)
    expect(data.list).toMatchObject([{ kind: 'order', cents: 900, coveredCents: 600 }])
    await handlers.refuseInvoices({ ids: [id], reason: '已部分退款' }, call)
    await expect(handlers.restoreInvoices({ ids: [id] }, call)).rejects.toThrow('实际支付')
    expect(await ask([order])).toMatchObject({ cents: 600 })
    await expect(handlers.restoreInvoices({ ids: [id] }, call)).rejects.toThrow('实际支付')
  })

  it('find them by their facts and take the list with them', async () => {
    const { count, list: all } = await list()
    expect(count).toBe(all.length)
    const met: number[] = []
    let cursor: string | undefined
    do {
      const asked = { filter: {}, sort, pageSize: 2, ...(cursor !== undefined && { cursor }) }
      const { data } = await handlers.listInvoices(asked, call)
      met.push(...data.list.map(({ id }) => id))
      cursor = data.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(met).toEqual(all.map(({ id }) => id))
    expect((await list({ number: '24322000000012345678' })).count).toBe(1)
    expect((await list({ titleKind: 'person' })).count).toBe(0)
    const { data } = await handlers.exportInvoices({ filter: {}, sort }, call)
    expect(data.text).toContain(`${title.title},${taxNumber}`)
    expect(data.rows).toBe(count)
  })
})
