import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError, errorText } from '@saddle/contract/errors.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { inviteWorld } from './invites.fixture.ts'

const world = await inviteWorld()
const { kit, owner, handlers, clerk, outsider, app, agentId, newRiders, start, ride, refund, work } = world
const { bind, codeOf, inviteOf, open, pair } = world

const couponsOf = async (riderId: number) => (await world.couponsOf({ riderId })).map(({ state }) => state)
const refusalOf = async (work_: Promise<unknown>) => {
  const [settled] = await Promise.allSettled([work_])
  return settled.status === 'rejected' && settled.reason instanceof AppError ? settled.reason.code : 'none'
}

describe('codes', () => {
  it('are made while an activity runs, are short and stay the same', async () => {
    const { phones } = await newRiders(1)
    const [phone = ''] = phones
    const before = await handlers.riderOwnInvites({ phone }, app)
    expect(before.data).toMatchObject({ code: null, activity: null, invited: 0, mayBindUntil: null })
    await start({ name: '带好友' })
    const { data } = await handlers.riderOwnInvites({ phone }, app)
    expect(data.code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/)
    expect(data.activity).toMatchObject({ name: '带好友', inviterRewards: [{ kind: 'coupon', count: 1, cents: 200 }] })
    expect(await codeOf(phone)).toBe(data.code)
  })

  it('are there at the first look of somebody new, who may say then who brought them', async () => {
    const phone = '13900990042'
    const count = async () =>
      Number((await sql<{ n: string }>`select count(*) as n from rider`.execute(owner)).rows[0]?.n)
    await owner.updateTable('activity').set({ state: 'paused' }).execute()
    const before = await count()
    expect((await handlers.riderOwnInvites({ phone }, app)).data).toMatchObject({ code: null, mayBindUntil: null })
    expect(await count(), 'without an activity nobody is registered').toBe(before)
    await start()
    const { data } = await handlers.riderOwnInvites({ phone }, app)
    expect(data.code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/)
    expect(data).toMatchObject({ invited: 0, broughtBy: null, mayBindUntil: kit.clock.now() + 7 * dayMs })
    expect((await handlers.riderOwnInvites({ phone }, app)).data).toEqual(data)
    expect(await count()).toBe(before + 1)
  })

  it('are named once by a new rider, who hears why not', async () => {
    await start()
    const { phones, riderIds } = await newRiders(5)
    const [first = '', second = '', third = '', ridden = '', late = ''] = phones
    const code = await codeOf(first)
    const bound = await bind(third, code.toLowerCase())
    expect(bound).toMatchObject({ state: 'registered', reason: null, countedAt: null })
    expect(await bind(third, `${code.slice(0, 3)}-${code.slice(3)}`), 'said again').toEqual(bound)
    expect(await refusalOf(bind(third, await codeOf(second)))).toBe('invite_bound')
    expect(await refusalOf(bind(first, code))).toBe('invite_own_code')
    await ride(riderIds[3] ?? 0)
    expect(await refusalOf(bind(ridden, code))).toBe('invite_not_new')
    await owner
      .updateTable('rider')
      .set({ created_at: new Date(kit.clock.now() - 8 * dayMs) })
      .where('id', '=', riderIds[4] ?? 0)
      .execute()
    expect(await refusalOf(bind(late, code))).toBe('invite_not_new')
    const mine = (await handlers.riderOwnInvites({ phone: first }, app)).data
    expect(mine).toMatchObject({
      invited: 1,
      counted: 0,
      list: [{ state: 'registered', phone: `${third.slice(0, 3)}****${third.slice(7)}` }],
    })
    expect((await handlers.riderOwnInvites({ phone: third }, app)).data).toMatchObject({
      broughtBy: { state: 'registered' },
      mayBindUntil: null,
    })
    await owner.updateTable('activity').set({ state: 'paused' }).execute()
    const { phones: others } = await newRiders(1)
    expect(await refusalOf(bind(others[0] ?? '', code))).toBe('invite_off')
  })

  it('cannot be guessed: after five wrong ones a day even a right one is not answered', async () => {
    await start()
    const { phones } = await newRiders(2)
    const [inviter = '', guesser = ''] = phones
    const code = await codeOf(inviter)
    for (let time = 0; time < 5; time += 1)
      expect(await refusalOf(bind(guesser, `ZZZZZ${2 + time}`))).toBe('invite_code_unknown')
    expect(await refusalOf(bind(guesser, code))).toBe('invite_guesses_spent')
    kit.clock.advance(dayMs)
    expect((await bind(guesser, code)).state).toBe('registered')
  })
})

describe('an invite', () => {
  it('counts by the first paid ride that is long enough, and rewards both sides after some hours', async () => {
    const activityId = await start({ budgetUses: 10 })
    const { inviterId, invitedId, inviterPhone } = await pair()
    await ride(invitedId, { minutes: 2 })
    await ride(invitedId, { cents: 0 })
    await work()
    expect(await inviteOf(invitedId)).toMatchObject({ state: 'registered', orderId: null })
    const orderId = await ride(invitedId)
    await ride(invitedId)
    await work()
    await work()
    expect(await inviteOf(invitedId)).toMatchObject({
      state: 'pending',
      orderId,
      activityId,
      dueAt: kit.clock.now() + 24 * hourMs,
      costCents: 400,
      facts: { minutes: 12, metres: 2_000, paidCents: 200, sameDevice: false },
    })
    expect(await couponsOf(inviterId)).toEqual([])
    kit.clock.advance(24 * hourMs)
    await work()
    expect(await inviteOf(invitedId)).toMatchObject({ state: 'rewarded', reason: null })
    expect(await couponsOf(inviterId)).toEqual(['open'])
    expect(await couponsOf(invitedId)).toEqual(['open'])
    expect((await handlers.riderOwnInvites({ phone: inviterPhone }, app)).data).toMatchObject({
      rewarded: 1,
      counted: 1,
    })
    const { data } = await handlers.listInviteActivities(
      { filter: { id: activityId }, sort: 'created', pageSize: 20 },
      clerk,
    )
    expect(data.list[0]).toMatchObject({ uses: 2, usedCents: 400, riders: 2 })
  })

  it('is reversed by a full refund, before and after the rewards', async () => {
    const activityId = await start()
    const [early, late] = [await pair(), await pair()]
    const earlyOrder = await ride(early.invitedId)
    const lateOrder = await ride(late.invitedId)
    await work()
    await refund(earlyOrder)
    await work()
    expect(await inviteOf(early.invitedId)).toMatchObject({ state: 'reversed', reason: 'refund' })
    kit.clock.advance(24 * hourMs)
    await work()
    expect(await couponsOf(early.inviterId)).toEqual([])
    expect(await couponsOf(late.inviterId)).toEqual(['open'])
    await refund(lateOrder)
    await work()
    expect(await inviteOf(late.invitedId)).toMatchObject({ state: 'reversed' })
    expect(await couponsOf(late.inviterId)).toEqual(['revoked'])
    expect(await couponsOf(late.invitedId)).toEqual(['revoked'])
    const { data } = await handlers.listInviteActivities(
      { filter: { id: activityId }, sort: 'created', pageSize: 20 },
      clerk,
    )
    expect(data.list[0]).toMatchObject({ uses: 0, usedCents: 0 })
  })

  it('earns nothing when the ride does not come in time, and a paused activity counts no rides', async () => {
    const id = await start({}, { rideDays: 3 })
    const [slow, waiting] = [await pair(), await pair()]
    await handlers.switchInviteActivity({ id, state: 'paused' }, clerk)
    await ride(waiting.invitedId)
    await work()
    expect((await inviteOf(waiting.invitedId)).state).toBe('registered')
    await handlers.switchInviteActivity({ id, state: 'on' }, clerk)
    await ride(waiting.invitedId)
    await work()
    expect((await inviteOf(waiting.invitedId)).state).toBe('pending')
    kit.clock.advance(4 * dayMs + 1)
    await work()
    expect(await inviteOf(slow.invitedId)).toMatchObject({ state: 'refused', reason: 'late' })
  })
})

describe('false invites', () => {
  it('of one telephone earn nothing: the inviter’s, one of another friend, or one of an older account', async () => {
    await start()
    const { phones, riderIds } = await newRiders(6)
    const [a = '', b = '', c = '', d = '', old = '', again = ''] = phones
    const code = await codeOf(a)
    await open(riderIds[0] ?? 0, 'phone of a')
    expect(await bind(b, code, 'phone of a')).toMatchObject({
      state: 'refused',
      reason: '邀请人与好友须为不同的两个人',
    })
    expect(await inviteOf(riderIds[1] ?? 0)).toMatchObject({ reason: 'device', facts: { sameDevice: true } })
    expect((await bind(c, code, 'another')).state).toBe('registered')
    await bind(d, code, 'another')
    expect(await inviteOf(riderIds[3] ?? 0)).toMatchObject({ reason: 'device' })
    await open(riderIds[4] ?? 0, 'phone of old')
    await owner
      .updateTable('rider')
      .set({ created_at: new Date(kit.clock.now() - 60 * dayMs) })
      .where('id', '=', riderIds[4] ?? 0)
      .execute()
    await ride(riderIds[4] ?? 0)
    expect(old).not.toBe('')
    await bind(again, code, 'phone of old')
    expect(await inviteOf(riderIds[5] ?? 0)).toMatchObject({ reason: 'rode', facts: { olderAccount: true } })
  })

  it('of one payment account or document are found when the ride is paid, or while the rewards wait', async () => {
    await start()
    const pay = (riderId: number, payer: string) =>
      owner
        .insertInto('payment')
        .values({
          agent_id: agentId,
          rider_id: riderId,
          purpose: 'recharge',
          channel: 'sandbox',
          number: `${payer}${riderId}`.padEnd(20, '0'),
          cents: 100,
          payer_hash: payer.padEnd(43, 'x'),
          created_at: new Date(kit.clock.now()),
        })
        .execute()
    const [one, two] = [await pair(), await pair()]
    await pay(one.inviterId, 'same')
    await pay(one.invitedId, 'same')
    await pay(two.inviterId, 'other')
    await ride(one.invitedId)
    await ride(two.invitedId)
    await work()
    expect(await inviteOf(one.invitedId)).toMatchObject({ state: 'refused', reason: 'payer', costCents: 0 })
    expect((await inviteOf(two.invitedId)).state).toBe('pending')
    await pay(two.invitedId, 'other')
    kit.clock.advance(24 * hourMs)
    await work()
    expect(await inviteOf(two.invitedId)).toMatchObject({ state: 'refused', reason: 'payer' })
    expect(await couponsOf(two.inviterId)).not.toContain('open')
    const three = await pair()
    await sql`
      insert into rider_rebind (agent_id, rider_id, kind, new_hash, new_sealed, name_sealed, holder_id, asked_at, state,
        decided_at, decided_by)
      values (${agentId}, ${three.invitedId}, 'certificate', 'h', 's', 'n', ${three.inviterId}, now(), 'approved', now(), 'x')`.execute(
      owner,
    )
    await ride(three.invitedId)
    await work()
    expect(await inviteOf(three.invitedId)).toMatchObject({ state: 'refused', reason: 'person' })
  })

  it('in a circle or too deep below the first inviter are refused, and the tree stays one', async () => {
    await start({}, { depthMax: 2 })
    const { phones, riderIds } = await newRiders(4)
    const codes: string[] = []
    for (const phone of phones) codes.push(await codeOf(phone))
    const [a = '', b = '', c = '', d = ''] = phones
    expect((await bind(b, codes[0] ?? '')).state).toBe('registered')
    expect((await bind(c, codes[1] ?? '')).state).toBe('registered')
    await bind(a, codes[2] ?? '')
    expect(await inviteOf(riderIds[0] ?? 0)).toMatchObject({ state: 'refused', reason: 'cycle' })
    await bind(d, codes[2] ?? '')
    expect(await inviteOf(riderIds[3] ?? 0)).toMatchObject({ reason: 'depth', depth: 3 })
    const below = async (inviterId?: number) => (await handlers.inviteTree({ inviterId }, clerk)).data.list
    const top = (await below()).find(({ riderId }) => riderId === riderIds[0])
    expect(top).toMatchObject({ brought: 1, invite: null })
    expect((await below(riderIds[0])).map(({ riderId }) => riderId)).toEqual([riderIds[1]])
    expect((await below(riderIds[2])).map(({ invite }) => invite?.reason)).toEqual(['depth', 'cycle'])
    const { paths } = (await handlers.findInInviteTree({ phone: d }, clerk)).data
    expect(paths[0]?.map(({ riderId }) => riderId)).toEqual(riderIds)
    const card = (await handlers.riderInvites({ riderId: riderIds[1] ?? 0 }, clerk)).data
    expect(card).toMatchObject({ code: codes[1], broughtBy: { riderId: riderIds[0] }, brought: 1 })
  })

  it('of riders who are held out earn nothing, and are part of the tree', async () => {
    await start({ holdoutPercent: 50 })
    const states: string[] = []
    for (let turn = 0; turn < 12; turn += 1) {
      const { phones, riderIds } = await newRiders(2)
      const [inviter = '', invited = ''] = phones
      const { code } = (await handlers.riderOwnInvites({ phone: inviter }, app)).data
      if (code === null) {
        states.push('no code')
        continue
      }
      await bind(invited, code)
      const { state, reason } = await inviteOf(riderIds[1] ?? 0)
      states.push(reason ?? state)
    }
    expect(new Set(states)).toEqual(new Set(['no code', 'held_out', 'registered']))
  })
})

describe('people', () => {
  it('refuse what is pending and let through what was refused, with a reason, in their company', async () => {
    await start()
    const { invitedId, inviterId } = await pair()
    await ride(invitedId)
    await work()
    const { id } = await inviteOf(invitedId)
    const note = '同一宿舍反复注册'
    await expect(handlers.refuseInvite({ id, note }, outsider)).rejects.toThrow(errorText('not_found'))
    expect((await handlers.refuseInvite({ id, note }, clerk)).data.state).toBe('refused')
    expect(await inviteOf(invitedId)).toMatchObject({ reason: 'staff', note, decidedBy: '周可' })
    await expect(handlers.refuseInvite({ id, note }, clerk)).rejects.toThrow(errorText('invite_decided'))
    expect((await handlers.clearInvite({ id, note: '核实无误' }, clerk)).data.state).toBe('pending')
    kit.clock.advance(25 * hourMs)
    await work()
    expect(await inviteOf(invitedId)).toMatchObject({ state: 'rewarded', isCleared: true })
    expect(await couponsOf(inviterId)).toEqual(['open'])
    const { rows } = await sql<{ action: string }>`
      select action from audit_record where subject_kind = 'invite' and subject_id = ${String(id)} order by id`.execute(
      owner,
    )
    expect(rows.map(({ action }) => action)).toEqual(['invite.refuse', 'invite.clear'])
  })

  it('hear why a reward cannot be given', async () => {
    await start({ budgetUses: 2 })
    const [one, two] = [await pair(), await pair()]
    await ride(one.invitedId)
    await work()
    await ride(two.invitedId)
    await work()
    const { id, reason } = await inviteOf(two.invitedId)
    expect(reason).toBe('budget')
    await expect(handlers.clearInvite({ id, note: '放行' }, clerk)).rejects.toThrow('活动预算已用完')
    expect((await inviteOf(two.invitedId)).state).toBe('refused')
  })
})

describe('at once', () => {
  it('two codes of one rider: the first counts, and a circle does not slip in', async () => {
    await start()
    for (let turn = 0; turn < 5; turn += 1) {
      const { phones, riderIds } = await newRiders(4)
      const codes: string[] = []
      for (const phone of phones) codes.push(await codeOf(phone))
      const [a = '', b = '', c = '', d = ''] = phones
      const bound = await Promise.allSettled([
        bind(d, codes[0] ?? ''),
        bind(d, codes[1] ?? ''),
        bind(b, codes[0] ?? ''),
        bind(c, codes[1] ?? ''),
        bind(a, codes[2] ?? ''),
        bind(a, codes[2] ?? ''),
      ])
      expect(bound.slice(0, 2).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const reasons = await Promise.all(riderIds.slice(0, 3).map(async (id) => (await inviteOf(id)).reason))
      expect(reasons.filter((reason) => reason === 'cycle')).toHaveLength(1)
    }
  })

  it('a cap of the inviter by day, and a budget, are reached exactly', async () => {
    await start({ riderDayUses: 3 })
    const { phones } = await newRiders(1)
    const code = await codeOf(phones[0] ?? '')
    const { phones: friends, riderIds } = await newRiders(8)
    for (const friend of friends) await bind(friend, code)
    for (const riderId of riderIds) await ride(riderId)
    await Promise.all([world.facts.run(), world.facts.run(), world.facts.run()])
    await work()
    const invites = await Promise.all(riderIds.map(inviteOf))
    expect(invites.filter(({ state }) => state === 'pending')).toHaveLength(3)
    expect(invites.filter(({ reason }) => reason === 'day_cap')).toHaveLength(5)
    expect(invites.filter(({ costCents }) => costCents === 400)).toHaveLength(3)
  })
})

it('a preview says what the new riders of past weeks would have cost at most', async () => {
  const asked = { agentId, weeks: 4 } as const
  const { data } = await handlers.previewInviteActivity({ ...asked, ...world.inputWith() }, clerk)
  expect(data.considered).toBeGreaterThan(20)
  expect(data.reached).toBeGreaterThan(5)
  expect(data.costCents).toBe(data.reached * 400)
  expect(data.byArea).toMatchObject([{ areaId: 31, area: '城北' }])
  const none = await handlers.previewInviteActivity({ ...asked, ...world.inputWith({}, { minMinutes: 100 }) }, clerk)
  expect(none.data).toMatchObject({ reached: 0, costCents: 0 })
  const capped = await handlers.previewInviteActivity({ ...asked, ...world.inputWith({ budgetUses: 4 }) }, clerk)
  expect(capped.data).toMatchObject({ reached: 2, costCents: 800 })
})
