import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { moneyActLifetimeMs, secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { businessDayEnd, businessDayOf, hourMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { rideChargeByChannel } from '../ledger/recipes.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { splitsThatDisagree } from '../splits/verify.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'

const { db, owner, kit, finance, agentId } = await moneyWorld()
const { handlers, ledger, splits } = finance
/** Two of the company above. */
const ofRoot = { agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 41] } }
const person = (operatorId: number, permissions: readonly string[]) =>
  sessionCall({ ...ofRoot, operatorId, permissions, name: `n${operatorId}` })
const [root, second] = [person(1, ['financial_02']), person(2, ['financial_02'])]
const page = { filter: {}, sort: 'day', pageSize: 50 } as const
const refused = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : String(error)
}
/** To an hour and more after the end of today. */
const nextDay = async () => {
  kit.clock.set(businessDayEnd(businessDayOf(kit.clock.now())) + 2 * hourMs)
  return splits.run({ beginsNew: true })
}
const proved = async () => {
  expect(await splitsThatDisagree(db)).toEqual([])
  expect((await verifyLedger(db)).faults).toEqual([])
}

await ledger.post(rideChargeByChannel({ agentId, orderId: 1, cents: 1_000, at: kit.clock.now(), channel: 'sandbox' }))
await nextDay()

describe('a correction by calls alone', () => {
  const own = sessionCall({
    operatorId: 7,
    agentId,
    grant: { agentIds: [3], areaIds: [31] },
    permissions: ['financial_02'],
  })
  const other = sessionCall({
    operatorId: 8,
    agentId: 4,
    grant: { agentIds: [4], areaIds: [41] },
    permissions: ['financial_02'],
  })
  const acts = async (call = second) =>
    (
      await handlers.listMoneyActs(
        { filter: { about: 'bills', states: ['waiting'] }, sort: 'asked', pageSize: 20 },
        call,
      )
    ).data.list
  const corrections = async () =>
    (await owner.selectFrom('ledger_entry').select('number').where('reference', 'like', 'bill:%').execute()).length
  const request = async (cents: number) => {
    const { data } = await handlers.listSplitBills({ ...page, filter: {} }, root)
    const bill = data.list.find(({ agentId: of }) => of === agentId)
    const asked = { id: bill?.id ?? 0, cents, reason: '漏计' }
    return { asked, ...(await handlers.correctSplitBill(asked, root)).data }
  }

  it('moves nothing until another person of the company above has confirmed it, once', async () => {
    const before = await corrections()
    const { asked, actId } = await request(-300)
    expect((await handlers.correctSplitBill(asked, root)).data.actId, 'the same request').toBe(actId)
    expect(await corrections()).toBe(before)
    expect(await acts()).toMatchObject([
      {
        id: actId,
        act: 'split_correction',
        cents: 300,
        isCredit: false,
        billId: asked.id,
        riderId: null,
        canDecide: true,
      },
    ])
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, root)), 'one’s own').toBe('second_person_same')
    const sameTwice = { ...root, caller: { ...root.caller, name: '另一个名字' } }
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, sameTwice)), 'by another name').toBe(
      'second_person_same',
    )
    // The company concerned sees the request, and decides nothing about it.
    expect(await acts(own)).toMatchObject([{ id: actId, canDecide: false, isOwn: false }])
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, own))).toBe('split_set_above')
    expect(await refused(handlers.rejectMoneyAct({ id: actId, note: '' }, own))).toBe('split_set_above')
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, other)), 'another company').toBe('not_found')
    expect(await acts(other)).toEqual([])
    const without = person(9, ['07010111'])
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, without)), 'without the right').toBe('not_found')
    expect(await corrections()).toBe(before)
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () => handlers.confirmMoneyAct({ id: actId }, second)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refused(handlers.confirmMoneyAct({ id: actId }, second)), 'again').toBe('money_action_decided')
    expect(await corrections()).toBe(before + 1)
    const line = await owner
      .selectFrom('ledger_entry')
      .select('amounts_cents')
      .where('reference', '=', `bill:${asked.id}`)
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow()
    expect(line.amounts_cents).toContain(-300)
  })

  it('books what was requested and nothing else', async () => {
    const before = await corrections()
    const { asked, actId } = await request(200)
    // An amount that is sent along with the confirmation is no part of the call.
    const call = secondPersonEndpoints.confirmMoneyAct.input
    expect(call.parse({ id: actId, cents: 9_000, input: { ...asked, cents: 9_000 } })).toEqual({ id: actId })
    const change = (column: string) =>
      db.system((tx) =>
        sql`update money_action set ${sql.ref(column)} = ${sql.ref(column)} where id = ${actId}`.execute(tx),
      )
    for (const column of ['cents', 'input', 'operator_id', 'reason', 'agent_id', 'expires_at'])
      await expect(change(column), column).rejects.toThrow('permission denied')
    // Asked for with another amount it is another request, which waits for itself.
    const larger = await handlers.correctSplitBill({ ...asked, cents: 9_000 }, root)
    expect(larger.data.actId).not.toBe(actId)
    await handlers.confirmMoneyAct({ id: actId }, second)
    expect(await corrections()).toBe(before + 1)
    await handlers.rejectMoneyAct({ id: larger.data.actId, note: '' }, root)
    expect(await refused(handlers.confirmMoneyAct({ id: larger.data.actId }, second))).toBe('money_action_decided')
    const late = await request(100)
    kit.clock.advance(moneyActLifetimeMs)
    expect(await refused(handlers.confirmMoneyAct({ id: late.actId }, second)), 'too late').toBe('money_action_decided')
    expect(await finance.expireRequests()).toBe(1)
    expect(await corrections()).toBe(before + 1)
    await nextDay()
    await proved()
  })
})
