import { AppError } from '@saddle/contract/errors.ts'
import {
  upgradeCampaignFields,
  upgradeCampaignList,
  type upgradeEndpoints,
} from '@saddle/contract/production/upgrades.ts'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { upgradeActionFields, upgradeActionList } from '@saddle/contract/production/upgradeActions.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveList } from '#kit/list/serveList.ts'
import { findArtefact } from '../artefacts/store.ts'
import { createCampaign, pauseCampaign, startCampaign, stopCampaign, type CampaignDeps } from './change.ts'
import {
  actionRows,
  campaignRows,
  groupsOf,
  presentAction,
  presentCampaign,
  presentStep,
  selectCampaign,
  selectGroups,
  selectSteps,
} from './store.ts'
import { presentPreview, selectPreview } from './vehicles.ts'
import { selectVitals, vitalsFrom, vitalsOf } from './vitals.ts'

/** Rollouts of firmware and voice packs, and each device's upgrade. */
export function createUpgradeHandlers(deps: CampaignDeps): Handlers<typeof upgradeEndpoints> {
  const { kit } = deps
  const campaigns = serveList(deps, upgradeCampaignList, {
    name: 'upgrade-campaigns',
    rows: campaignRows,
    present: presentCampaign,
    file: { action: 'upgrade.export', fields: upgradeCampaignFields },
  })
  const actions = serveList(deps, upgradeActionList, {
    name: 'upgrade-actions',
    rows: actionRows,
    present: presentAction,
    file: { action: 'upgrade.export', fields: upgradeActionFields },
  })
  return {
    listUpgradeCampaigns: campaigns.page,
    exportUpgradeCampaigns: campaigns.file,
    listUpgradeActions: actions.page,
    exportUpgradeActions: actions.file,

    previewUpgrade: async ({ agentId, artefactId, areaIds }, { scope }) => {
      if (!scope.agentIds.includes(agentId) || areaIds.some((id) => !scope.areaIds.includes(id))) {
        throw new AppError('foreign_scope')
      }
      const data = await kit.db.withScope(scope, async (tx) => {
        const artefact = await findArtefact(tx, { id: artefactId, scope })
        if (artefact?.agent_id !== agentId) throw new AppError('not_found')
        const { rows } = await selectPreview(artefact, scope, areaIds).execute(tx)
        const [row] = rows
        if (row === undefined) throw new Error('an aggregate without a row')
        return presentPreview(row)
      })
      return { suc: true, data }
    },

    createUpgradeCampaign: async (input, call) => ({ suc: true, data: await createCampaign(deps, call, input) }),

    startUpgradeCampaign: async ({ id }, call) => {
      await startCampaign(deps, call, id)
      return { suc: true, data: { id } }
    },

    pauseUpgradeCampaign: async (input, call) => {
      await pauseCampaign(deps, call, input)
      return { suc: true, data: { id: input.id } }
    },

    stopUpgradeCampaign: async (input, call) => ({
      suc: true,
      data: { id: input.id, cancelled: await stopCampaign(deps, call, input) },
    }),

    rollBackUpgrade: async (input, call) => ({ suc: true, data: await rollBack(deps, call, input) }),

    upgradeCampaignDetail: async ({ id }, { scope }) => ({ suc: true, data: await readDetail(deps, { id, scope }) }),

    upgradeLog: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectSteps({ id, scope }).compile(k))
      return { suc: true, data: { list: rows.map(presentStep) } }
    },
  }
}

const rollbackRow = rowOf('device_artefact', 't', ['id', 'name', 'version'])
const rollbacksMax = 20

/** Artefacts of the versions that vehicles of a campaign had before it. */
const selectRollbacks = (campaignId: number) => rollbackRow.select`
  from upgrade_campaign c join device_artefact n on n.id = c.artefact_id
  join device_artefact t on t.agent_id = c.agent_id and t.kind = n.kind and t.protocol = n.protocol and t.state = 'on'
    and t.id <> n.id
  where c.id = ${campaignId} and exists (
    select from upgrade_action a where a.campaign_id = c.id and a.state = 'finished' and a.from_version = t.version)
  order by t.id desc limit ${rollbacksMax}`

async function readDetail({ kit }: CampaignDeps, { id, scope }: { id: number; scope: Scope }) {
  const nowMs = kit.clock.now()
  const [campaign] = await kit.db.read(scope, (k) => selectCampaign({ id, scope }).compile(k))
  if (campaign === undefined) throw new AppError('not_found')
  const from = vitalsFrom(campaign.started_at, nowMs)
  const [groups, vitals, rollbacks] = await Promise.all([
    kit.db.read(scope, (k) => selectGroups(id, campaign.resumed_at).compile(k)),
    kit.db.read(scope, (k) => selectVitals({ campaignId: id, from, nowMs }).compile(k)),
    kit.db.read(scope, (k) => selectRollbacks(id).compile(k)),
  ])
  const shown = groupsOf(groups)
  const group = shown[campaign.group_no]
  const isWatched = group !== undefined && group.total > 0 && group.scheduled + group.active === 0
  const { watchHours } = upgradeTermsSchema.parse(campaign.terms)
  const watchUntil =
    campaign.state === 'running' && isWatched && group.endedAt !== null ? group.endedAt + watchHours * hourMs : null
  return {
    groups: shown.map(({ endedAt: _endedAt, excused: _excused, excusedSilent: _excusedSilent, ...counts }) => counts),
    vitals: vitalsOf(vitals),
    rollbacks: rollbacks.map(({ id: artefactId, name, version }) => ({ id: artefactId, name, version })),
    watchUntil,
  }
}

/** A campaign back to an earlier version, for the vehicles that have the new one. */
async function rollBack(
  deps: CampaignDeps,
  call: SessionCall,
  { id, artefactId }: { id: number; artefactId: number },
): Promise<{ id: number; total: number }> {
  const { scope } = call
  const [[campaign], rollbacks] = await Promise.all([
    deps.kit.db.read(scope, (k) => selectCampaign({ id, scope }).compile(k)),
    deps.kit.db.read(scope, (k) => selectRollbacks(id).compile(k)),
  ])
  if (campaign === undefined) throw new AppError('not_found')
  if (!rollbacks.some((one) => one.id === artefactId)) throw new AppError('upgrade_no_rollback')
  const { agent_id: agentId, name } = campaign
  return createCampaign(deps, call, {
    agentId,
    artefactId,
    name: `${name.slice(0, 36)} 回退`,
    areaIds: campaign.area_ids.filter((areaId) => scope.areaIds.includes(areaId)),
    // A fault is undone now, wherever the vehicles stand: only what a device needs to install is asked of them.
    terms: { ...upgradeTermsSchema.parse(campaign.terms), nightOnly: false, watchHours: 0 },
    rollbackOf: id,
  })
}
