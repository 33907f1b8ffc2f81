import { sql } from 'kysely'
import type { UpgradeFailure, UpgradeWait } from '@saddle/contract/production/upgradeWords.ts'
import { openActionStates, upgradeActionStates } from '@saddle/contract/production/upgradeWords.ts'
import { artefactKinds } from '@saddle/contract/production/artefacts.ts'
import { busyStates } from '@saddle/contract/riding/orders.ts'
import { codeOf } from '#kit/codes.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { lateAfterMs } from './rules.ts'
import { offlineMinutes } from '#fleet/public.ts'

const actionRow = rowsOf(
  rowOf('upgrade_action', 'a', [
    'id',
    'campaign_id',
    'artefact_id',
    'vehicle_id',
    'agent_id',
    'area_id',
    'group_no',
    'state',
    'kind',
    'from_version',
    'to_version',
    'package',
    'packages',
    'is_held',
  ]),
  rowOf('upgrade_campaign', 'c', ['state as campaign_state', 'group_no as campaign_group', 'terms']),
).codes({ state: upgradeActionStates, kind: artefactKinds })
export type ActionRow = RowOf<typeof actionRow>

const openStates = sql.raw(openActionStates.map((state) => `'${state}'`).join(', '))

/** The open upgrade of a vehicle; there is one at most. */
export const selectOpen = (vehicleId: number) => actionRow.select`
  from upgrade_action a join upgrade_campaign c on c.id = a.campaign_id
  where a.vehicle_id = ${vehicleId} and a.state in (${openStates})`

/** The same, locked until the end of the transaction. */
export async function lockOpen(tx: Tx, vehicleId: number): Promise<ActionRow | undefined> {
  const { rows } = await actionRow.select`
    from upgrade_action a join upgrade_campaign c on c.id = a.campaign_id
    where a.vehicle_id = ${vehicleId} and a.state in (${openStates}) for no key update of a`.execute(tx)
  return rows[0]
}

/** Keeps rides and upgrades of a vehicle apart until the end of the transaction. */
export async function holdVehicle(tx: Tx, vehicleId: number): Promise<void> {
  await sql`select hold_vehicle_for_upgrade(${vehicleId}::bigint)`.execute(tx)
}

/** Literals: they name the partial index of running orders. */
const busy = sql.raw(busyStates.map((state) => `'${state}'`).join(', '))

const factsRow = rowsOf(
  rowOf('vehicle', 'v', ['state']),
  rowOf('vehicle_status', 's', ['locked', 'battery_percent', 'signal', 'heard_at']),
  rowOfValues({
    offline_minutes: computed('integer', offlineMinutes),
    is_taken: computed(
      'boolean',
      sql`exists (select from ride_order o where o.vehicle_id = v.id and o.state in (${busy}))
        or exists (select from vehicle_command k where k.vehicle_id = v.id and k.kind in ('unlock', 'restart', 'power_off')
          and k.state in ('queued', 'sent', 'acknowledged'))`,
    ),
  }),
)

export async function readFacts(tx: Tx, vehicleId: number) {
  const { rows } = await factsRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id where v.id = ${vehicleId}`.execute(tx)
  return rows[0]
}

const roomRow = rowOfValues({
  active: computed('integer', sql`count(*) filter (where state in ('downloading', 'downloaded', 'installing'))`),
  canary: computed('integer', sql`count(*) filter (where group_no = 0)`),
  installing_since: computed('timestamptz?', sql`min(changed_at) filter (where state = 'installing')`),
})

const installRow = rowOfValues({
  median_ms: computed(
    'double precision?',
    sql`percentile_cont(0.5) within group (order by extract(epoch from n.finished_at - n.at) * 1000)`,
  ),
})
/** Upgrades whose restart is looked at: the later ones say how long one takes now. */
const comparedMax = 50

/**
 * How many devices of a campaign are being upgraded, and how many may be: as many as the canary has, and none while one is late
 * to come back from its restart.
 */
export async function readRoom(
  tx: Tx,
  { campaignId, nowMs }: { campaignId: number; nowMs: number },
): Promise<{ active: number; most: number }> {
  const { rows } = await roomRow.select`from upgrade_action where campaign_id = ${campaignId}`.execute(tx)
  const { active = 0, canary = 1, installing_since: oldest = null } = rows[0] ?? {}
  const most = Math.max(1, canary)
  if (oldest === null || nowMs - oldest.getTime() <= lateAfterMs(null)) return { active, most }
  const { rows: installs } = await installRow.select`
    from (
      select a.finished_at, s.at from (
        select id, finished_at from upgrade_action where campaign_id = ${campaignId} and state = 'finished'
        order by finished_at desc limit ${comparedMax}) a
      join upgrade_step s on s.action_id = a.id and s.step = 'installing') n`.execute(tx)
  return { active, most: nowMs - oldest.getTime() > lateAfterMs(installs[0]?.median_ms ?? null) ? 0 : most }
}

const campaignStateRow = rowOf('upgrade_campaign', ['state'])

/** Locks the campaign: of several devices that may begin, one after the other looks for room. */
export async function holdCampaign(tx: Tx, campaignId: number): Promise<string | undefined> {
  const { rows } = await campaignStateRow.select`
    from upgrade_campaign where id = ${campaignId} for no key update`.execute(tx)
  return rows[0]?.state
}

export async function noteWait(tx: Tx, id: number, waitsFor: UpgradeWait): Promise<void> {
  await sql`update upgrade_action set waits_for = ${waitsFor} where id = ${id} and waits_for is distinct from ${waitsFor}`.execute(
    tx,
  )
}

export async function begin(
  tx: Tx,
  id: number,
  { packages, at, deadline }: { packages: number; at: Date; deadline: Date },
): Promise<void> {
  await sql`
    update upgrade_action set state = 'downloading', waits_for = null, is_held = true, packages = ${packages}, package = 0,
      begun_at = ${at}, changed_at = ${at}, deadline_at = ${deadline}
    where id = ${id} and state = 'scheduled'`.execute(tx)
}

const verdicts = ['sent', 'paused', 'in_use'] as const
const verdictRow = rowOfValues({ verdict: computed('text', sql`looked.verdict`) })

/**
 * Notes that the device has the packages before `next` and is sent this one; false where the upgrade may not go on. One
 * statement a package: it also sees whether the vehicle is still off hire for it, and whether the campaign runs.
 */
export async function notePackage(
  tx: Tx,
  { id, next, isRepeat, at, deadline }: { id: number; next: number; isRepeat: boolean; at: Date; deadline: Date },
): Promise<'sent' | 'paused' | 'in_use' | 'ended'> {
  const { rows } = await verdictRow
    .query(
      (list) => sql`
    with looked as (
      select a.id, case
        when v.state not in ('non_operational', 'non_contactable') then 'in_use'
        when c.state <> 'running' then 'paused'
        else 'sent' end as verdict
      from upgrade_action a join upgrade_campaign c on c.id = a.campaign_id join vehicle v on v.id = a.vehicle_id
      where a.id = ${id} and a.state = 'downloading'
    ), noted as (
      update upgrade_action a set package = greatest(a.package, least(${next}::integer, a.packages)), changed_at = ${at},
        deadline_at = ${deadline}, repeats = a.repeats + ${isRepeat ? 1 : 0}::integer
      from looked where a.id = looked.id and looked.verdict = 'sent'
    )
    select ${list} from looked`,
    )
    .execute(tx)
  const verdict = rows[0]?.verdict
  return verdict === undefined ? 'ended' : codeOf(verdicts, verdict)
}

const movedRow = rowOf('upgrade_action', ['id'])

export async function moveAction(
  tx: Tx,
  step: {
    readonly id: number
    readonly to: 'downloaded' | 'installing' | 'finished' | 'error' | 'cancelled'
    readonly from: readonly (typeof upgradeActionStates)[number][]
    readonly failure?: UpgradeFailure
    readonly at: Date
    readonly deadline?: Date
  },
): Promise<boolean> {
  const { id, to, from, failure = null, at, deadline = null } = step
  const isOver = to === 'finished' || to === 'error' || to === 'cancelled'
  const { rows } = await movedRow.returning`
    update upgrade_action set state = ${to}, failure = ${failure}, waits_for = null, changed_at = ${at},
      deadline_at = ${deadline}::timestamptz, finished_at = ${isOver ? at : null}::timestamptz,
      package = case when ${to} in ('downloaded', 'installing', 'finished') then packages else package end
    where id = ${id} and state = any (${[...from]}::text[])`.execute(tx)
  return rows.length > 0
}

export async function addStep(
  tx: Tx,
  {
    action,
    step,
    at,
    detail = '',
  }: {
    action: Pick<ActionRow, 'id' | 'agent_id' | 'area_id'> & { package: number }
    step: string
    at: Date
    detail?: string
  },
): Promise<void> {
  await tx
    .insertInto('upgrade_step')
    .values({
      action_id: action.id,
      agent_id: action.agent_id,
      area_id: action.area_id,
      at,
      step,
      package: action.package,
      detail: detail.slice(0, 100),
    })
    .execute()
}

export async function noteResume(tx: Tx, id: number, at: Date): Promise<void> {
  await sql`update upgrade_action set resumes = resumes + 1, changed_at = ${at} where id = ${id}`.execute(tx)
}

/** Open upgrades whose time is over, locked; a few at a time. */
export async function lockOverdue(tx: Tx, at: Date, limit: number): Promise<ActionRow[]> {
  const { rows } = await actionRow.select`
    from upgrade_action a join upgrade_campaign c on c.id = a.campaign_id
    where a.state in ('downloading', 'downloaded', 'installing') and a.deadline_at <= ${at}
    order by a.deadline_at limit ${limit} for no key update of a skip locked`.execute(tx)
  return rows
}
