import { sql } from 'kysely'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import {
  decideCertificate,
  decideRebind,
  devicePurpose,
  insertBan,
  insertCertificate,
  insertRebind,
  riderColumns,
  selectCertificatesOf,
  selectRebindsOf,
  type RiderParts,
  type RiderRow,
} from '#rider/demoDoor.ts'
import { drawCard } from './studentCard.ts'
import { banReasons, certNumberOf, drawOf, organisationOf, rebindClaims, refusals, telephoneOf } from './riderFacts.ts'

const ridersMax = 20_000
const clerk = { operatorId: 0, operatorName: '平台' } as const

/**
 * Gives the riders of the demo's past what real ones have: when they came, ID documents, telephones, certificates, a few
 * requests and bans. Does nothing where any of them has a certificate. Resolves to the number of riders.
 */
export async function fillRiders(deps: RiderParts): Promise<number> {
  const { db } = deps.kit
  return db.system(async (tx) => {
    const { rows: known } = await sql`select from rider where cert_hash is not null limit 1`.execute(tx)
    if (known.length > 0) return 0
    const riders = await ridersOf(tx)
    await spreadTimes(tx)
    await certify(deps, tx, riders)
    await giveTelephones(deps, tx, riders)
    for (const rider of riders) {
      await prove(deps, tx, rider)
      await ban(deps, tx, rider)
      await rebind(deps, tx, rider)
    }
    return riders.length
  })
}

async function ridersOf(tx: Tx): Promise<RiderRow[]> {
  const { rows } = await riderColumns.select`
    from rider r where r.name_sealed is not null order by r.id limit ${ridersMax}`.execute(tx)
  return rows
}

/** Riders have registered some time before their first ride, and were last active with their last one. */
async function spreadTimes(tx: Tx): Promise<void> {
  await sql`
    update rider r set
      created_at = date_trunc('second', coalesce(o.first, r.created_at)) - make_interval(hours => (r.id * 7919 % 7200)::int),
      last_active_at = coalesce(o.last, r.last_active_at)
    from rider i left join lateral (
      select min(placed_at) as first, max(placed_at) as last from ride_order where rider_id = i.id
    ) o on true
    where r.id = i.id and r.name_sealed is not null`.execute(tx)
}

/** Six of seven have shown their certificate, a few minutes after they came. */
async function certify({ seals }: RiderParts, tx: Tx, riders: readonly RiderRow[]): Promise<void> {
  const certified = riders
    .filter(({ id }) => drawOf(id, 10, 7) > 0)
    .map(({ id, agent_id: agentId }) => ({ id, agentId, certificate: seals.sealIdNumber(certNumberOf(id)) }))
    .filter(isFirstOfNumber())
  const rows = unnest<(typeof certified)[number]>({
    rows: certified,
    alias: 'c',
    columns: {
      id: ['bigint', (row) => row.id],
      hash: ['text', (row) => row.certificate.hash],
      sealed: ['text', (row) => row.certificate.sealed],
    },
  })
  await sql`
    update rider r set cert_hash = c.hash, cert_sealed = c.sealed,
      certified_at = r.created_at + make_interval(mins => (r.id % 50 + 2)::int)
    from ${rows} where r.id = c.id and not exists (
      select from rider o where o.cert_hash = c.hash and o.agent_id = r.agent_id)`.execute(tx)
}

/** Some of many drawn numbers are equal, and a company has a number once: whoever comes later has no certificate. */
function isFirstOfNumber() {
  const taken = new Set<string>()
  return ({ agentId, certificate }: { agentId: number; certificate: { hash: string } }): boolean => {
    const key = `${agentId} ${certificate.hash}`
    if (taken.has(key)) return false
    taken.add(key)
    return true
  }
}

async function giveTelephones({ kit }: RiderParts, tx: Tx, riders: readonly RiderRow[]): Promise<void> {
  // A few share one, as false accounts do.
  const hashOf = (id: number): string =>
    kit.secrets.hmac({ purpose: devicePurpose, text: `demo ${drawOf(id, 11, 300) === 0 ? drawOf(id, 12, 5) : id}` })
  const rows = unnest<RiderRow>({
    rows: riders,
    alias: 't',
    columns: {
      id: ['bigint', (row) => row.id],
      hash: ['text', (row) => hashOf(row.id)],
      model: ['text', (row) => telephoneOf(row.id).model],
      system: ['text', (row) => telephoneOf(row.id).system],
      app_version: ['text', (row) => telephoneOf(row.id).appVersion],
    },
  })
  await sql`
    insert into rider_device (agent_id, rider_id, app_id, device_hash, model, system, app_version, first_seen_at, last_seen_at)
    select r.agent_id, r.id, (select min(a.id) from rider_app a where a.agent_id in (r.agent_id, 2)), t.hash, t.model,
      t.system, t.app_version, r.created_at, r.last_active_at
    from ${rows} join rider r on r.id = t.id on conflict do nothing`.execute(tx)
}

/** One of thirty has sent in a certificate: most were approved, some wait, some were refused. */
async function prove({ kit, photos }: RiderParts, tx: Tx, rider: RiderRow): Promise<void> {
  if (drawOf(rider.id, 20, 30) > 0) return
  const kind = drawOf(rider.id, 21, 6) === 0 ? ('profession' as const) : ('student' as const)
  const fate = drawOf(rider.id, 22, 20)
  const nowMs = kit.clock.now()
  const isWaiting = fate < 2
  const ageMs = isWaiting ? drawOf(rider.id, 23, 70) * hourMs : (4 + drawOf(rider.id, 23, 120)) * dayMs
  const own = { agentId: rider.agent_id, riderId: rider.id }
  const at = new Date(nowMs - ageMs - drawOf(rider.id, 24, hourMs))
  // Only undecided ones have a photo: it is deleted with the decision.
  const photo = { agentId: rider.agent_id, areaId: null, purpose: 'certificate' as const }
  const photoIds = isWaiting ? [await photos.keep(tx, { ...photo, file: drawCard(rider.id) })] : []
  await insertCertificate(tx, { ...own, kind, organisation: organisationOf(rider.id, kind), photoIds, at })
  const [row] = (await selectCertificatesOf(rider).execute(tx)).rows
  if (isWaiting || row === undefined) return
  const isRefused = fate < 4
  await decideCertificate(tx, row, {
    state: isRefused ? 'refused' : 'approved',
    expiresAt: isRefused ? null : new Date(nowMs + (fate === 4 ? 1 : 90 + drawOf(rider.id, 25, 300)) * dayMs),
    reason: isRefused ? (refusals[drawOf(rider.id, 26, refusals.length)] ?? refusals[0]) : '',
    at: new Date(at.getTime() + (2 + drawOf(rider.id, 27, 30)) * hourMs),
    ...clerk,
  })
}

async function ban({ kit }: RiderParts, tx: Tx, rider: RiderRow): Promise<void> {
  if (drawOf(rider.id, 30, 250) > 0) return
  const at = new Date(kit.clock.now() - drawOf(rider.id, 31, 25 * dayMs) - hourMs)
  const term = [null, 30, 90][drawOf(rider.id, 32, 3)] ?? null
  const reason = banReasons[drawOf(rider.id, 33, banReasons.length)] ?? banReasons[0]
  const until = term === null ? null : new Date(at.getTime() + term * dayMs)
  await insertBan(tx, { rider, reason, at, until, ...clerk })
}

/** Some have a new phone, or a new account beside the one that holds their certificate; it waits, or was refused. */
async function rebind(deps: RiderParts, tx: Tx, rider: RiderRow): Promise<void> {
  const isCertified = drawOf(rider.id, 10, 7) > 0
  if (drawOf(rider.id, 40, isCertified ? 400 : 80) > 0) return
  const { kit, photos } = deps
  const asked = isCertified ? newPhone(deps, rider) : await certificateOfAnother(deps, tx, rider)
  if (asked === null) return
  const at = new Date(kit.clock.now() - drawOf(rider.id, 41, 4 * dayMs) - hourMs)
  const photo = { agentId: rider.agent_id, areaId: null, purpose: 'certificate' as const }
  const photoIds = [await photos.keep(tx, { ...photo, file: drawCard(rider.id + 1) })]
  const claim = rebindClaims[drawOf(rider.id, 42, rebindClaims.length)] ?? ''
  await insertRebind(tx, { rider, ...asked, claim, photoIds, at })
  const [row] = (await selectRebindsOf(rider).execute(tx)).rows
  if (row === undefined || drawOf(rider.id, 43, 3) > 0) return
  const decidedAt = new Date(at.getTime() + hourMs)
  await decideRebind(tx, row, {
    state: 'refused',
    oldSealed: null,
    reason: '照片与实名不一致',
    at: decidedAt,
    ...clerk,
  })
}

function newPhone({ seals }: RiderParts, rider: RiderRow) {
  const wanted = seals.sealPhone(`1719${String(rider.id).padStart(7, '0').slice(-7)}`)
  return { kind: 'phone' as const, wanted, nameSealed: null, holderId: null }
}

async function certificateOfAnother({ seals }: RiderParts, tx: Tx, rider: RiderRow) {
  const { rows } = await sql<{
    id: number
    phone_hash: string
    name_sealed: string
    cert_hash: string
    cert_sealed: string
  }>`
    select id, phone_hash, name_sealed, cert_hash, cert_sealed from rider
    where agent_id = ${rider.agent_id} and id < ${rider.id} and cert_hash is not null and name_sealed is not null
    order by id desc limit 1`.execute(tx)
  const [holder] = rows
  if (holder === undefined) return null
  const wanted = { hash: holder.cert_hash, sealed: holder.cert_sealed }
  const nameSealed = seals.sealName(seals.openName(holder), wanted.hash)
  return { kind: 'certificate' as const, wanted, nameSealed, holderId: holder.id }
}
