import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  campaignChannels,
  campaignHalts,
  campaignList,
  campaignOutcomes,
  campaignRiderList,
  campaignStates,
  campaignTermsSchema,
  marketingSettingDefault,
  type CampaignTerms,
  type MarketingSetting,
} from '@saddle/contract/marketing/campaigns.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'

/** Terms that are stored; what has no value yet gets its default. */
export const termsOf = (stored: unknown): CampaignTerms => campaignTermsSchema.parse(stored)

export const campaignRow = rowOf('campaign', 'c', [
  'id',
  'agent_id',
  'name',
  'state',
  'version',
  'terms',
  'segment_id',
  'segment_version',
  'channel',
  'template_id',
  'batch_id',
  'budget_sends',
  'cursor_id',
  'sent',
  'starts_at',
  'started_at',
  'audience',
]).codes({ state: campaignStates, channel: campaignChannels })
export type CampaignRow = RowOf<typeof campaignRow>

/** The campaign, locked until the end of the transaction, when one of the scope's companies has it. Throws not_found. */
export async function lockCampaign(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<CampaignRow> {
  const { rows } = await campaignRow.select`
    from campaign c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[]) for no key update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

const listedColumns = rowsOf(
  rowOf('campaign', 'g', [
    'id',
    'agent_id',
    'name',
    'state',
    'halt',
    'version',
    'terms',
    'channel',
    'batch_id',
    'audience',
    'sent',
    'held_out',
    'control',
    'weekly',
    'capped',
    'failed',
    'starts_at',
    'started_at',
    'ended_at',
    'created_at',
    'created_by',
    'changed_at',
    'changed_by',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOf('segment', 's', ['name as segment_name']),
  rowOf('coupon_template', 't', ['name as template_name']).optional(),
).codes({ state: campaignStates, channel: campaignChannels, halt: campaignHalts })

export const campaignRows = tableList(campaignList, {
  table: 'campaign',
  alias: 'g',
  tenant: 'agent',
  columns: listedColumns,
  joins: sql`
    join agent on agent.id = g.agent_id
    join segment s on s.id = g.segment_id and s.agent_id = g.agent_id
    left join coupon_template t on t.id = g.template_id and t.agent_id = g.agent_id`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states = campaignStates, channel, name, segmentId, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`g.id = ${id}`, segmentId !== undefined && sql`g.segment_id = ${segmentId}`],
    where: [
      name !== undefined && sql`strpos(lower(g.name), lower(${name})) > 0`,
      channel !== undefined && sql`g.channel = ${channel}`,
    ],
  }),
})
export const presentCampaign = (row: RowOf<typeof listedColumns>) => ({
  ...listedColumns.present(row),
  terms: termsOf(row.terms),
})

const versionColumns = rowsOf(
  rowOf('campaign_version', 'v', ['version', 'terms', 'made_at', 'made_by']),
  rowOf('segment', 's', ['name as segment_name']),
  rowOf('coupon_template', 't', ['name as template_name']).optional(),
)
const versionsMax = 50

/** What a campaign was to send at each version, the newest first. */
export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionColumns.select`
    from campaign_version v
    join segment s on s.id = (v.terms ->> 'segmentId')::bigint and s.agent_id = v.agent_id
    left join coupon_template t on t.id = (v.terms ->> 'templateId')::bigint and t.agent_id = v.agent_id
    where v.campaign_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${versionsMax}`
}
export const presentVersion = (row: RowOf<typeof versionColumns>) => ({
  ...versionColumns.present(row),
  terms: termsOf(row.terms),
})

const riderColumns = rowsOf(
  rowOf('campaign_rider', 'n', ['rider_id', 'agent_id', 'outcome', 'at']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
).codes({ outcome: campaignOutcomes })

export const campaignRiderRows = tableList(campaignRiderList, {
  table: 'campaign_rider',
  alias: 'n',
  id: 'rider_id',
  tenant: 'agent',
  columns: riderColumns,
  joins: sql`join rider r on r.id = n.rider_id and r.agent_id = n.agent_id`,
  sorts: { at: ['at', 'instant'] },
  find: ({ campaignId, outcomes = campaignOutcomes, riderId }) => ({
    runs: { column: 'outcome', type: 'text', values: outcomes },
    narrowed: [sql`n.campaign_id = ${campaignId}`, riderId !== undefined && sql`n.rider_id = ${riderId}`],
  }),
})
export const presentCampaignRider = riderColumns.present

const settingRow = rowOf('marketing_setting', ['control_percent', 'weekly_max', 'changed_at', 'changed_by'])

/** The limits of a company for all campaigns; the defaults where it has set none. */
export async function readSetting(
  tx: Tx,
  agentId: number,
): Promise<MarketingSetting & { changedAt: number | null; changedBy: string | null }> {
  const { rows } = await settingRow.select`from marketing_setting where agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) return { ...marketingSettingDefault, changedAt: null, changedBy: null }
  return settingRow.present(row)
}

/** The same, locked until the end of the transaction: campaigns of a company count a rider's sends one after the other. */
export async function lockSetting(tx: Tx, agentId: number, at: Date): Promise<MarketingSetting> {
  await sql`
    insert into marketing_setting (agent_id, control_percent, weekly_max, changed_at, changed_by)
    values (${agentId}, ${marketingSettingDefault.controlPercent}, ${marketingSettingDefault.weeklyMax}, ${at}, 'system')
    on conflict do nothing`.execute(tx)
  await sql`select from marketing_setting where agent_id = ${agentId} for no key update`.execute(tx)
  return readSetting(tx, agentId)
}
