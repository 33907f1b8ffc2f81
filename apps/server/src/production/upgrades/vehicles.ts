import { sql, type RawBuilder } from 'kysely'
import { openActionStates, upgradeVehiclesMax } from '@saddle/contract/production/upgradeWords.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { ArtefactRow } from '../artefacts/store.ts'
import { groupOf } from './rules.ts'

const openStates = sql.raw(openActionStates.map((state) => `'${state}'`).join(', '))
const noOpenUpgrade = sql`not exists (select from upgrade_action o where o.vehicle_id = v.id and o.state in (${openStates}))`

/** Vehicles that an artefact is made for. */
const matching = (artefact: Pick<ArtefactRow, 'protocol' | 'models'>, scope: Scope, areaIds: readonly number[]) => sql`
  v.protocol = ${artefact.protocol} and v.state <> 'removed' and ${tenantFilter('v', scope)}
  and (cardinality(${artefact.models}::text[]) = 0 or v.model = any (${artefact.models}::text[]))
  and (cardinality(${[...areaIds]}::bigint[]) = 0 or v.area_id = any (${[...areaIds]}::bigint[]))`

/** The version that a device has of the artefact's kind: of voice packs the one that was installed last. */
const presentVersion = (artefact: Pick<ArtefactRow, 'kind'>) =>
  artefact.kind === 'firmware'
    ? sql`d.firmware`
    : sql`(select i.to_version from upgrade_action i where i.vehicle_id = v.id and i.kind = 'voice' and i.state = 'finished'
        order by i.id desc limit 1)`

/** The matrix: which version may follow the present one. Where every version may, an unknown one may too. */
const allowed = ({ follows }: Pick<ArtefactRow, 'follows'>, version: RawBuilder<unknown>) =>
  sql`(cardinality(${follows}::text[]) = 0 or ${version} = any (${follows}::text[]))`

const previewRow = rowOfValues({
  matching: computed('integer', sql`count(*)`),
  current: computed('integer', sql`count(*) filter (where m.is_current)`),
  open: computed('integer', sql`count(*) filter (where m.is_open)`),
  not_allowed: computed(
    'integer',
    sql`count(*) filter (where not m.is_allowed and not m.is_current and not m.is_unknown)`,
  ),
  unknown_version: computed('integer', sql`count(*) filter (where m.is_unknown and not m.is_allowed)`),
  eligible: computed('integer', sql`count(*) filter (where m.is_allowed and not m.is_current and not m.is_open)`),
})
export const presentPreview = previewRow.present

export const selectPreview = (artefact: ArtefactRow, scope: Scope, areaIds: readonly number[]) => {
  const version = presentVersion(artefact)
  return previewRow.select`
    from (select ${version} is not distinct from ${artefact.version} as is_current, ${version} is null as is_unknown,
        coalesce(${allowed(artefact, version)}, false) as is_allowed, not ${noOpenUpgrade} as is_open
      from vehicle v join device d on d.vehicle_id = v.id where ${matching(artefact, scope, areaIds)}
      limit ${upgradeVehiclesMax}) m`
}

const vehicleRow = rowOf('vehicle', 'v', ['id', 'agent_id', 'area_id'])
const idRow = rowOf('upgrade_action', ['id'])

/** Queues the upgrade of every vehicle that may have it, in groups; returns how many. */
export async function insertActions(
  tx: Tx,
  options: {
    campaignId: number
    artefact: ArtefactRow
    scope: Scope
    areaIds: readonly number[]
    at: Date
    /** Only vehicles that this campaign has upgraded. */
    rollbackOf?: number
  },
): Promise<number> {
  const { campaignId, artefact, scope, areaIds, at, rollbackOf } = options
  const version = presentVersion(artefact)
  const row = rowsOf(vehicleRow, rowOfValues({ version: computed('text?', version) }))
  const { rows } = await row.select`
    from vehicle v join device d on d.vehicle_id = v.id
    where ${matching(artefact, scope, areaIds)} and ${noOpenUpgrade}
      and ${version} is distinct from ${artefact.version} and ${allowed(artefact, version)}
      ${
        rollbackOf === undefined
          ? sql``
          : sql`and exists (select from upgrade_action r where r.campaign_id = ${rollbackOf} and r.vehicle_id = v.id
              and r.state = 'finished')`
      }
    -- Shuffled, and the same at each repetition: the canary has vehicles of every area.
    order by md5(v.id::text || ${String(campaignId)}) limit ${upgradeVehiclesMax}`.execute(tx)
  // The canary is written last: lists begin with the newest row, and so with what moves first.
  const groups = rows.map((_, index) => groupOf(rows.length - 1 - index, rows.length))
  const { rows: added } = await idRow.returning`
    insert into upgrade_action (campaign_id, artefact_id, vehicle_id, agent_id, area_id, group_no, state, kind, from_version,
      to_version, queued_at, changed_at)
    select ${campaignId}, ${artefact.id}, n.id, n.agent_id, n.area_id, n.group_no, 'scheduled', ${artefact.kind}, left(n.version, 80),
      ${artefact.version}, ${at}, ${at}
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ agent_id }) => agent_id)}::bigint[],
      ${rows.map(({ area_id }) => area_id)}::bigint[], ${groups}::smallint[], ${rows.map((row) => row.version)}::text[])
      as n (id, agent_id, area_id, group_no, version)
    on conflict do nothing`.execute(tx)
  return added.length
}
