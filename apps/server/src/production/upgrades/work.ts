import { sql } from 'kysely'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { tell } from '#notices/public.ts'
import { productionTopics } from '../messages.ts'
import { cancelOpen, pauseRow, type CampaignDeps } from './change.ts'
import { gateOf, type Verdict } from './rules.ts'
import { groupsOf, lockNextRunning, selectDue, selectGroups, selectStalled, type CampaignRow } from './store.ts'
import { selectVitals, vitalsFrom, vitalsOf } from './vitals.ts'

/** Campaigns that one run looks at. */
const campaignsMax = 200
/** Vehicles that one run tells to begin, of each campaign: who may not begin is asked again in the next. */
const dueMax = 200
/** Vehicles beyond those that there is room for: some may not begin, and the page says why. */
const lookedAtMax = 20
const stalledAfterMs = 5 * minuteMs

/** Looks at every running campaign once: its gate, and the vehicles that may begin. Safe on several workers at once. */
export async function workCampaigns(deps: CampaignDeps): Promise<void> {
  const { kit, service } = deps
  while ((await service.expire()) > 0);
  let afterId = 0
  for (let turn = 0; turn < campaignsMax; turn += 1) {
    const id = await kit.db.system(async (tx) => {
      const row = await lockNextRunning(tx, afterId)
      if (row !== undefined) await workOne(deps, tx, row)
      return row?.id
    })
    if (id === undefined) break
    afterId = id
  }
  await cancelLeft(deps)
}

async function workOne({ kit }: CampaignDeps, tx: Tx, row: CampaignRow): Promise<void> {
  const nowMs = kit.clock.now()
  const { verdict, groupNo, limit, finished, errors } = await judge(tx, row, nowMs)
  const { agent_id: agentId, name } = row
  // Each stop is told: a person may have let the campaign go on after the one before.
  const key = `upgrade ${row.id} ${row.resumed_at?.getTime() ?? 0}`
  const notice = { agentId, subject: `upgrade ${row.id}`, key, path: '/production/device-upgrade', at: new Date(nowMs) }
  if (verdict.verdict === 'pause') {
    await pauseRow(tx, { id: row.id, reason: verdict.gate, by: 'gate' })
    return tell(tx, { event: 'upgrade_stopped', ...notice, values: { name, failed: errors } })
  }
  if (verdict.verdict === 'finish') {
    await sql`update upgrade_campaign set state = 'finished', finished_at = ${new Date(nowMs)} where id = ${row.id}`.execute(
      tx,
    )
    return tell(tx, { event: 'upgrade_finished', ...notice, values: { name, done: finished } })
  }
  if (groupNo !== row.group_no) {
    await sql`
      update upgrade_campaign set group_no = ${groupNo}, group_started_at = ${new Date(nowMs)} where id = ${row.id}`.execute(
      tx,
    )
  }
  const due = await selectDue(tx, { campaignId: row.id, groupNo, limit, nowMs })
  const stalled = await selectStalled(tx, row.id, new Date(nowMs - stalledAfterMs))
  kit.db.afterCommit(tx, () => {
    for (const vehicleId of stalled) kit.bus.publish(productionTopics.upgradeHeld, { vehicleId })
    for (const vehicleId of [...stalled, ...due]) kit.bus.publish(productionTopics.upgradeDue, { vehicleId })
  })
  return undefined
}

/** What the gate says, and the group that is open after it: one without vehicles is passed over. */
async function judge(
  tx: Tx,
  row: CampaignRow,
  nowMs: number,
): Promise<{ verdict: Verdict; groupNo: number; limit: number; finished: number; errors: number }> {
  const { rows } = await selectGroups(row.id, row.resumed_at).execute(tx)
  const groups = groupsOf(rows)
  const from = vitalsFrom(row.started_at, nowMs)
  const vitals = vitalsOf((await selectVitals({ campaignId: row.id, from, nowMs }).execute(tx)).rows)
  const terms = upgradeTermsSchema.parse(row.terms)
  const finished = groups.reduce((sum, group) => sum + group.finished, 0)
  const errors = groups.reduce((sum, group) => sum + group.errors, 0)
  const active = groups.reduce((sum, group) => sum + group.active, 0)
  const room = Math.max(1, groups[0]?.total ?? 0) - active
  const limit = Math.min(dueMax, Math.max(0, room) + lookedAtMax)
  let groupNo = row.group_no
  for (;;) {
    const endedAt = groups[groupNo]?.endedAt ?? null
    const verdict = gateOf({ groups, groupNo, terms, vitals, endedAt, nowMs })
    if (verdict.verdict !== 'next') return { verdict, groupNo, limit, finished, errors }
    groupNo += 1
  }
}

const idRow = rowOf('upgrade_campaign', 'c', ['id'])

/** A server that died in the middle of a stop left upgrades open. */
async function cancelLeft(deps: CampaignDeps): Promise<void> {
  const rows = await deps.kit.db.systemRead((k) =>
    idRow.select`
      from upgrade_campaign c where c.state = 'stopped' and exists (
        select from upgrade_action a where a.campaign_id = c.id and a.state in ('scheduled', 'downloading'))
      order by c.id limit ${campaignsMax}`.compile(k),
  )
  for (const { id } of rows) await cancelOpen(deps, id)
}
