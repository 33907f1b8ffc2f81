import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { UpgradeTerms } from '@saddle/contract/production/upgradeWords.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { findArtefact } from '../artefacts/store.ts'
import type { ProductionDeps } from '../deps.ts'
import { productionTopics } from '../messages.ts'
import type { TransferService } from '../transfers/service.ts'
import { cancelScheduled, lockCampaign, selectUnderWay } from './store.ts'
import { insertActions } from './vehicles.ts'

export type CampaignDeps = ProductionDeps & { readonly service: TransferService }

type NewCampaign = {
  readonly agentId: number
  readonly artefactId: number
  readonly name: string
  readonly areaIds: readonly number[]
  readonly terms: UpgradeTerms
  readonly rollbackOf?: number
}

/** Stores a campaign with an upgrade of each vehicle that may have it; nothing is sent before it is started. */
export async function insertCampaign(
  tx: Tx,
  given: NewCampaign,
  by: { readonly at: Date; readonly name: string; readonly scope: Scope },
): Promise<{ id: number; total: number }> {
  const { agentId, artefactId, name, areaIds, terms, rollbackOf } = given
  const artefact = await findArtefact(tx, { id: artefactId, scope: by.scope })
  if (artefact === undefined || artefact.agent_id !== agentId) throw new AppError('not_found')
  if (artefact.state === 'off') throw new AppError('artefact_off')
  const { id } = await tx
    .insertInto('upgrade_campaign')
    .values({
      agent_id: agentId,
      artefact_id: artefactId,
      name,
      state: 'ready',
      terms: JSON.stringify(terms),
      area_ids: [...areaIds],
      created_at: by.at,
      created_by: by.name,
      rollback_of: rollbackOf ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const only = rollbackOf === undefined ? {} : { rollbackOf }
  const total = await insertActions(tx, { campaignId: id, artefact, scope: by.scope, areaIds, at: by.at, ...only })
  if (total === 0) throw new AppError('upgrade_no_vehicle')
  return { id, total }
}

export async function createCampaign(
  { kit, audit }: CampaignDeps,
  call: SessionCall,
  given: NewCampaign,
): Promise<{ id: number; total: number }> {
  const { scope, caller } = call
  const { agentId, areaIds, name, artefactId, rollbackOf } = given
  if (!scope.agentIds.includes(agentId) || areaIds.some((id) => !scope.areaIds.includes(id))) {
    throw new AppError('foreign_scope')
  }
  return kit.db.withScope(scope, async (tx) => {
    const made = await insertCampaign(tx, given, { at: new Date(kit.clock.now()), name: caller.name, scope })
    await audit.act(tx, call, {
      agentId,
      action: rollbackOf === undefined ? 'upgrade.create' : 'upgrade.roll_back',
      subjectKind: 'upgrade_campaign',
      subjectId: made.id,
      after: { name, artefactId, total: made.total },
    })
    return made
  })
}

/** Lets a campaign begin or go on; errors that stopped it are taken as seen. */
export async function startCampaign({ kit, audit }: CampaignDeps, call: SessionCall, id: number): Promise<void> {
  const at = new Date(kit.clock.now())
  await kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state === 'running') return
    if (row.state !== 'ready' && row.state !== 'paused') throw new AppError('upgrade_over')
    await startRow(tx, id, at)
    await audit.act(tx, call, {
      agentId: row.agent_id,
      action: row.state === 'ready' ? 'upgrade.start' : 'upgrade.resume',
      subjectKind: 'upgrade_campaign',
      subjectId: id,
    })
    const waiting = await selectUnderWay(tx, id)
    kit.db.afterCommit(tx, () => {
      for (const vehicleId of waiting) {
        // Devices that fetch by themselves are told their address again.
        kit.bus.publish(productionTopics.upgradeHeld, { vehicleId })
        kit.bus.publish(productionTopics.upgradeDue, { vehicleId })
      }
    })
  })
}

/** What failed until a person let the campaign go on does not stop it a second time. */
export async function startRow(tx: Tx, id: number, at: Date): Promise<void> {
  await sql`
    update upgrade_campaign set state = 'running', reason = '', paused_by = null, started_at = coalesce(started_at, ${at}),
      group_started_at = coalesce(group_started_at, ${at}), resumed_at = ${at}
    where id = ${id} and state in ('ready', 'paused')`.execute(tx)
}

export async function pauseCampaign(
  { kit, audit }: CampaignDeps,
  call: SessionCall,
  { id, reason }: { id: number; reason: string },
): Promise<void> {
  await kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state === 'paused') return
    if (row.state !== 'running') throw new AppError('upgrade_over')
    await pauseRow(tx, { id, reason, by: 'person' })
    await audit.act(tx, call, {
      agentId: row.agent_id,
      action: 'upgrade.pause',
      subjectKind: 'upgrade_campaign',
      subjectId: id,
      after: { reason },
    })
  })
}

export async function pauseRow(
  tx: Tx,
  { id, reason, by }: { id: number; reason: string; by: 'gate' | 'person' },
): Promise<void> {
  await sql`
    update upgrade_campaign set state = 'paused', reason = ${reason}, paused_by = ${by}
    where id = ${id} and state = 'running'`.execute(tx)
}

/** Cancels every upgrade whose device has not begun to install; what installs ends as it ends. */
export async function stopCampaign(
  { kit, audit, service }: CampaignDeps,
  call: SessionCall,
  { id, reason }: { id: number; reason: string },
): Promise<number> {
  const at = new Date(kit.clock.now())
  await kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state === 'stopped' || row.state === 'finished') throw new AppError('upgrade_over')
    await sql`
      update upgrade_campaign set state = 'stopped', reason = ${reason}, paused_by = null, finished_at = ${at}
      where id = ${id} and state in ('ready', 'running', 'paused')`.execute(tx)
    await audit.act(tx, call, {
      agentId: row.agent_id,
      action: 'upgrade.stop',
      subjectKind: 'upgrade_campaign',
      subjectId: id,
      after: { reason },
    })
  })
  return cancelOpen({ kit, service }, id)
}

/** Ends what has not begun to install, and gives the vehicles back to hire. Also for the worker, after a crash. */
export async function cancelOpen({ kit, service }: Pick<CampaignDeps, 'kit' | 'service'>, id: number): Promise<number> {
  const at = new Date(kit.clock.now())
  const { scheduled, vehicleIds } = await kit.db.system(async (tx) => {
    const count = await cancelScheduled(tx, id, at)
    return { scheduled: count, vehicleIds: await selectUnderWay(tx, id) }
  })
  let count = scheduled
  for (const vehicleId of vehicleIds) {
    count += await kit.db.system(async (tx) => {
      const action = await service.lockOpen(tx, vehicleId)
      if (action === undefined || action.campaign_id !== id || action.state !== 'downloading') return 0
      await service.end(tx, action, { to: 'cancelled' })
      return 1
    })
  }
  return count
}
