import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '#kit/config.ts'
import type { DB } from '#kit/db/types.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createAudit, createAuditLog } from '#audit/public.ts'
import { anchorFolder } from './anchorFile.ts'
import { saveAnchors } from './anchors.ts'
import { chainStart, checkPart } from './check.ts'
import { verifyChains } from './verifyCli.ts'

const { db, owner } = await testDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'saddle-audit-'))
const folder = anchorFolder(dataDir)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const kit = { ...testKit(db), config: loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }) }
const audit = createAudit(kit)
const { handlers } = createAuditLog(kit, { audit, phoneHash: (phone) => phone })

const lines = 12
const agentIds = [3, 4, 5, 6, 7, 8, 9, 10, 11]

const write = (agentId: number, count: number): Promise<void> =>
  db.system(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const areaId = index % 2 === 0 ? null : 31
      const subject = { subjectKind: 'vehicle', subjectId: index, areaId }
      await audit.write(tx, { agentId, operatorId: 7, action: 'vehicle.lock', ...subject, after: { index } })
    }
  })

/** Somebody with all rights, behind the back of the triggers. */
const tamper = (work: (session: Kysely<DB>) => Promise<unknown>): Promise<void> =>
  owner.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session)
    await work(session)
    await sql`set session_replication_role = origin`.execute(session)
  })

async function faultOf(agentId: number, partLines = 5) {
  let part: Awaited<ReturnType<typeof checkPart>> = { place: chainStart, fault: null, isDone: false }
  while (!part.isDone) {
    const { place } = part
    part = await checkPart({
      read: (build) => db.systemRead(build),
      agentId,
      place,
      lines: partLines,
      anchorFolder: folder,
    })
  }
  return part.fault
}

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([{ id: 2, company: '总部' }])
    .execute()
  await owner
    .insertInto('agent')
    .values(agentIds.map((id) => ({ id, parent_id: 2, company: `公司${id}` })))
    .execute()
  for (const agentId of agentIds) await write(agentId, lines)
  await saveAnchors(kit)
})

describe('a chain of lines', () => {
  it('is sound in parts of any size, whatever they end at', async () => {
    for (const size of [1, 5, lines, lines + 1]) expect(await faultOf(3, size)).toBeNull()
  })

  it.each([
    'action',
    'subject_id',
    'subject_kind',
    'operator_id',
    'after',
    'before',
    'at',
    'address',
    'request_id',
    'area_id',
  ])('shows that %s of a line was edited', async (column) => {
    const [before] = (
      await sql<{ row: string }>`select ${sql.ref(column)}::text as row from audit_record
        where agent_id = 3 and sequence = 7`.execute(owner)
    ).rows
    const edits: Record<string, unknown> = {
      operator_id: 8,
      after: '{"index":7}',
      before: '{}',
      at: new Date(0),
      area_id: 32,
    }
    const set = (value: unknown) => (session: Kysely<DB>) =>
      sql`update audit_record set ${sql.ref(column)} = ${value} where agent_id = 3 and sequence = 7`.execute(session)
    await tamper(set(edits[column] ?? 'edited'))
    expect(await faultOf(3)).toEqual({ kind: 'line', sequence: 7 })
    await tamper(set(before?.row ?? null))
    expect(await faultOf(3)).toBeNull()
  })

  it('shows that a line was removed', async () => {
    await tamper((session) => sql`delete from audit_record where agent_id = 4 and sequence = 6`.execute(session))
    expect(await faultOf(4)).toEqual({ kind: 'line', sequence: 6 })
  })

  it('shows that a line was put in, in the middle and at the end', async () => {
    const put = (agentId: number, sequence: number) => (session: Kysely<DB>) =>
      sql`insert into audit_record (agent_id, sequence, at, action, subject_kind, subject_id, prev_hash, hash)
        select agent_id, ${sequence}, at, action, subject_kind, subject_id, hash, sha256('x') from audit_record
        where agent_id = ${agentId} and sequence = ${sequence - 1}`.execute(session)
    await tamper(async (session) => {
      await sql`update audit_record set sequence = sequence + 1000 where agent_id = 5 and sequence >= 6`.execute(
        session,
      )
      await sql`update audit_record set sequence = sequence - 999 where agent_id = 5 and sequence >= 1000`.execute(
        session,
      )
      await put(5, 6)(session)
    })
    expect(await faultOf(5)).toEqual({ kind: 'line', sequence: 6 })
    await tamper(put(6, lines + 1))
    expect(await faultOf(6)).toEqual({ kind: 'line', sequence: lines + 1 })
  })

  it('shows that its end was cut off, by the anchor in the database', async () => {
    await tamper((session) => sql`delete from audit_record where agent_id = 7 and sequence > 9`.execute(session))
    expect(await faultOf(7)).toEqual({ kind: 'anchor', sequence: lines })
    // Lines that are written over the gap do not close it.
    await write(7, 10)
    expect(await faultOf(7)).toEqual({ kind: 'anchor', sequence: lines })
  })

  it('shows that its end was cut off together with the anchors, by the file outside', async () => {
    await tamper(async (session) => {
      await sql`delete from audit_record where agent_id = 8`.execute(session)
      await sql`delete from audit_anchor where agent_id = 8`.execute(session)
    })
    expect(await faultOf(8)).toEqual({ kind: 'anchor', sequence: lines })
  })

  it('shows that it was written anew from a line on, every hash fitting', async () => {
    await tamper(async (session) => {
      await sql`update audit_record set after = '{"index":"forged"}' where agent_id = 9 and sequence = 4`.execute(
        session,
      )
      for (let sequence = 4; sequence <= lines; sequence += 1) {
        await sql`update audit_record line set prev_hash = coalesce((select hash from audit_record before_it
          where before_it.agent_id = 9 and before_it.sequence = ${sequence - 1}), '\\x') where agent_id = 9 and sequence = ${sequence}`.execute(
          session,
        )
        await sql`update audit_record line set hash = audit_hash(line) where agent_id = 9 and sequence = ${sequence}`.execute(
          session,
        )
      }
    })
    expect(await faultOf(9)).toEqual({ kind: 'anchor', sequence: lines })
  })

  it('is still checked when the function of the database is replaced', async () => {
    await tamper(async (session) => {
      await sql`update audit_record set subject_id = '99' where agent_id = 10 and sequence = 3`.execute(session)
      await sql`create or replace function audit_hash(line audit_record) returns bytea language sql stable
        return line.hash`.execute(session)
    })
    expect(await faultOf(10)).toEqual({ kind: 'line', sequence: 3 })
  })
})

describe('anchors', () => {
  it('are kept only of chains that have grown, with a file line each', async () => {
    const files = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    const before = files().flat().length
    expect(await saveAnchors(kit)).toBe(3)
    expect(await saveAnchors(kit)).toBe(0)
    expect(files().flat()).toHaveLength(before + 3)
    expect(
      files()
        .flat()
        .map((line): unknown => JSON.parse(line)),
    ).toContainEqual(expect.objectContaining({ agentId: 7, sequence: 19 }))
  })

  it('survive a file whose last line a power cut left unfinished', async () => {
    const [name = ''] = readdirSync(folder)
    appendFileSync(join(folder, name), '{"at":"2026-11-2')
    expect(await faultOf(3)).toBeNull()
  })
})

describe('the calls and the command', () => {
  const call = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3, 8], areaIds: [] } })

  it('tell the ends of the chains within the scope', async () => {
    const { data } = await handlers.logChains({}, call)
    expect(data.list.map(({ agentId, lines: count }) => [agentId, count])).toEqual([
      [3, lines],
      [8, 0],
    ])
    expect(data.list[0]).toMatchObject({
      company: '公司3',
      lastHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  it('verify a chain, and none outside the scope', async () => {
    const sound = await handlers.verifyLogs({ agentId: 3 }, call)
    expect(sound.data).toMatchObject({ checked: lines, fault: null, nextCursor: null })
    const cut = await handlers.verifyLogs({ agentId: 8 }, call)
    expect(cut.data.fault).toEqual({ kind: 'anchor', sequence: lines })
    await expect(handlers.verifyLogs({ agentId: 4 }, call)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.verifyLogs({ agentId: 3, cursor: 'x' }, call)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('go on from where a part ended', async () => {
    const hash = (
      await owner
        .selectFrom('audit_record')
        .select('hash')
        .where('agent_id', '=', 3)
        .where('sequence', '=', 5)
        .executeTakeFirstOrThrow()
    ).hash
    const rest = await handlers.verifyLogs({ agentId: 3, cursor: `5.${hash.toString('hex')}` }, call)
    expect(rest.data).toMatchObject({ checked: lines, fault: null })
    const wrong = await handlers.verifyLogs({ agentId: 3, cursor: `5.${'0'.repeat(64)}` }, call)
    expect(wrong.data.fault).toEqual({ kind: 'line', sequence: 6 })
  })

  it('say each chain in a line, and how many are broken', async () => {
    const said: string[] = []
    expect(await verifyChains({ db, folder, say: (line) => said.push(line) })).toBe(7)
    expect(said.find((line) => line.startsWith('公司3 (3)'))).toMatch(
      /^公司3 \(3\): 12 records, sound, last hash [0-9a-f]{64}$/,
    )
    expect(said).toContain('公司4 (4): 5 records, BROKEN at line 6: changed, removed or inserted')
    expect(said).toContain('公司8 (8): 0 records, BROKEN: line 12 is not the one that was anchored, or was cut off')
    expect(said.at(-1)).toMatch(/^audit: 10 chains, \d+ records, 7 broken$/)
  })
})
