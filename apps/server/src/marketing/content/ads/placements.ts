import { AppError } from '@saddle/contract/errors.ts'
import {
  adPlacementsMax,
  adSlotLabels,
  adSlotRules,
  fitsSlot,
  type AdContent,
  type AdSlot,
  type AdState,
  type AdStep,
} from '@saddle/contract/marketing/ads.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { checkAreas, newAgentOf, type ContentCall } from '../checks.ts'
import type { ContentDeps } from '../deps.ts'
import { shownState, type StoredAdState } from './rules.ts'
import { placementRow, spanOfRow } from './store.ts'
import { checkTarget } from './targets.ts'

async function findPlacement(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<RowOf<typeof placementRow>> {
  const { rows } = await placementRow.select`
    from ad_placement ap where ap.id = ${id} and ap.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Throws ad_picture_unfit where a picture does not have the size and ratio of the slot. */
export function checkPicture(slot: AdSlot, size: { readonly width: number; readonly height: number }): void {
  if (fitsSlot(slot, size)) return
  const { ratio, minWidth } = adSlotRules[slot]
  const values = { slot: adSlotLabels[slot], ratio: ratio.join(':'), width: minWidth }
  throw new AppError('ad_picture_unfit', { values })
}

const photoIdsOf = ({ photoId, photoIdEn }: AdContent): string[] => [
  ...new Set([photoId, photoIdEn].filter((id) => id !== null)),
]

/** Throws where a picture is not there or does not fit the slot. */
async function checkPictures(
  { photos }: Pick<ContentDeps, 'photos'>,
  scope: Scope,
  { slot, content }: { slot: AdSlot; content: AdContent },
): Promise<void> {
  const ids = photoIdsOf(content)
  const found = await photos.read(scope, { purpose: 'placement', ids })
  if (found.length < ids.length) throw new AppError('photo_missing')
  for (const photo of found) checkPicture(slot, photo)
}

const recordOf = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'ad_placement',
  subjectId: id,
})

const columnsOf = ({ name, areaIds, startsAt, endsAt }: AdContent) => ({
  name,
  area_ids: [...new Set(areaIds)],
  starts_at: new Date(startsAt),
  ends_at: endsAt === null ? null : new Date(endsAt),
})

async function writeVersion(
  { kit, photos }: Pick<ContentDeps, 'kit' | 'photos'>,
  tx: Tx,
  made: { id: number; agentId: number; version: number; content: AdContent; call: ContentCall },
): Promise<void> {
  const { id, agentId, version, content, call } = made
  const photoIds = photoIdsOf(content)
  await photos.share(tx, { agentId, purpose: 'placement', ids: photoIds })
  await tx
    .insertInto('ad_version')
    .values({
      placement_id: id,
      version,
      agent_id: agentId,
      content: JSON.stringify(content),
      photo_ids: photoIds,
      made_at: new Date(kit.clock.now()),
      made_by_id: call.caller.operatorId,
      made_by: call.caller.name,
    })
    .execute()
}

type Deps = Pick<ContentDeps, 'kit' | 'audit' | 'photos'>

/** Writes a new placement as a draft. */
export async function createPlacement(
  deps: Deps,
  call: ContentCall,
  made: { agentId: number | undefined; slot: AdSlot; content: AdContent },
): Promise<{ id: number; version: number }> {
  const agentId = newAgentOf(call, made.agentId)
  const { slot, content } = made
  const { kit, audit } = deps
  await checkPictures(deps, { ...call.scope, agentIds: [agentId] }, { slot, content })
  const at = new Date(kit.clock.now())
  return kit.db.withScope(call.scope, async (tx) => {
    await checkAreas(tx, agentId, content.areaIds)
    await checkTarget(tx, agentId, content.link)
    const { rows } = await countRow.select`
      from ad_placement where agent_id = ${agentId} and state <> 'ended'`.execute(tx)
    if ((rows[0]?.count ?? 0) >= adPlacementsMax) throw new AppError('ads_full', { values: { max: adPlacementsMax } })
    const { id } = await tx
      .insertInto('ad_placement')
      .values({
        agent_id: agentId,
        slot,
        ...columnsOf(content),
        created_at: at,
        changed_at: at,
        changed_by: call.caller.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeVersion(deps, tx, { id, agentId, version: 1, content, call })
    await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'ad.create', after: { slot, content } })
    return { id, version: 1 }
  })
}

/** Writes the next version of a placement; it holds at once where the placement is on. */
export async function changePlacement(
  deps: Deps,
  call: ContentCall,
  change: { id: number; version: number | undefined; content: AdContent },
): Promise<{ id: number; version: number }> {
  const { id, content } = change
  const { kit, audit } = deps
  const found = await kit.db.withScope(call.scope, (tx) => findPlacement(tx, { id, scope: call.scope }))
  await checkPictures(deps, { ...call.scope, agentIds: [found.agent_id] }, { slot: found.slot, content })
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await findPlacement(tx, { id, scope: call.scope })
    if (row.version !== change.version) throw new AppError('conflict')
    if (row.state === 'ended') throw new AppError('ad_ended')
    const agentId = row.agent_id
    await checkAreas(tx, agentId, content.areaIds)
    await checkTarget(tx, agentId, content.link)
    const version = row.version + 1
    await writeVersion(deps, tx, { id, agentId, version, content, call })
    await tx
      .updateTable('ad_placement')
      .set({
        ...columnsOf(content),
        version,
        changed_at: new Date(kit.clock.now()),
        changed_by: call.caller.name,
      })
      .where('id', '=', id)
      .execute()
    await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'ad.change', after: { content, version } })
    return { id, version }
  })
}

const stateAfter = { start: 'on', pause: 'paused', end: 'ended' } as const satisfies Record<AdStep, StoredAdState>

/** Starts, pauses or ends a placement. One that has ended stays so. */
export async function switchPlacement(
  { kit, audit }: Pick<ContentDeps, 'kit' | 'audit'>,
  call: ContentCall,
  { id, step }: { id: number; step: AdStep },
): Promise<{ id: number; state: AdState; before: AdState }> {
  const nowMs = kit.clock.now()
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await findPlacement(tx, { id, scope: call.scope })
    const before = shownState(spanOfRow(row), nowMs)
    const state = stateAfter[step]
    if (row.state === state) return { id, state: before, before }
    if (row.state === 'ended') throw new AppError('ad_ended')
    if (step === 'start' && row.ends_at !== null && row.ends_at.getTime() <= nowMs) throw new AppError('ad_over')
    if (step === 'pause' && row.state !== 'on') throw new AppError('ad_not_on')
    await tx.updateTable('ad_placement').set({ state }).where('id', '=', id).execute()
    await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action: `ad.${step}` })
    return { id, state: shownState({ ...spanOfRow(row), state }, nowMs), before }
  })
}
