import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { marketingWorld } from '../marketing.fixture.ts'
import { couponsThatDisagree } from './verify.ts'

const world = await marketingWorld()
const {
  db,
  owner,
  kit,
  handlers,
  agentId,
  clerk,
  outsider,
  app,
  newRiders,
  shareTelephone,
  termsWith,
  create,
  issue,
  couponsOf,
  marketing,
} = world

const counted = async (id: number) => {
  const { issued, open, used, expired, revoked } = await world.template(id)
  return { issued, open, used, expired, revoked }
}

describe('a kind of coupon', () => {
  it('has versions, of which the last one may be changed by whoever saw it', async () => {
    const terms = termsWith()
    const { id } = (await handlers.createCouponTemplate({ agentId, terms }, clerk)).data
    await expect(handlers.createCouponTemplate({ agentId, terms }, clerk)).rejects.toMatchObject({ code: 'name_taken' })
    await expect(handlers.createCouponTemplate({ agentId: 4, terms }, clerk)).rejects.toMatchObject({
      code: 'not_found',
    })
    const changed = { ...terms, effect: { off: 'percent', percent: 20, maxCents: 300 } as const }
    const { data } = await handlers.changeCouponTemplate({ id, version: 1, terms: changed }, clerk)
    expect(data).toEqual({ id, version: 2 })
    await expect(handlers.changeCouponTemplate({ id, version: 1, terms }, clerk)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(handlers.changeCouponTemplate({ id, version: 2, terms }, outsider)).rejects.toMatchObject({
      code: 'not_found',
    })
    const { list } = (await handlers.couponTemplateVersions({ id }, clerk)).data
    expect(list.map(({ version, madeBy, terms: of }) => [version, madeBy, of.effect.off])).toEqual([
      [2, '周可', 'percent'],
      [1, '周可', 'cents'],
    ])
    await expect(handlers.couponTemplateVersions({ id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is for areas of its company, and at the platform’s cost only where the platform says so', async () => {
    const conditions = { ...termsWith().conditions, areaIds: [41] }
    await expect(create({ conditions })).rejects.toMatchObject({ code: 'foreign_scope' })
    await expect(create({ bearer: 'platform' })).rejects.toMatchObject({ code: 'coupon_platform_bears' })
  })

  it('that is paused is issued to nobody, and what riders hold stays valid', async () => {
    const id = await create()
    const { riderIds, phones } = await newRiders(1)
    await issue(id, riderIds)
    await handlers.switchCouponTemplate({ id, state: 'off' }, clerk)
    await expect(issue(id, riderIds)).rejects.toMatchObject({ code: 'coupon_off' })
    expect((await handlers.riderCoupons({ phone: phones[0]! }, app)).data.list).toMatchObject([{ state: 'open' }])
    await handlers.switchCouponTemplate({ id, state: 'on' }, clerk)
    await issue(id, riderIds)
    expect(await counted(id)).toMatchObject({ issued: 2, open: 2 })
  })
})

describe('issuing', () => {
  it('gives one to each rider that may hold one more, and says why others got none', async () => {
    const id = await create({ riderMax: 1 })
    const { riderIds, phones } = await newRiders(3)
    expect(await issue(id, riderIds.slice(0, 1))).toMatchObject({ issued: 1, skipped: [] })
    const asked = { templateId: id, phones: [...phones, '13900000001'], note: '开学' }
    const { data } = await handlers.issueCoupons(asked, clerk)
    expect(data).toMatchObject({
      issued: 2,
      skipped: [
        { at: 0, why: 'cap' },
        { at: 3, why: 'unknown' },
      ],
    })
    const none = await handlers.issueCoupons({ templateId: id, riderIds: [999_999], note: '' }, clerk)
    expect(none.data).toEqual({ batchId: null, issued: 0, skipped: [{ at: 0, why: 'unknown' }] })
    const { list } = (
      await handlers.listCouponBatches({ filter: { templateId: id }, sort: 'made', pageSize: 20 }, clerk)
    ).data
    expect(list[0]).toMatchObject({ wanted: 4, issued: 2, open: 2, source: 'riders', note: '开学', madeBy: '周可' })
    await expect(handlers.issueCoupons(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('holds a rider to the cap however many issue at once', async () => {
    const id = await create({ riderMax: 2 })
    const { riderIds } = await newRiders(1)
    await Promise.all(Array.from({ length: 8 }, () => issue(id, riderIds)))
    expect(await counted(id)).toMatchObject({ issued: 2, open: 2 })
  })
})

describe('a code', () => {
  const claim = (phone: string, code: string) => handlers.riderClaimCoupon({ phone, code }, app)
  const make = async (id: number, count = 1) => {
    const made = { templateId: id, count, claimUntil: kit.clock.now() + dayMs, note: '' }
    const { batchId } = (await handlers.makeCouponCodes(made, clerk)).data
    return { batchId, codes: (await couponsOf({ batchId })).map(({ code }) => code ?? '') }
  }

  it('is one coupon of one rider, also when many claim it at once', async () => {
    const id = await create({ validDays: 3 })
    const { codes } = await make(id)
    const { phones } = await newRiders(20)
    const tries = await Promise.allSettled(phones.map((phone) => claim(phone, codes[0]!)))
    const [won] = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.data] : []))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'coupon_code_taken' } })
    expect(won?.endsAt, 'its days begin when it is claimed').toBe(Date.UTC(2026, 10, 24, 16))
    const winner = phones[tries.findIndex(({ status }) => status === 'fulfilled')]!
    expect((await claim(winner, codes[0]!)).data.id, 'asked again').toBe(won?.id)
    const [coupon] = await couponsOf({ code: codes[0]! })
    expect(coupon).toMatchObject({ state: 'open', claimedAt: TEST_START_MS })
    expect(coupon?.phone).toMatch(/^139\*{4}\d{4}$/)
  })

  it('of a large batch are taken back in steps, by the call and then by the worker', async () => {
    const id = await create()
    const count = 12_345
    const { batchId } = await make(id, 1)
    await sql`
      insert into coupon (agent_id, template_id, version, batch_id, code, issued_at, ends_at)
      select c.agent_id, c.template_id, c.version, c.batch_id, 'A' || translate(lpad(n::text, 11, '0'), '0123456789', 'ABCDEFGHJK'), c.issued_at, c.ends_at
      from coupon c, generate_series(1, ${count - 1}) n where c.batch_id = ${batchId}`.execute(owner)
    await sql`
      update coupon_batch set wanted = ${count}, issued = ${count} where id = ${batchId}`.execute(owner)
    const shown = async () =>
      (await handlers.listCouponBatches({ filter: { id: batchId }, sort: 'made', pageSize: 20 }, clerk)).data.list[0]
    const { data } = await handlers.revokeCouponBatch({ batchId, reason: '印错' }, clerk)
    expect(data).toEqual({ revoked: 10_000, left: count - 10_000 })
    expect(await shown()).toMatchObject({ isRevoking: true, open: count - 10_000, revoked: 10_000 })
    await Promise.all([marketing.revokeBatches(), marketing.revokeBatches()])
    expect(await shown()).toMatchObject({ isRevoking: false, open: 0, revoked: count })
    expect(await couponsThatDisagree(db)).toEqual([])
    await expect(handlers.revokeCouponBatch({ batchId, reason: '印错' }, clerk)).rejects.toMatchObject({
      code: 'coupon_batch_closed',
    })
  })

  it('goes to one of those who share a telephone where that is limited', async () => {
    const id = await create({ deviceMax: 1 })
    const { codes } = await make(id, 3)
    const { phones, riderIds } = await newRiders(3)
    await shareTelephone(riderIds.slice(0, 2), 'codes')
    const tries = await Promise.allSettled(phones.map((phone, at) => claim(phone, codes[at]!)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(tries[2], 'on a telephone of its own').toMatchObject({ status: 'fulfilled' })
    const refused = tries.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'coupon_device', message: /1 张/ } })
    const { batchId } = (await couponsOf({ code: codes[2]! }))[0]!
    await handlers.revokeCouponBatch({ batchId, reason: '印错' }, clerk)
    const { codes: again } = await make(id)
    expect((await claim(phones[0]!, again[0]!)).data.state, 'what was revoked does not count').toBe('open')
  })

  it('is refused with the reason', async () => {
    const id = await create({ riderMax: 1, budgetUses: 1 })
    const { batchId, codes } = await make(id, 3)
    const { phones } = await newRiders(2)
    const [one, other] = [phones[0]!, phones[1]!]
    await expect(claim(one, 'AAAAAAAAAAAA')).rejects.toMatchObject({ code: 'coupon_code_unknown' })
    await expect(
      handlers.riderClaimCoupon({ phone: one, code: codes[0]! }, { ...app, app: { id: 2, agentIds: [4] } }),
      'a code of another company',
    ).rejects.toMatchObject({ code: 'coupon_code_unknown' })
    await claim(one, codes[0]!)
    await expect(claim(one, codes[1]!)).rejects.toMatchObject({ code: 'coupon_cap' })
    await handlers.switchCouponTemplate({ id, state: 'off' }, clerk)
    await expect(claim(other, codes[1]!)).rejects.toMatchObject({ code: 'coupon_off' })
    await handlers.switchCouponTemplate({ id, state: 'on' }, clerk)
    await owner.updateTable('coupon_template').set({ uses: 1 }).where('id', '=', id).execute()
    await expect(claim(other, codes[1]!)).rejects.toMatchObject({ code: 'coupon_budget_spent' })
    await owner.updateTable('coupon_template').set({ uses: 0 }).where('id', '=', id).execute()
    expect((await handlers.revokeCouponBatch({ batchId, reason: '印错' }, clerk)).data.revoked).toBe(3)
    await expect(claim(other, codes[1]!)).rejects.toMatchObject({ code: 'coupon_code_revoked', message: /印错/ })
    const late = await make(id)
    kit.clock.advance(2 * dayMs)
    await expect(claim(other, late.codes[0]!)).rejects.toMatchObject({ code: 'coupon_code_over' })
    kit.clock.set(TEST_START_MS)
  })
})

describe('revoking and expiry', () => {
  it('takes back what is open, once, and nothing of others', async () => {
    const id = await create()
    const { riderIds, phones } = await newRiders(3)
    await issue(id, riderIds)
    const [first] = await couponsOf({ templateId: id })
    const asked = { ids: [first!.id], reason: '误发' }
    await expect(handlers.revokeCoupons(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
    const tries = await Promise.all([1, 2, 3].map(() => handlers.revokeCoupons(asked, clerk)))
    expect(tries.map(({ data }) => data.revoked).toSorted()).toEqual([0, 0, 1])
    expect(await counted(id)).toEqual({ issued: 3, open: 2, used: 0, expired: 0, revoked: 1 })
    const phone = phones[riderIds.indexOf(first!.riderId!)]!
    expect((await handlers.riderCoupons({ phone }, app)).data.list).toMatchObject([
      { state: 'revoked', revokeReason: '误发' },
    ])
  })

  it('ends what has run out, whoever else does the same', async () => {
    const id = await create({ validDays: 1 })
    const { riderIds, phones } = await newRiders(5)
    await issue(id, riderIds)
    kit.clock.advance(3 * dayMs)
    expect(
      (await handlers.riderCoupons({ phone: phones[0]! }, app)).data.list,
      'before it is written down',
    ).toMatchObject([{ state: 'expired' }])
    await Promise.all([1, 2, 3].map(() => world.marketing.expire()))
    expect(await counted(id)).toEqual({ issued: 5, open: 0, used: 0, expired: 5, revoked: 0 })
    kit.clock.set(TEST_START_MS)
  })
})

it('lists by every condition, and writes codes into a file', async () => {
  const id = await create()
  const { riderIds, phones } = await newRiders(2)
  const { batchId } = await issue(id, riderIds)
  expect(await couponsOf({ templateId: id, states: ['open'] })).toHaveLength(2)
  expect(await couponsOf({ templateId: id, states: ['used'] })).toEqual([])
  expect(await couponsOf({ batchId: batchId!, phone: phones[0]! })).toMatchObject([{ riderId: riderIds[0] }])
  expect(await couponsOf({ templateId: id, from: TEST_START_MS + 1 })).toEqual([])
  expect(
    (await handlers.listCoupons({ filter: { templateId: id }, sort: 'issued', pageSize: 20 }, outsider)).data.list,
  ).toEqual([])
  await handlers.makeCouponCodes({ templateId: id, count: 3, claimUntil: kit.clock.now() + dayMs, note: '' }, clerk)
  const { data } = await handlers.exportCoupons({ filter: { templateId: id }, sort: 'issued' }, clerk)
  expect(data.rows).toBe(5)
  expect(data.text.match(/\b[A-Z2-9]{12}\b/g)).toHaveLength(3)
})

it('counters and coupons that differ are found', async () => {
  expect(await couponsThatDisagree(db)).toEqual([])
  const id = await create()
  await issue(id, (await newRiders(1)).riderIds)
  await owner.updateTable('coupon_batch').set({ revoked: 1 }).where('template_id', '=', id).execute()
  await owner.updateTable('coupon_template').set({ uses: 1 }).where('id', '=', id).execute()
  const faults = await couponsThatDisagree(db)
  expect(faults).toEqual([
    expect.stringMatching(/^batch .* revoked 1 open 0; its coupons say 1 0 0 0 0 1$/),
    expect.stringMatching(/^kind .* 1 uses/),
  ])
  await owner.updateTable('coupon_batch').set({ revoked: 0 }).where('template_id', '=', id).execute()
  await owner.updateTable('coupon_template').set({ uses: 0 }).where('id', '=', id).execute()
  expect(await couponsThatDisagree(db)).toEqual([])
})
