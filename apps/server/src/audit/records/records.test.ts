import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { testDatabase } from '#test/database.ts'
import { chainStart, checkPart } from '#audit/chain/check.ts'
import { createAudit, type AuditEntry } from '#audit/public.ts'
import { auditLimits, boundedEntry } from './rules.ts'

const { db, owner } = await testDatabase()
const clock = createManualClock(Date.UTC(2026, 10, 21, 4))
const audit = createAudit({ clock, db })
const scope = { agentIds: [2], areaIds: [], operatorId: 7 }

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  agentId: 2,
  operatorId: 7,
  action: 'vehicle.lock',
  subjectKind: 'vehicle',
  subjectId: 12,
  ...changes,
})

const recordsOf = (agentId: number) =>
  owner.selectFrom('audit_record').selectAll().where('agent_id', '=', agentId).orderBy('sequence').execute()

async function firstBreak(agentId: number): Promise<number | null> {
  const { fault } = await checkPart({
    read: (build) => db.systemRead(build),
    agentId,
    place: chainStart,
    lines: 1_000,
    anchorFolder: 'there is none',
  })
  return fault?.sequence ?? null
}

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '甲' },
      { id: 3, parent_id: 2, company: '乙' },
      { id: 4, parent_id: 2, company: '丙' },
    ])
    .execute()
})

describe('an audit line', () => {
  it('is written with the act, at the time of the clock, chained to the one before', async () => {
    await db.withScope(scope, (tx) => audit.write(tx, entry({ before: { locked: false }, after: { locked: true } })))
    clock.advance(1_000)
    await db.withScope(scope, (tx) => audit.write(tx, entry({ address: '10.0.0.1', requestId: 'r-2' })))
    const [first, second] = await recordsOf(2)
    expect(first).toMatchObject({ sequence: 1, after: { locked: true }, subject_id: '12', operator_id: 7 })
    expect(first?.at.getTime()).toBe(Date.UTC(2026, 10, 21, 4))
    expect(second).toMatchObject({ sequence: 2, address: '10.0.0.1', request_id: 'r-2' })
    expect(second?.prev_hash).toEqual(first?.hash)
    expect(await firstBreak(2)).toBeNull()
  })

  it('goes when the act is rolled back', async () => {
    const before = (await recordsOf(2)).length
    const act = db.withScope(scope, async (tx) => {
      await audit.write(tx, entry())
      throw new Error('the act failed')
    })
    await expect(act).rejects.toThrow('the act failed')
    expect(await recordsOf(2)).toHaveLength(before)
  })

  it('cannot be written for a tenant outside the scope, nor seen by one', async () => {
    await expect(db.withScope(scope, (tx) => audit.write(tx, entry({ agentId: 3 })))).rejects.toThrow(
      /row-level security/,
    )
    const seen = await db.read({ agentIds: [3], areaIds: [], operatorId: 8 }, (k) =>
      k.selectFrom('audit_record').select('id').compile(),
    )
    expect(seen).toEqual([])
  })

  it('keeps one chain when many write at once', async () => {
    const writers = Array.from({ length: 24 }, (_, index) =>
      db.system((tx) => audit.write(tx, entry({ agentId: 3, subjectId: index }))),
    )
    await Promise.all(writers)
    const lines = await recordsOf(3)
    expect(lines.map((line) => line.sequence)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1))
    expect(await firstBreak(3)).toBeNull()
  })

  it('mentions each thing once, and never the one that it is about', async () => {
    const about = [12, 13, 13].map((id) => ({ kind: 'vehicle', id }))
    await db.withScope(scope, (tx) => audit.write(tx, entry({ areaId: 21, about })))
    const line = (await recordsOf(2)).at(-1)
    const mentions = await owner
      .selectFrom('audit_mention')
      .selectAll()
      .where('line_id', '=', line?.id ?? 0)
      .execute()
    expect(mentions).toEqual([
      { line_id: line?.id, agent_id: 2, subject_kind: 'vehicle', subject_id: '13', at: line?.at },
    ])
    expect(line?.area_id).toBe(21)
    expect(await firstBreak(2)).toBeNull()
  })

  it('is never changed or removed, whoever asks', async () => {
    const statements = [
      sql`update audit_record set action = 'nothing.happened'`,
      sql`delete from audit_record`,
      sql`truncate audit_record cascade`,
      sql`update audit_mention set subject_id = '1'`,
      sql`delete from audit_mention`,
      sql`truncate audit_anchor`,
    ]
    for (const statement of statements) {
      await expect(statement.execute(owner)).rejects.toThrow('never changed or removed')
      await expect(db.system((tx) => statement.execute(tx))).rejects.toThrow('permission denied')
      await expect(db.withScope(scope, (tx) => statement.execute(tx))).rejects.toThrow('permission denied')
    }
  })

  it('does not let the writer choose its hash', async () => {
    const forged = sql`insert into audit_record (agent_id, at, action, subject_kind, subject_id, hash)
      values (2, now(), 'vehicle.lock', 'vehicle', '1', sha256('x'))`
    await expect(db.system((tx) => forged.execute(tx))).rejects.toThrow('permission denied')
  })
})

describe('what an entry keeps', () => {
  it('is cut to its bounds and never makes the act fail', async () => {
    const wild = entry({
      subjectId: `x\0${'y'.repeat(200)}`,
      after: { text: 'z'.repeat(auditLimits.detailBytes) },
      before: { name: 'a\0b\ud800' },
      address: 'f'.repeat(500),
    })
    const bounded = boundedEntry(wild)
    expect(bounded.subjectId).toHaveLength(auditLimits.subjectId)
    expect(bounded.address).toHaveLength(auditLimits.address)
    const whole = JSON.stringify({ text: 'z'.repeat(auditLimits.detailBytes) })
    expect(JSON.parse(bounded.after ?? '')).toEqual({
      omittedBytes: auditLimits.detailBytes + 11,
      sha256: createHash('sha256').update(whole).digest('hex'),
      begins: whole.slice(0, 1_000),
    })
    await db.withScope(scope, (tx) => audit.write(tx, wild))
    expect((await recordsOf(2)).at(-1)).toMatchObject({ before: { name: 'ab\ufffd' } })
    expect(await firstBreak(2)).toBeNull()
  })
})
