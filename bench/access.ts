/**
 * Permission and scope of a call with 10,000 people, 500 roles and 2,000 areas, beside a plain Map and Set in the same
 * run: `node bench/access.ts [--quick]`. The cost of a call with a cached session, the cost when the session
 * has to be read first, and how long a change of access takes to be settled.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import { checkSecondFactor } from '@saddle/server/app/guards.ts'
import { checkPermission, effectiveScope } from '@saddle/server/app/scope.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createIdentity, type Session } from '@saddle/server/identity/public.ts'
import { cookieHash, createIdentitySecrets } from '@saddle/server/identity/secrets.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase, type Database } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { TEST_START_MS, testKit } from '@saddle/server/test/kit.ts'
import { createRandom } from './lib/random.ts'
import { isQuick, judge, median, quantile, state, whole } from './lib/report.ts'

const goalUs = 50
const people = 10_000
const roles = 500
const areas = 2_000
const companies = 200
/** People of the platform itself, who see all areas. */
const atTheTop = 100
const rounds = isQuick ? 5 : 30
const callsPerRound = isQuick ? 50_000 : 200_000
const random = createRandom(20_261_121)
const below = (count: number): number => Math.floor(random() * count)

const handleOf = (index: number): string => cookieHash(`handle ${index}`)
const sidOf = (index: number): string => cookieHash(`sid ${index}`)
const csrfOf = (index: number): string => cookieHash(`csrf ${index}`)
const platformId = 2
const companyOf = (index: number): number => (index < atTheTop ? platformId : 1001 + (index % companies))

async function fill(url: string, secrets: ReturnType<typeof createIdentitySecrets>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`insert into agent (id, parent_id, company) values (${platformId}, null, 'platform')`)
  await client.query(
    `insert into agent (id, parent_id, company)
     select 1000 + n, ${platformId}, 'company ' || n from generate_series(1, ${companies}) n`,
  )
  await client.query(
    `insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
     select 1000 + n, 1001 + n % ${companies}, 'area ' || n, 31, 120, '[[0,0],[0,1],[1,1],[0,0]]'
     from generate_series(1, ${areas}) n`,
  )
  await client.query(
    `insert into role (id, agent_id, name)
     select 1000 + n, case when n < 10 then ${platformId} else 1001 + n % ${companies} end, 'role ' || n
     from generate_series(0, ${roles - 1}) n`,
  )
  const codes = permissionCodes.filter((code) => code !== 'all')
  await client.query(
    `insert into role_permission (role_id, agent_id, code)
     select role.id, role.agent_id, code from role cross join unnest($1::text[]) with ordinality as codes (code, n)
     where (role.id + n) % 3 > 0`,
    [codes],
  )
  const index = Array.from({ length: people }, (_, n) => n)
  const phones = index.map((n) => `139${String(n).padStart(8, '0')}`)
  await client.query(
    `insert into operator (id, agent_id, op_man_id, phone_hash, phone_sealed, name, level, role_id, all_areas)
     select 100000 + n, company, lpad(n::text, 24, '0'), hash, sealed, 'person ' || n, 2,
       (select id from role where role.agent_id = company order by (role.id * 7919 + n) % 101 limit 1), n % 4 > 0
     from unnest($1::int[], $2::bigint[], $3::text[], $4::text[]) as given (n, company, hash, sealed)`,
    [index, index.map(companyOf), phones.map(secrets.phoneHash), phones.map(secrets.sealPhone)],
  )
  await client.query(
    `insert into operator_area (operator_id, agent_id, area_id)
     select operator.id, operator.agent_id, area.id from operator
     cross join lateral (
       select id from service_area where operator.agent_id in (agent_id, ${platformId}) order by id limit 2
     ) area where not operator.all_areas`,
  )
  const started = new Date(TEST_START_MS)
  await client.query(
    `insert into session (handle, sid_hash, csrf_hash, operator_id, login_kind, created_at, last_seen_at, expires_at,
       user_agent, address)
     select handle, sid, csrf, 100000 + n, 'sms', $5, $5, $5::timestamptz + interval '7 days', 'bench', '192.0.2.1'
     from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as given (n, handle, sid, csrf)`,
    [
      index,
      index.map(handleOf),
      index.map((n) => cookieHash(sidOf(n))),
      index.map((n) => cookieHash(csrfOf(n))),
      started,
    ],
  )
  await client.query('analyze')
  await client.end()
}

type Selection = Partial<Pick<CallToken, 'opAreaIds' | 'agentIds'>>

/** What a call names: mostly nothing, sometimes a few of the areas, seldom all of them. */
function selections(session: Session): Selection {
  const { areaIds, agentIds } = session.grant
  const dice = random()
  if (dice < 0.5) return {}
  if (dice < 0.9) return { opAreaIds: areaIds.slice(0, 1 + below(5)), agentIds: agentIds.slice(0, 1) }
  return { opAreaIds: areaIds.slice(), agentIds: agentIds.slice() }
}

interface Asked {
  readonly handle: string
  readonly sid: string
  readonly csrf: string
  readonly selection: Selection
}

const endpoint = endpoints.searchVehicles

/** Microseconds a call, by round. */
function timed(asked: readonly Asked[], check: (one: Asked) => void): number[] {
  return Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    for (let call = 0; call < callsPerRound; call += 1) check(asked[call % asked.length] as Asked)
    return ((performance.now() - startedAt) * 1_000) / callsPerRound
  })
}

async function readAll(
  identity: Awaited<ReturnType<typeof createIdentity>>,
): Promise<{ us: number[]; found: Session[] }> {
  const us: number[] = []
  const found: Session[] = []
  for (let index = 0; index < people; index += 1) {
    const startedAt = performance.now()
    const session = await identity.sessions.find(handleOf(index))
    us.push((performance.now() - startedAt) * 1_000)
    if (session === null) throw new Error(`session ${index} was not found`)
    found.push(session)
  }
  return { us, found }
}

async function measure(db: Database, url: string): Promise<void> {
  const kit = testKit(db)
  await fill(url, createIdentitySecrets(kit.secrets))
  const identity = await createIdentity(kit, { audit: createAudit(kit) })
  const before = process.memoryUsage().heapUsed
  const { us: readUs, found } = await readAll(identity)
  globalThis.gc?.()
  const heapMb = (process.memoryUsage().heapUsed - before) / 1_000_000
  const order = Array.from({ length: people }, () => below(people))
  const asked = order.map((index): Asked => {
    const session = found[index]
    if (session === undefined) throw new Error('nobody was drawn')
    return { handle: handleOf(index), sid: sidOf(index), csrf: csrfOf(index), selection: selections(session) }
  })

  let passed = 0
  const check = ({ handle, selection }: Asked): void => {
    const session = identity.sessions.cached(handle)
    if (session === undefined) throw new Error('the session was forgotten')
    checkSecondFactor(session)
    try {
      checkPermission(endpoint, session.permissions)
      effectiveScope(session.grant, selection)
      passed += 1
    } catch {
      // Roles without the code are refused, as they should be.
    }
  }
  const withCookies = (one: Asked): void => {
    const session = identity.sessions.cached(one.handle)
    if (session === undefined || !identity.sessions.checkCookies(session, one.sid, one.csrf)) throw new Error('cookies')
    check(one)
  }
  const plain = new Map(
    found.map((session) => [
      session.handle,
      { codes: session.permissions, agents: new Set(session.grant.agentIds), areas: new Set(session.grant.areaIds) },
    ]),
  )
  const codes = endpoint.permission as readonly string[]
  const reference = ({ handle, selection }: Asked): void => {
    const held = plain.get(handle)
    if (held === undefined) throw new Error('not there')
    if (!codes.some((code) => held.codes.has(code))) return
    if (selection.agentIds?.every((id) => held.agents.has(id)) === false) throw new Error('foreign')
    if (selection.opAreaIds?.every((id) => held.areas.has(id)) === false) throw new Error('foreign')
    passed += 1
  }

  timed(asked, check)
  timed(asked, reference)
  const checkUs = timed(asked, check)
  const cookieUs = timed(asked, withCookies)
  const referenceUs = timed(asked, reference)
  if (passed === 0) throw new Error('no call passed: nothing was measured')
  const us = (values: readonly number[]): string =>
    `${median(values).toFixed(2)} us a call, slowest round ${Math.max(...values).toFixed(2)}`
  state(`${whole(people)} people, ${roles} roles, ${whole(areas)} areas`, `${whole(atTheTop)} people see all areas`)
  judge({
    what: 'permission and scope, session remembered',
    figure: us(checkUs),
    isMet: Math.max(...checkUs) <= goalUs,
    goal: `<= ${goalUs} us`,
  })
  state('the same in a plain Map and Set', us(referenceUs))
  judge({
    what: 'with both cookies checked',
    figure: us(cookieUs),
    isMet: Math.max(...cookieUs) <= goalUs,
    goal: `<= ${goalUs} us`,
  })
  state(
    'session read first (every 2 s of a session)',
    `p50 ${whole(quantile(readUs, 0.5))} us, p99 ${whole(quantile(readUs, 0.99))} us`,
  )
  state('memory of all sessions', `${heapMb.toFixed(0)} MB`)
  await measureChanges(identity, db)
  await identity.close()
}

/** From the change's transaction until this server has dropped its cached access data. */
async function measureChanges(identity: Awaited<ReturnType<typeof createIdentity>>, db: Database): Promise<void> {
  const change = async (what: Parameters<typeof identity.accessChanged>[1]): Promise<number> => {
    const startedAt = performance.now()
    await db.system((tx) => identity.accessChanged(tx, what))
    return performance.now() - startedAt
  }
  const each = { person: { operatorIds: [100_500] }, role: { roleId: 1_100 }, company: { agentId: 1_010 } } as const
  for (const [name, what] of Object.entries(each)) {
    const ms: number[] = []
    for (let round = 0; round < rounds; round += 1) ms.push(await change(what))
    state(
      `a change of one ${name} settled on this server`,
      `${median(ms).toFixed(1)} ms, slowest ${Math.max(...ms).toFixed(1)} ms`,
    )
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
try {
  await migrate({ url: postgres.url, log: silentLog })
  const db = openDatabase({ url: postgres.url, log: silentLog })
  await measure(db, postgres.url)
  await db.close()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
