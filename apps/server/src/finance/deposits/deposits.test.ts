import { describe, expect, it } from 'vitest'
import { moneyWorld } from '../wallet/money.fixture.ts'

const { owner, finance, sandbox, clerk, outsider, app, newRider } = await moneyWorld()
const { handlers } = finance

const reason = '测试'
const others = { freeProfessions: false, freeProductIds: [], inherits: false }
const setDeposit = (cents: number, free: { freeStudents?: boolean; freeCardHolders?: boolean } = {}) =>
  handlers.setDeposit({ areaIds: [31], cents, freeStudents: false, freeCardHolders: false, ...others, ...free }, clerk)

describe('a deposit', () => {
  it('is asked for where it is set, paid once, and given back', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    const need = async () => (await handlers.quoteDeposit({ phone: rider.phone, areaId: 31 }, app)).data
    expect(await need()).toMatchObject({ askedCents: 9_900, heldCents: 0, missingCents: 9_900 })
    await rider.deposit()
    expect(await need()).toMatchObject({ askedCents: 9_900, heldCents: 9_900, missingCents: 0 })
    expect((await handlers.payDeposit({ phone: rider.phone, areaId: 31 }, app)).data.payment).toBeNull()
    const takes = await Promise.all(
      Array.from({ length: 4 }, () => handlers.takeDepositBack({ phone: rider.phone }, app)),
    )
    expect(takes.map(({ data }) => data.refundedCents).toSorted((a, b) => b - a)).toEqual([9_900, 0, 0, 0])
    await sandbox.settled()
    expect(await rider.deposits()).toMatchObject([{ state: 'over', refundedCents: 9_900 }])
    expect((await rider.wallet()).wallet.depositCents).toBe(0)
  })

  it('does not leave by the way of a recharge, which knows nothing of freezes and rides', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    await rider.deposit()
    const [payment] = await rider.payments()
    const back = { paymentId: payment!.id, cents: 9_900, reason }
    await expect(handlers.refundPayment(back, clerk)).rejects.toMatchObject({ code: 'refund_above_paid' })
    expect((await rider.wallet()).wallet.depositCents).toBe(9_900)
  })

  it('is free for students and holders of a card where that is set', async () => {
    await setDeposit(9_900, { freeStudents: true })
    const rider = await newRider()
    const missing = async () => (await handlers.quoteDeposit({ phone: rider.phone, areaId: 31 }, app)).data.missingCents
    expect(await missing()).toBe(9_900)
    await owner.updateTable('rider').set({ certificate_kind: 'student' }).where('id', '=', rider.riderId).execute()
    expect(await missing()).toBe(0)
    await setDeposit(9_900, { freeCardHolders: true })
    expect(await missing()).toBe(9_900)
    const { data: settings } = await handlers.depositSettings({}, clerk)
    expect(settings.settings).toMatchObject([{ areaId: 31, cents: 9_900, freeCardHolders: true, authorName: '周可' }])
    expect(settings.history.length).toBeGreaterThan(1)
    expect((await handlers.depositSettings({}, outsider)).data.settings).toEqual([])
    await expect(
      handlers.setDeposit(
        { areaIds: [31, 41], cents: 1, freeStudents: false, freeCardHolders: false, ...others },
        clerk,
      ),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('stays while a part of it is frozen, which is kept or let go once', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    await rider.deposit()
    const [deposit] = await rider.deposits()
    const depositId = deposit!.id
    await expect(handlers.freezeDeposit({ depositId, cents: 9_901, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    const { data: frozen } = await handlers.freezeDeposit({ depositId, cents: 5_000, reason }, clerk)
    const caseId = frozen.cases[0]!.id
    expect(frozen).toMatchObject({ state: 'frozen', frozenCents: 5_000 })
    await expect(handlers.recoverDeposit({ caseId, cents: 5_001, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    const asks = [
      () => handlers.unfreezeDeposit({ caseId, reason }, outsider),
      () => handlers.recoverDeposit({ caseId, cents: 1, reason }, outsider),
      () => handlers.refundDeposit({ depositId, reason }, outsider),
      () => handlers.freezeDeposit({ depositId, cents: 1, reason }, outsider),
    ]
    for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    const decisions = await Promise.allSettled([
      handlers.recoverDeposit({ caseId, cents: 3_000, reason }, clerk),
      handlers.recoverDeposit({ caseId, cents: 3_000, reason }, clerk),
      handlers.unfreezeDeposit({ caseId, reason }, clerk),
    ])
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { data: again } = await handlers.freezeDeposit({ depositId, cents: 1_000, reason }, clerk)
    await handlers.unfreezeDeposit({ caseId: again.cases[0]!.id, reason }, clerk)
    const { recoveredCents } = (await rider.deposits())[0]!
    expect((await handlers.takeDepositBack({ phone: rider.phone }, app)).data.refundedCents).toBe(
      9_900 - recoveredCents,
    )
    await expect(handlers.refundDeposit({ depositId, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    expect(
      (
        await handlers.listDeposits(
          { filter: { phone: rider.phone, states: ['over'] }, sort: 'paid', pageSize: 20 },
          clerk,
        )
      ).data.list,
    ).toHaveLength(1)
    expect(
      (await handlers.listDeposits({ filter: { phone: rider.phone }, sort: 'paid', pageSize: 20 }, outsider)).data.list,
    ).toEqual([])
  })
})
