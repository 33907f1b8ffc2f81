import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import { balanceRefund } from '#finance/ledger/recipes.ts'
import { sealRiders } from '#finance/riderImports/store.ts'
import { createFinance } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'

/** Things of a rider's money that a call could reach for. */
export type MoneyThings = {
  /** A recharge of 20 yuan, a failed refund of one of them, and what is left in the balance. */
  readonly paymentId: number
  readonly refundId: number
  /** A deposit of 99 yuan with 30 of them frozen. */
  readonly depositId: number
  readonly caseId: number
  readonly productId: number
  /** A cent of gift, added by hand. */
  readonly chargeId: number
  /** Bought for 9 yuan, and no day of it earned. */
  readonly cardId: number
  /** Charges by hand of a cent that wait for a second person, one in each area. */
  readonly actIds: readonly [number, number]
  /** A file of one rider, who brings a yuan; somebody else has uploaded it. */
  readonly riderImportId: number
}

type Options = {
  readonly tx: Tx
  readonly kit: Kit
  readonly agentId: number
  readonly areaIds: readonly [number, number]
  readonly riderId: number
  /** Who has asked for what waits. */
  readonly operatorId: number
  readonly marker: string
  readonly at: Date
}

/** A rider's recharge, refund, deposit and card, with their entries; every text holds the marker. */
export async function addMoneyThings(options: Options): Promise<MoneyThings> {
  const { tx, agentId, areaIds, riderId, marker, at } = options
  const own = { agent_id: agentId, rider_id: riderId }
  const payment = { ...own, channel: 'sandbox', state: 'paid', created_at: at, paid_at: at }
  const numberOf = (what: string): string => Buffer.from(`${what}${agentId}${marker}`).toString('hex').slice(0, 32)
  const [recharged, deposited] = await tx
    .insertInto('payment')
    .values([
      {
        ...payment,
        purpose: 'recharge',
        became: 'recharge',
        number: numberOf('r'),
        cents: 2_000,
        trade_number: marker,
      },
      { ...payment, purpose: 'deposit', became: 'deposit', number: numberOf('d'), cents: 9_900, trade_number: marker },
    ])
    .returning('id')
    .execute()
  const [paymentId, depositId] = [recharged?.id ?? 0, deposited?.id ?? 0]
  const { id: refundId } = await tx
    .insertInto('payment_refund')
    .values({
      agent_id: agentId,
      payment_id: paymentId,
      number: numberOf('b'),
      cents: 100,
      reason: `${marker} refund`,
      state: 'failed',
      fault: `${marker} fault`,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('rider_deposit')
    .values({ id: depositId, ...own, cents: 9_900, frozen_cents: 3_000, paid_at: at })
    .execute()
  const by = { operator_name: `${marker} clerk`, reason: `${marker} reason` }
  const { id: caseId } = await tx
    .insertInto('deposit_case')
    .values({ agent_id: agentId, deposit_id: depositId, cents: 3_000, ...by, opened_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: chargeId } = await tx
    .insertInto('platform_charge')
    .values({ ...own, ...by, account: 'gift', direction: 'credit', cents: 1, charged_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('deposit_setting')
    .values({
      agent_id: agentId,
      area_id: areaIds[0],
      cents: 0,
      free_students: true,
      free_card_holders: true,
      author_name: `${marker} clerk`,
      created_at: at,
    })
    .execute()
  const { productId, cardId } = await addCard(options)
  await postAll(options, { paymentId, refundId, depositId, caseId, cardId, chargeId })
  const act = {
    ...own,
    act: 'charge',
    cents: 1,
    reason: `${marker} reason`,
    input: JSON.stringify({ riderId, account: 'gift', direction: 'credit', cents: 1, reason: `${marker} reason` }),
    operator_id: options.operatorId,
    operator_name: `${marker} clerk`,
    acted_at: at,
    expires_at: new Date(at.getTime() + dayMs),
    state: 'waiting',
  }
  const [firstAct, secondAct] = await tx
    .insertInto('money_action')
    .values(areaIds.map((areaId) => Object.assign({ area_id: areaId, input_hash: `hash ${areaId}` }, act)))
    .returning('id')
    .execute()
  const actIds = [firstAct?.id ?? 0, secondAct?.id ?? 0] as const
  const riderImportId = await addRiderImport(options)
  return { paymentId, refundId, depositId, caseId, productId, cardId, chargeId, actIds, riderImportId }
}

async function addRiderImport({ tx, kit, agentId, operatorId, marker, at }: Options): Promise<number> {
  const rider = { line: 2, phone: `1990000${String(agentId).padStart(4, '0').slice(-4)}`, name: marker, cents: 100 }
  const { id } = await tx
    .insertInto('rider_import')
    .values({
      agent_id: agentId,
      name: `${marker} riders.csv`,
      sha256: createHash('sha256').update(`${marker} ${agentId}`).digest('hex'),
      total: 2,
      bad: 1,
      added: 1,
      cents: rider.cents,
      faults: JSON.stringify([{ line: 3, problems: ['phone_format'] }]),
      rows_sealed: sealRiders(kit.secrets, agentId, [rider]),
      created_at: at,
      created_by_id: operatorId,
      created_by: `${marker} clerk`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addCard({
  tx,
  agentId,
  riderId,
  marker,
  at,
}: Options): Promise<Pick<MoneyThings, 'productId' | 'cardId'>> {
  const promised = { kind: 'discount', name: `${marker} card`, price_cents: 900, days: 30, percent_off: 10 }
  const { id: productId } = await tx
    .insertInto('card_product')
    .values({ agent_id: agentId, ...promised, sold: 1, created_at: at, changed_by: `${marker} clerk`, changed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const terms = { kind: 'discount', name: promised.name, priceCents: 900, days: 30, percentOff: 10 }
  await tx
    .insertInto('card_product_version')
    .values({
      product_id: productId,
      version: 1,
      agent_id: agentId,
      terms: JSON.stringify(terms),
      made_at: at,
      made_by: `${marker} clerk`,
    })
    .execute()
  const day = at.toISOString().slice(0, 10)
  const until = new Date(at.getTime() + 30 * dayMs).toISOString().slice(0, 10)
  const bought = { state: 'active', paid_by: 'balance', asked_at: at, bought_at: at, begins_on: day, ends_on: until }
  const { id: cardId } = await tx
    .insertInto('rider_card')
    .values({ agent_id: agentId, rider_id: riderId, product_id: productId, ...promised, ...bought, request_id: marker })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('card_use')
    .values({ order_id: 1, card_id: cardId, agent_id: agentId, used_on: day, saved_cents: 10 })
    .execute()
  return { productId, cardId }
}

/** The ledger's side of it. */
async function postAll(
  { tx, kit, agentId, riderId, at }: Options,
  {
    paymentId,
    refundId,
    depositId,
    caseId,
    cardId,
    chargeId,
  }: Omit<MoneyThings, 'productId' | 'actIds' | 'riderImportId'>,
): Promise<void> {
  const { ledger, gifts } = createFinance(kit)
  const clearing = { kind: 'clearing_sandbox' } as const
  const account = (
    kind: 'rider_balance' | 'rider_gift' | 'rider_deposit' | 'rider_deposit_frozen' | 'card_unearned',
  ) => ({
    kind,
    ownerId: riderId,
  })
  const post = (
    kind: 'recharge' | 'deposit_pay' | 'deposit_freeze' | 'card_sale' | 'platform_charge',
    reference: string,
    lines: Parameters<typeof ledger.post>[0]['lines'],
  ) => ledger.post({ agentId, kind, reference, occurredAt: at.getTime(), lines }, tx)
  await gifts.credit(tx, { agentId, riderId, chargeId, cents: 1, at: at.getTime() })
  await sql`
    insert into gift_use (subject, subject_id, lot_id, agent_id, cents, lapsed_cents, used_at)
    select 'order', 1, id, agent_id, 1, 1, ${at} from gift_lot where source = 'charge' and source_id = ${chargeId}`.execute(
    tx,
  )
  await post('platform_charge', `platform-charge:${chargeId}`, [
    { account: { kind: 'gift_expense' }, amountCents: -1 },
    { account: account('rider_gift'), amountCents: 1 },
  ])
  await post('card_sale', `card:${cardId}`, [
    { account: clearing, amountCents: -900 },
    { account: account('card_unearned'), amountCents: 900 },
  ])
  await post('recharge', `payment:${paymentId}`, [
    { account: clearing, amountCents: -2_000 },
    { account: account('rider_balance'), amountCents: 2_000 },
  ])
  await ledger.post(balanceRefund({ agentId, riderId, paymentId, refundId, cents: 100, at: at.getTime() }), tx)
  await post('deposit_pay', `deposit:${depositId}`, [
    { account: clearing, amountCents: -9_900 },
    { account: account('rider_deposit'), amountCents: 9_900 },
  ])
  await post('deposit_freeze', `deposit:${depositId}:${caseId}`, [
    { account: account('rider_deposit'), amountCents: -3_000 },
    { account: account('rider_deposit_frozen'), amountCents: 3_000 },
  ])
}
