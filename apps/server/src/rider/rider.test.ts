import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { riderCells, revealsPerHour } from '@saddle/contract/rider/riders.ts'
import { dayMs as day } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { fillRiders } from '#demo/past/riders.ts'
import { createFinance } from '#finance/public.ts'
import { createPhotos } from '#photos/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { createSeals } from './people/seals.ts'
import { riderDesk } from './desk.fixture.ts'

const { db, owner, kit, riders, desk, handlers, call, foreign, above, phones, ids, ofApp, search } = await riderDesk()

describe('the conditions of the list', () => {
  it('have the number that the database gives them', async () => {
    const { rows } = await sql<{ cell: number }>`
      select distinct rider_cell(closed, certified, banned, kind, mark::smallint) as cell
      from unnest(array[false, true]) closed, unnest(array[false, true]) certified, unnest(array[false, true]) banned,
        unnest(array[null, 'student', 'profession']) kind, generate_series(0, 3) mark order by cell`.execute(owner)
    expect(riderCells({}).toSorted((a, b) => a - b)).toEqual(rows.map(({ cell }) => cell))
    expect(
      riderCells({ state: 'closed', certified: true, banned: true, certificates: ['profession'], balances: ['much'] }),
    ).toEqual([95])
    expect(
      riderCells({ state: 'active', certified: false, banned: false, certificates: ['student'], balances: ['none'] }),
    ).toEqual([4])
  })

  it('find whole phones, names and numbers of the scope, and show parts of them', async () => {
    const [first = 0, second = 0, third = 0, other = 0] = ids
    expect(await search({})).toEqual([first, second, third])
    expect(await search({ phone: phones[0] })).toEqual([first])
    expect(await search({ phone: phones[0] }, above)).toEqual([first, other])
    expect(await search({ name: '李想' })).toEqual([second])
    expect(await search({ name: '李' })).toEqual([])
    expect(await search({ riderId: third })).toEqual([third])
    expect(await search({ riderId: other })).toEqual([])
    const { data } = await handlers.searchRiders({ filter: {}, sort: 'active', direction: 'desc', pageSize: 2 }, call)
    expect(data).toMatchObject({ count: 3, isCountCut: false })
    expect(JSON.stringify(data)).not.toMatch(/13700000|王小明|李想/)
    expect(data.list.find(({ id }) => id === first) ?? data.list[0]).toMatchObject({
      phone: expect.stringContaining('****'),
    })
    const rest = await handlers.searchRiders(
      { filter: {}, sort: 'active', direction: 'desc', pageSize: 2, cursor: data.nextCursor! },
      call,
    )
    expect(new Set([...data.list, ...rest.data.list].map(({ id }) => id))).toEqual(new Set([first, second, third]))
    expect(rest.data).toMatchObject({ nextCursor: null, count: null })
    await expect(handlers.riderDetail({ riderId: first }, foreign)).rejects.toThrow('请求错误，未找到该资源')
  })

  it('follow what the ledger says riders have', async () => {
    const { ledger } = createFinance(kit)
    const account = { kind: 'rider_balance', ownerId: ids[1]! } as const
    await ledger.post({
      agentId: 3,
      kind: 'recharge',
      reference: 'payment:1',
      lines: [
        { account, amountCents: 3_000 },
        { account: { kind: 'clearing_sandbox' }, amountCents: -3_000 },
      ],
    })
    const card = { kind: 'card_unearned', ownerId: ids[1]! } as const
    const of = { agentId: 3, reference: 'card:1' }
    const sold = [
      { account, amountCents: -1_000 },
      { account: card, amountCents: 1_000 },
    ]
    await ledger.post({ ...of, kind: 'card_sale', lines: sold })
    const earned = [
      { account: card, amountCents: -30 },
      { account: { kind: 'agent_revenue' } as const, amountCents: 30 },
    ]
    await ledger.post({ ...of, kind: 'card_earning', lines: earned })
    await ledger.close()
    expect(await search({ balances: ['some'] })).toEqual([])
    await desk.sweep()
    expect(await search({ balances: ['some', 'much'] })).toEqual([ids[1]])
    const { data } = await handlers.riderTimeline({ riderId: ids[1]!, groups: ['money'], pageSize: 20 }, call)
    // What a card earns is nothing that happened to the rider.
    expect(data.list).toMatchObject([
      { kind: 'money', code: 'card_sale', cents: 1_000 },
      { kind: 'money', code: 'recharge', cents: 3_000 },
    ])
  })

  it('have in their past what goes back to them through a channel', async () => {
    const at = new Date(kit.clock.now())
    const { id: paymentId } = await owner
      .insertInto('payment')
      .values({
        agent_id: 3,
        rider_id: ids[2]!,
        purpose: 'ride',
        became: 'ride',
        subject_id: 1,
        channel: 'sandbox',
        number: 'a'.repeat(32),
        cents: 500,
        state: 'paid',
        trade_number: 'x',
        created_at: at,
        paid_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await owner
      .insertInto('payment_refund')
      .values({
        agent_id: 3,
        payment_id: paymentId,
        number: 'b'.repeat(32),
        cents: 300,
        reason: '车辆故障',
        state: 'done',
        created_at: at,
        done_at: at,
      })
      .execute()
    const asked = { riderId: ids[2]!, groups: ['money' as const], pageSize: 20 }
    expect((await handlers.riderTimeline(asked, call)).data.list).toMatchObject([
      { kind: 'money', code: 'channel_done', cents: 300, text: '车辆故障' },
    ])
    expect((await handlers.riderTimeline({ ...asked, before: at.getTime() }, call)).data.list).toEqual([])
  })

  it('leave as a file with a line in the log', async () => {
    const asked = { sort: 'registered', direction: 'asc' } as const
    const { data } = await handlers.exportRiders({ ...asked, filter: { phone: phones[0] } }, call)
    expect(data.rows).toBe(1)
    expect(data.text).toContain('137****0001')
    const line = await owner
      .selectFrom('audit_record')
      .select('after')
      .where('action', '=', 'rider.export')
      .executeTakeFirstOrThrow()
    expect(line.after).toEqual({ filter: {}, byPhone: true })
  })
})

describe('a certificate', () => {
  it('belongs to one rider, and moves when a person agrees', async () => {
    const certify = (phone: string, certNumber: string) =>
      handlers.certifyRider({ phone, name: '王小明', certNumber }, ofApp())
    expect((await certify(phones[0], '110101199003070011')).data).toMatchObject({ certified: true })
    expect((await certify(phones[0], '110101199003070011')).data).toMatchObject({ certified: true })
    await expect(certify(phones[0], '110101199003070029')).rejects.toThrow('该账号已经实名')
    await expect(certify(phones[2], '110101199003070011')).rejects.toThrow('请申请换绑')
    const claim = { claim: '换了手机', photos: [] }
    const wanted = { name: '王小明', certNumber: '110101199003070011' }
    await expect(handlers.askRebind({ phone: phones[0], ...wanted, ...claim }, ofApp())).rejects.toThrow('已经实名')
    await handlers.askRebind({ phone: phones[2], ...wanted, ...claim }, ofApp())
    await expect(handlers.askRebind({ phone: phones[2], ...wanted, ...claim }, ofApp())).rejects.toThrow('正在等待')
    const listed = await handlers.listRebinds(
      { filter: { states: ['waiting'] }, sort: 'asked' as const, direction: 'desc', pageSize: 20 },
      call,
    )
    expect(listed.data.list).toMatchObject([
      {
        wanted: '1101**********0011',
        wantedName: '王**',
        holderId: ids[0],
        holderPhone: '137****0001',
        claim: '换了手机',
      },
    ])
    const { id } = listed.data.list[0]!
    await expect(handlers.decideRebind({ id, decision: 'approved', reason: '' }, foreign)).rejects.toThrow('未找到')
    expect((await handlers.decideRebind({ id, decision: 'approved', reason: '' }, call)).data.state).toBe('approved')
    await expect(handlers.decideRebind({ id, decision: 'refused', reason: 'x' }, call)).rejects.toThrow('已经处理')
    expect(await search({ certified: true })).toEqual([ids[2]])
    expect(await search({ certNumber: '110101199003070011' })).toEqual([ids[2]])
    expect((await handlers.revealCertificate({ riderId: ids[2]!, reason: '核对' }, call)).data).toEqual({
      certNumber: '110101199003070011',
      name: '王小明',
    })
  })

  it('stays readable when the rider gets another phone', async () => {
    await handlers.askRebind({ phone: phones[2], newPhone: '13700000009', claim: '', photos: [] }, ofApp())
    const { data } = await handlers.listRebinds(
      { filter: { states: ['waiting'], kinds: ['phone'] }, sort: 'asked' as const, direction: 'desc', pageSize: 20 },
      call,
    )
    await handlers.decideRebind({ id: data.list[0]!.id, decision: 'approved', reason: '' }, call)
    expect(await search({ phone: '13700000009' })).toEqual([ids[2]])
    const { data: detail } = await handlers.riderDetail({ riderId: ids[2]! }, call)
    expect(detail).toMatchObject({ rider: { phone: '137****0009', name: '王**' }, certNumber: '1101**********0011' })
    await handlers.askRebind({ phone: '13700000009', newPhone: phones[0], claim: '', photos: [] }, ofApp())
    const again = await handlers.listRebinds(
      { filter: { states: ['waiting'] }, sort: 'asked' as const, direction: 'desc', pageSize: 20 },
      call,
    )
    const { id } = again.data.list[0]!
    await expect(handlers.decideRebind({ id, decision: 'approved', reason: '' }, call)).rejects.toThrow(
      '已绑定其他账号',
    )
    await handlers.decideRebind({ id, decision: 'refused', reason: '号码不是本人的' }, call)
  })
})

describe('a certificate', () => {
  const listed = async () => {
    const asked = {
      filter: { states: ['waiting' as const] },
      sort: 'submitted' as const,
      direction: 'desc' as const,
      pageSize: 20,
    }
    return (await handlers.listCertificates(asked, call)).data.list
  }

  it('is looked at, decided, taken back, and runs out', async () => {
    const certificate = {
      phone: phones[1],
      kind: 'student' as const,
      organisation: '城北大学',
      photos: [samples.jpeg.toString('base64')],
    }
    await handlers.submitCertificate(certificate, ofApp())
    await expect(handlers.submitCertificate(certificate, ofApp())).rejects.toThrow('正在等待审核')
    const [row] = await listed()
    expect(row).toMatchObject({ organisation: '城北大学', photos: 1, state: 'waiting', riderId: ids[1] })
    const id = row!.id
    expect((await handlers.certificatePhotos({ id }, call)).data.list).toHaveLength(1)
    await expect(handlers.certificatePhotos({ id }, foreign)).rejects.toThrow('未找到')
    const expiresAt = kit.clock.now() + 30 * day
    const approve = { ids: [id], decision: 'approved' as const, reason: '' }
    await expect(handlers.decideCertificates({ ...approve, expiresAt: 1 }, call)).rejects.toThrow('有效期')
    await expect(handlers.decideCertificates({ ...approve, expiresAt }, foreign)).rejects.toThrow('未找到')
    expect((await handlers.decideCertificates({ ...approve, expiresAt }, call)).data).toEqual({
      decided: [id],
      refused: [],
    })
    expect(await search({ certificates: ['student'] })).toEqual([ids[1]])
    expect((await handlers.reopenCertificates({ ids: [id] }, call)).data).toEqual({ decided: [id], refused: [] })
    expect(await search({ certificates: ['student'] })).toEqual([])
    await handlers.decideCertificates({ ...approve, ids: [id, 999], expiresAt }, call)
    kit.clock.advance(31 * day)
    await desk.sweep()
    expect(await search({ certificates: ['student'] })).toEqual([])
    const { data } = await handlers.riderDetail({ riderId: ids[1]! }, call)
    expect(data.certificates).toMatchObject([{ state: 'expired' }])
  })
})

describe('the blacklist', () => {
  const isBarred = (id: number) => db.system((tx) => riders.isBarred(tx, id))

  it('holds whoever is put on it, until somebody or the term lifts it', async () => {
    const [first = 0, second = 0, , other = 0] = ids
    const until = kit.clock.now() + day
    const ban = { riderIds: [first, second, other], reason: '恶意损坏', until }
    expect((await handlers.banRiders(ban, call)).data.banned).toEqual([first, second])
    expect((await handlers.banRiders(ban, call)).data.banned).toEqual([])
    expect([await isBarred(first), await isBarred(other)]).toEqual([true, false])
    expect(await search({ banned: true })).toEqual([first, second])
    const asked = {
      filter: { states: ['active' as const], phone: phones[0] },
      sort: 'begun' as const,
      direction: 'desc' as const,
      pageSize: 20,
    }
    expect((await handlers.listBans(asked, call)).data).toMatchObject({
      count: 1,
      list: [{ riderId: first, by: '周可' }],
    })
    await expect(handlers.liftBans({ riderIds: [first], reason: '' }, foreign)).rejects.toThrow('未找到')
    const lifted = await handlers.liftBans({ riderIds: [first], reason: '误判' }, call)
    expect(lifted.data.lifted).toMatchObject([{ reason: '恶意损坏', liftedBy: '周可', state: 'over' }])
    expect(await isBarred(first)).toBe(false)
    kit.clock.advance(2 * day)
    expect(await isBarred(second)).toBe(false)
    await desk.sweep()
    expect(await search({ banned: true })).toEqual([])
    expect((await handlers.banRiders({ phone: phones[1], reason: '再犯' }, call)).data.banned).toEqual([second])
    await expect(handlers.banRiders({ phone: '13799999999', reason: 'x' }, call)).rejects.toThrow('未找到')
    const { data } = await handlers.riderDetail({ riderId: second }, call)
    expect(data.ban).toMatchObject({ reason: '再犯', until: null })
    expect(data.bans).toHaveLength(2)
  })
})

describe('a whole number', () => {
  it('is shown for a reason, to be found afterwards, and not without end', async () => {
    const [riderId = 0] = ids
    const ask = (by = call) => handlers.revealPhone({ riderId, reason: '骑行者来电核对' }, by)
    expect((await ask()).data.phone).toBe(phones[0])
    await expect(ask(foreign)).rejects.toThrow('未找到')
    const line = await owner
      .selectFrom('audit_record')
      .select(['subject_id', 'after', 'operator_id'])
      .where('action', '=', 'rider.show_phone')
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ subject_id: String(riderId), after: { reason: '骑行者来电核对' }, operator_id: 7 })
    await owner
      .insertInto('rider_reveal')
      .values(
        Array.from({ length: revealsPerHour }, () => ({
          agent_id: 3,
          rider_id: riderId,
          field: 'phone',
          reason: 'x',
          operator_id: 7,
          operator_name: '周可',
          shown_at: new Date(kit.clock.now()),
        })),
      )
      .execute()
    await expect(ask()).rejects.toThrow('操作过于频繁')
    kit.clock.advance(3_600_001)
    expect((await ask()).data.phone).toBe(phones[0])
  })
})

it('a life is told in the order of its moments, page by page', async () => {
  await handlers.openApp(
    { phone: phones[0], device: { id: 'telephone', model: 'Mi 15', system: 'Android 16', appVersion: '3.1.0' } },
    ofApp(),
  )
  const all = await handlers.riderTimeline({ riderId: ids[0]!, pageSize: 100 }, call)
  const kinds = all.data.list.map(({ kind }) => kind)
  expect(kinds[0]).toBe('device')
  expect(kinds).toEqual(expect.arrayContaining(['revealed', 'ban_lifted', 'banned', 'registered']))
  expect(all.data.nextBefore).toBeNull()
  const { data: file } = await handlers.exportRiderTimeline({ riderId: ids[0]! }, call)
  expect(file.rows).toBe(kinds.length)
  expect(file.text).toContain('时间,事项,状态,说明,金额(元),人员')
  expect(file.text).toContain(',号码被查看,手机号,')
  const safety = await handlers.exportRiderTimeline({ riderId: ids[0]!, groups: ['safety'] }, call)
  expect(safety.data.rows).toBe(
    (await handlers.riderTimeline({ riderId: ids[0]!, groups: ['safety'], pageSize: 100 }, call)).data.list.length,
  )
  const told: number[] = []
  for (let before: number | null | undefined; before !== null;) {
    const asked = { riderId: ids[0]!, pageSize: 2, ...(before !== undefined && { before }) }
    const { data } = await handlers.riderTimeline(asked, call)
    told.push(...data.list.map(({ at }) => at))
    before = data.nextBefore
  }
  expect(new Set(told)).toEqual(new Set(all.data.list.map(({ at }) => at)))
  expect(told).toEqual(told.toSorted((a, b) => b - a))
})

it('riders of the past are given what real ones have, once', async () => {
  const more = Array.from({ length: 1_600 }, (_, index) => ({
    agentId: 4,
    phone: `1700040${1_000 + index}`,
    name: '张伟',
  }))
  await db.system((tx) => riders.ensure(tx, more))
  await owner.updateTable('rider').set({ cert_hash: null, cert_sealed: null, certified_at: null }).execute()
  await owner.deleteFrom('rider_ban').execute()
  const past = { kit, audit: createAudit(kit), photos: createPhotos(kit), riders, seals: createSeals(kit.secrets) }
  expect(await fillRiders(past)).toBeGreaterThan(1_600)
  expect(await fillRiders(past)).toBe(0)
  const { data } = await handlers.listCertificates(
    { filter: {}, sort: 'submitted', direction: 'desc', pageSize: 200 },
    foreign,
  )
  expect(new Set(data.list.map(({ state }) => state))).toEqual(new Set(['waiting', 'approved', 'refused']))
  const waiting = data.list.find(({ state }) => state === 'waiting')
  expect((await handlers.certificatePhotos({ id: waiting!.id }, foreign)).data.list).toMatchObject([
    { kind: 'png', width: 320 },
  ])
  const found = await handlers.listBans(
    { filter: {}, sort: 'begun' as const, direction: 'desc', pageSize: 20 },
    foreign,
  )
  expect(found.data.list.length).toBeGreaterThan(0)
})
