import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { SegmentState, SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { countRiders, countSegment, readSegment } from './store.ts'

const recordOf = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'segment',
  subjectId: id,
})

/** Throws when a segment names areas, applications or coupons of another company. */
async function checkTerms(tx: Tx, agentId: number, terms: SegmentTerms): Promise<void> {
  const areaIds = [...new Set(terms.areaIds)]
  const areas = await countRow.select`
    from service_area where agent_id = ${agentId} and id = any (${areaIds}::bigint[])`.execute(tx)
  if (areas.rows[0]?.count !== areaIds.length) throw new AppError('foreign_scope')
  if (terms.couponTemplateId === null) return
  const templates = await countRow.select`
    from coupon_template t where t.agent_id = ${agentId} and t.id = ${terms.couponTemplateId}`.execute(tx)
  if (templates.rows[0]?.count !== 1) throw new AppError('foreign_scope')
}

async function insertVersion(
  tx: Tx,
  version: { id: number; agentId: number; version: number; terms: SegmentTerms; at: Date; call: SessionCall },
): Promise<void> {
  const { id, agentId, terms, at, call } = version
  await tx
    .insertInto('segment_version')
    .values({
      segment_id: id,
      version: version.version,
      agent_id: agentId,
      terms: JSON.stringify(terms),
      made_at: at,
      made_by_id: call.caller.operatorId,
      made_by: call.caller.name,
    })
    .execute()
}

async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

type Deps = Pick<CouponDeps, 'kit' | 'audit' | 'riders'>

export async function createSegment(
  { kit, audit }: Deps,
  call: SessionCall,
  { agentId, terms }: { agentId: number; terms: SegmentTerms },
): Promise<{ id: number; version: number; size: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      await checkTerms(tx, agentId, terms)
      const size = await countSegment(tx, { agentId, terms, at: at.getTime() })
      const { id } = await tx
        .insertInto('segment')
        .values({
          agent_id: agentId,
          name: terms.name,
          size,
          sized_at: at,
          created_at: at,
          changed_at: at,
          changed_by: call.caller.name,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertVersion(tx, { id, agentId, version: 1, terms, at, call })
      await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'segment.create', after: { terms } })
      return { id, version: 1, size }
    }),
  )
}

async function lockSegment(tx: Tx, call: SessionCall, id: number) {
  await sql`
    select from segment s where s.id = ${id} and s.agent_id = any (${call.scope.agentIds}::bigint[])
    for no key update`.execute(tx)
  return readSegment(tx, { id, scope: call.scope })
}

export async function changeSegment(
  { kit, audit }: Deps,
  call: SessionCall,
  change: { id: number; version: number; terms: SegmentTerms },
): Promise<{ id: number; version: number; size: number }> {
  const { id, terms } = change
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockSegment(tx, call, id)
      if (row.version !== change.version) throw new AppError('conflict')
      const agentId = row.agent_id
      await checkTerms(tx, agentId, terms)
      const version = row.version + 1
      const size = await countSegment(tx, { agentId, terms, at: at.getTime() })
      await insertVersion(tx, { id, agentId, version, terms, at, call })
      await tx
        .updateTable('segment')
        .set({ name: terms.name, version, size, sized_at: at, changed_at: at, changed_by: call.caller.name })
        .where('id', '=', id)
        .execute()
      const record = { ...recordOf({ agentId, id }), action: 'segment.change' }
      await audit.act(tx, call, { ...record, before: { terms: row.terms }, after: { terms } })
      return { id, version, size }
    }),
  )
}

export async function switchSegment(
  { kit, audit }: Deps,
  call: SessionCall,
  { id, state }: { id: number; state: SegmentState },
): Promise<{ id: number; state: SegmentState }> {
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockSegment(tx, call, id)
    if (row.state === state) return { id, state }
    await tx.updateTable('segment').set({ state }).where('id', '=', id).execute()
    const action = state === 'on' ? 'segment.on' : 'segment.off'
    await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action })
    return { id, state }
  })
}

export async function sizeSegment(
  { kit }: Deps,
  call: SessionCall,
  { agentId, terms }: { agentId: number; terms: SegmentTerms },
): Promise<{ size: number; riders: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  return kit.db.withScope(call.scope, async (tx) => ({
    size: await countSegment(tx, { agentId, terms, at: kit.clock.now() }),
    riders: await countRiders(tx, agentId),
  }))
}

type Tagging = { agentId: number; tag: string; phones: readonly string[]; isRemoved: boolean }

/** Gives riders a tag, or takes it away from them. */
export async function tagRiders(
  { kit, audit, riders }: Deps,
  call: SessionCall,
  { agentId, tag, phones, isRemoved }: Tagging,
): Promise<{ changed: number; unknown: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const found = await riders.idsByPhones({ ...call.scope, agentIds: [agentId] }, phones)
  const ids = [...new Set(found.flat())]
  const unknown = found.filter(([id]) => id === undefined).length
  return kit.db.withScope(call.scope, async (tx) => {
    const made = { at: new Date(kit.clock.now()), by: call.caller.name }
    const { numAffectedRows = 0n } = isRemoved
      ? await sql`
          delete from rider_tag where rider_id = any (${ids}::bigint[]) and tag = ${tag} and agent_id = ${agentId}`.execute(
          tx,
        )
      : await sql`
          insert into rider_tag (rider_id, tag, agent_id, made_at, made_by)
          select r.id, ${tag}, ${agentId}, ${made.at}, ${made.by} from unnest(${ids}::bigint[]) as r (id)
          on conflict do nothing`.execute(tx)
    const changed = Number(numAffectedRows)
    const action = isRemoved ? 'rider.untag' : 'rider.tag'
    const subject = { agentId, subjectKind: 'agent', subjectId: agentId }
    await audit.act(tx, call, { ...subject, action, after: { tag, riders: changed } })
    return { changed, unknown }
  })
}
