import { sql } from 'kysely'
import { artefactKinds } from '@saddle/contract/production/artefacts.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { upgradeCampaignList } from '@saddle/contract/production/upgrades.ts'
import {
  upgradeActionStates,
  upgradeCampaignStates,
  upgradeFailures,
  upgradeGates,
  upgradeGroups,
  upgradeTermsSchema,
  upgradeWaits,
} from '@saddle/contract/production/upgradeWords.ts'
import { upgradeActionList, upgradeSteps } from '@saddle/contract/production/upgradeActions.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { GroupCounts } from './rules.ts'
import { heardSince } from '#fleet/public.ts'

const countsRow = rowOfValues({
  total: computed('bigint', sql`n.total`),
  scheduled: computed('bigint', sql`n.scheduled`),
  active: computed('bigint', sql`n.active`),
  finished: computed('bigint', sql`n.finished`),
  errors: computed('bigint', sql`n.errors`),
  cancelled: computed('bigint', sql`n.cancelled`),
})

/** Counts of `upgrade_action a`. */
const counted = sql`
  count(*) as total,
  count(*) filter (where a.state = 'scheduled') as scheduled,
  count(*) filter (where a.state in ('downloading', 'downloaded', 'installing')) as active,
  count(*) filter (where a.state = 'finished') as finished,
  count(*) filter (where a.state = 'error') as errors,
  count(*) filter (where a.state = 'cancelled') as cancelled,
  count(*) filter (where a.failure = 'silent') as silent`

const campaignColumns = rowsOf(
  rowOf('upgrade_campaign', 'u', [
    'id',
    'agent_id',
    'name',
    'artefact_id',
    'state',
    'reason',
    'paused_by',
    'rollback_of',
    'terms',
    'area_ids',
    'group_no',
    'created_at',
    'created_by',
    'started_at',
    'finished_at',
  ]),
  rowOf('device_artefact', 't', ['kind', 'name as artefact', 'version', 'protocol']),
  rowOf('agent', 'agent', ['company']),
  countsRow,
).codes({ state: upgradeCampaignStates, kind: artefactKinds, protocol: deviceProtocols })

export const campaignRows = tableList(upgradeCampaignList, {
  table: 'upgrade_campaign',
  alias: 'u',
  tenant: 'agent',
  columns: campaignColumns,
  joins: sql`
    join device_artefact t on t.id = u.artefact_id
    join agent on agent.id = u.agent_id
    cross join lateral (select ${counted} from upgrade_action a where a.campaign_id = u.id) n`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states = upgradeCampaignStates, kind, name, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`u.id = ${id}`],
    where: [
      kind !== undefined && sql`exists (select from device_artefact k where k.id = u.artefact_id and k.kind = ${kind})`,
      name !== undefined && sql`strpos(lower(u.name), lower(${name})) > 0`,
    ],
  }),
})

export function presentCampaign(row: RowOf<typeof campaignColumns>) {
  const { pausedBy, ...shown } = campaignColumns.present(row)
  const gate = upgradeGates.find((one) => one === row.reason) ?? null
  return { ...shown, terms: upgradeTermsSchema.parse(row.terms), gate: pausedBy === 'gate' ? gate : null }
}

const actionColumns = rowsOf(
  rowOf('upgrade_action', 'u', [
    'id',
    'campaign_id',
    'vehicle_id',
    'agent_id',
    'area_id',
    'kind',
    'group_no',
    'state',
    'waits_for',
    'failure',
    'from_version',
    'to_version',
    'package',
    'packages',
    'resumes',
    'repeats',
    'queued_at',
    'begun_at',
    'changed_at',
    'finished_at',
  ]),
  rowOf('vehicle', 'v', ['number']),
  rowOf('upgrade_campaign', 'c', ['name as campaign']).optional(),
).codes({ kind: artefactKinds, state: upgradeActionStates, waits_for: upgradeWaits, failure: upgradeFailures })

export const actionRows = tableList(upgradeActionList, {
  table: 'upgrade_action',
  alias: 'u',
  tenant: 'area',
  columns: actionColumns,
  joins: sql`join vehicle v on v.id = u.vehicle_id left join upgrade_campaign c on c.id = u.campaign_id`,
  sorts: { queued: ['queued_at', 'instant'] },
  find: ({ states = upgradeActionStates, campaignId, vehicleId, number }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      campaignId !== undefined && sql`u.campaign_id = ${campaignId}`,
      vehicleId !== undefined && sql`u.vehicle_id = ${vehicleId}`,
      number !== undefined &&
        sql`u.vehicle_id in (select w.id from vehicle w where w.number = ${number.toUpperCase()})`,
    ],
    where: [sql`u.state = any (${states}::text[])`],
  }),
})
export const presentAction = actionColumns.present

const stepRow = rowOf('upgrade_step', 's', ['at', 'step', 'package', 'detail']).codes({ step: upgradeSteps })
export const presentStep = stepRow.present
const stepsMax = 500

export const selectSteps = ({ id, scope }: { id: number; scope: Scope }) => stepRow.select`
  from upgrade_step s where s.action_id = ${id} and ${tenantFilter('s', scope)} order by s.id limit ${stepsMax}`

const campaignRow = rowOf('upgrade_campaign', 'c', [
  'id',
  'agent_id',
  'artefact_id',
  'name',
  'state',
  'group_no',
  'group_started_at',
  'terms',
  'area_ids',
  'started_at',
  'resumed_at',
]).codes({ state: upgradeCampaignStates })
export type CampaignRow = RowOf<typeof campaignRow>

/** The campaign within the scope, locked until the end of the transaction. */
export async function lockCampaign(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<CampaignRow | undefined> {
  const { rows } = await campaignRow.select`
    from upgrade_campaign c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])
    for no key update`.execute(tx)
  return rows[0]
}

export const selectCampaign = ({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) => campaignRow.select`
  from upgrade_campaign c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`

/** The next running campaign after this one that no other worker looks at, locked. */
export async function lockNextRunning(tx: Tx, afterId: number): Promise<CampaignRow | undefined> {
  const { rows } = await campaignRow.select`
    from upgrade_campaign c where c.state = 'running' and c.id > ${afterId} order by c.id limit 1
    for no key update skip locked`.execute(tx)
  return rows[0]
}

const nothing: GroupCounts = {
  total: 0,
  scheduled: 0,
  active: 0,
  finished: 0,
  errors: 0,
  cancelled: 0,
  silent: 0,
  excused: 0,
  excusedSilent: 0,
}

const groupRow = rowsOf(
  countsRow,
  rowOfValues({
    group_no: computed('integer', sql`n.group_no`),
    silent: computed('bigint', sql`n.silent`),
    excused: computed('bigint', sql`n.excused`),
    excused_silent: computed('bigint', sql`n.excused_silent`),
    ended_at: computed('timestamptz?', sql`n.ended_at`),
  }),
)

/** What became of each group, and when its last vehicle ended. */
export const selectGroups = (campaignId: number, resumedAt: Date | null) => groupRow.select`
  from (select a.group_no, ${counted}, max(a.finished_at) as ended_at,
      count(*) filter (where a.state = 'error' and a.finished_at <= ${resumedAt}) as excused,
      count(*) filter (where a.failure = 'silent' and a.finished_at <= ${resumedAt}) as excused_silent
    from upgrade_action a where a.campaign_id = ${campaignId} group by a.group_no) n order by n.group_no`

function groupOfRow(row: RowOf<typeof groupRow> | undefined, groupNo: number) {
  if (row === undefined) return { ...nothing, groupNo, endedAt: null }
  const { group_no: _groupNo, ended_at: endedAt, excused_silent: excusedSilent, ...counts } = row
  return { ...counts, excusedSilent, groupNo, endedAt: endedAt?.getTime() ?? null }
}

export function groupsOf(rows: readonly RowOf<typeof groupRow>[]) {
  return upgradeGroups.map((_, groupNo) =>
    groupOfRow(
      rows.find((one) => one.group_no === groupNo),
      groupNo,
    ),
  )
}

const dueRow = rowOf('upgrade_action', 'a', ['vehicle_id'])
const stepIdRow = rowOf('upgrade_step', ['id'])

/**
 * Devices of the groups that may begin, whose line is up: those first that nothing is known to hold back, in another order
 * each time, so that the ones that cannot begin (low battery, weak signal) never keep the others from being asked.
 */
export async function selectDue(
  tx: Tx,
  { campaignId, groupNo, limit, nowMs }: { campaignId: number; groupNo: number; limit: number; nowMs: number },
): Promise<number[]> {
  const { rows } = await dueRow.select`
    from upgrade_action a join vehicle v on v.id = a.vehicle_id
    join vehicle_status s on s.vehicle_id = a.vehicle_id
    where a.campaign_id = ${campaignId} and a.group_no <= ${groupNo} and a.state = 'scheduled'
      and s.heard_at >= ${heardSince(nowMs)}
    order by v.state <> 'available', s.locked is not true, coalesce(a.waits_for, 'full') <> 'full',
      hashint8extended(a.id, ${nowMs}::bigint) limit ${limit}`.execute(tx)
  return rows.map((row) => row.vehicle_id)
}

/** More than any campaign has under way: as many as its canary has vehicles. */
const underWayMax = 2_000

/** Devices whose download is under way or was paused: they are told to go on. */
export async function selectUnderWay(tx: Tx, campaignId: number): Promise<number[]> {
  const { rows } = await dueRow.select`
    from upgrade_action a where campaign_id = ${campaignId} and state = 'downloading'
    order by vehicle_id limit ${underWayMax}`.execute(tx)
  return rows.map((row) => row.vehicle_id)
}

/** Devices whose download has stood still since then: their line, or their address, is no longer the one they were told. */
export async function selectStalled(tx: Tx, campaignId: number, since: Date): Promise<number[]> {
  const { rows } = await dueRow.select`
    from upgrade_action a where campaign_id = ${campaignId} and state = 'downloading' and changed_at < ${since}
    order by vehicle_id limit ${underWayMax}`.execute(tx)
  return rows.map((row) => row.vehicle_id)
}

/** Cancels what has not begun, all at once. */
export async function cancelScheduled(tx: Tx, campaignId: number, at: Date): Promise<number> {
  const { rows } = await stepIdRow.returning`
    with ended as (
      update upgrade_action set state = 'cancelled', waits_for = null, changed_at = ${at}, finished_at = ${at}
      where campaign_id = ${campaignId} and state = 'scheduled' returning id, agent_id, area_id
    )
    insert into upgrade_step (action_id, agent_id, area_id, at, step, package)
    select id, agent_id, area_id, ${at}, 'cancelled', 0 from ended`.execute(tx)
  return rows.length
}
