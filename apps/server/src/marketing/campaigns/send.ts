import { sql, type RawBuilder } from 'kysely'
import type { CampaignHalt, CampaignOutcome, MarketingSetting } from '@saddle/contract/marketing/campaigns.ts'
import { campaignOutcomes } from '@saddle/contract/marketing/campaigns.ts'
import { holdoutBuckets, holdoutKey } from '@saddle/contract/marketing/holdout.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { insertBatch } from '../coupons/issue.ts'
import { endOf, isSpent } from '../coupons/rules.ts'
import { termsOf as couponTermsOf } from '../coupons/store.ts'
import { readTemplate, type TemplateRow } from '../coupons/templates.ts'
import { segmentCondition } from '../segments/rules.ts'
import { countSegment, joinLargeSets, termsOf as segmentTermsOf } from '../segments/store.ts'
import { isQuiet, weekBefore } from './rules.ts'
import { campaignRow, lockSetting, termsOf, type CampaignRow } from './store.ts'

/** Riders of the company that a chunk goes through. */
export const chunkRiders = 20_000

type Deps = Pick<Kit, 'db' | 'clock'>
/** `more`: call again. `wait`: nothing to do now. `ended`: it is over or stands still. */
export type Step = 'more' | 'wait' | 'ended'

/**
 * Goes through the next riders of a campaign in one transaction: what became of each, the coupons or messages, the counters
 * and the cursor are committed together, so that whoever is killed in between has done nothing. Only one worker at a time
 * goes through a campaign; another one waits for its next turn.
 */
export async function sendChunk({ db, clock }: Deps, id: number, riders: number = chunkRiders): Promise<Step> {
  const now = clock.now()
  return db.system(async (tx) => {
    const { rows } = await campaignRow.select`
      from campaign c where c.id = ${id} and c.state in ('scheduled', 'running')
      for no key update skip locked`.execute(tx)
    const [found] = rows
    if (found === undefined) return 'wait'
    const { quiet, startsAt, endsAt } = termsOf(found.terms)
    if (found.state === 'scheduled' && startsAt !== null && startsAt > now) return 'wait'
    if (endsAt !== null && endsAt <= now) return end(tx, found, { at: now, halt: 'over' })
    if (isQuiet(quiet, now)) return 'wait'
    const campaign = found.started_at === null ? await begin(tx, found, now) : found
    const template = campaign.template_id === null ? null : await templateOf(tx, campaign)
    const fault = template === null ? null : whyNot(template, now)
    if (fault !== null) return pause(tx, campaign, fault)
    return goOn(tx, { campaign, template, riders, now })
  })
}

const templateOf = (tx: Tx, { template_id: id, agent_id: agentId }: CampaignRow): Promise<TemplateRow> =>
  readTemplate(tx, { id: id ?? 0, scope: scopeOfAgent(agentId) })

/** Why coupons of a kind cannot be issued now. */
function whyNot(template: TemplateRow, now: number): CampaignHalt | null {
  if (template.state === 'off') return 'coupon_off'
  if (isSpent(template)) return 'coupon_spent'
  return endOf(couponTermsOf(template.terms), now) <= now ? 'coupon_over' : null
}

const versionRow = rowOf('segment_version', 'v', ['terms'])

async function segmentOf(tx: Tx, { segment_id: id, segment_version: version, agent_id: agentId }: CampaignRow) {
  const { rows } = await versionRow.select`
    from segment_version v where v.segment_id = ${id} and v.version = ${version} and v.agent_id = ${agentId}`.execute(
    tx,
  )
  return segmentTermsOf(rows[0]?.terms)
}

/** Counts the riders, so that it can be told how far the campaign has come. */
async function begin(tx: Tx, campaign: CampaignRow, now: number): Promise<CampaignRow> {
  const at = new Date(now)
  const terms = await segmentOf(tx, campaign)
  const audience = await countSegment(tx, { agentId: campaign.agent_id, terms, at: now })
  await sql`
    update campaign set state = 'running', started_at = ${at}, audience = ${audience} where id = ${campaign.id}`.execute(
    tx,
  )
  return { ...campaign, state: 'running', started_at: at, audience }
}

async function end(
  tx: Tx,
  { id }: CampaignRow,
  { at, halt }: { at: number; halt: CampaignHalt | null },
): Promise<Step> {
  await sql`update campaign set state = 'done', ended_at = ${new Date(at)}, halt = ${halt} where id = ${id}`.execute(tx)
  return 'ended'
}

async function pause(tx: Tx, { id }: CampaignRow, halt: CampaignHalt): Promise<Step> {
  await sql`update campaign set state = 'paused', halt = ${halt} where id = ${id}`.execute(tx)
  return 'ended'
}

type Going = {
  readonly campaign: CampaignRow
  readonly template: TemplateRow | null
  readonly riders: number
  readonly now: number
}

const lastRow = rowOfValues({ last: computed('bigint?', sql`max(n.id)`) })

async function goOn(tx: Tx, { campaign, template, riders, now }: Going): Promise<Step> {
  const { id, agent_id: agentId, cursor_id: after } = campaign
  const { rows } = await lastRow.select`
    from (select r.id from rider r where r.agent_id = ${agentId} and r.id > ${after} order by r.id limit ${riders}) n`.execute(
    tx,
  )
  const upTo = rows[0]?.last ?? null
  if (upTo === null) return end(tx, campaign, { at: now, halt: null })
  const setting = await lockSetting(tx, agentId, new Date(now))
  const batchId = template === null ? null : (campaign.batch_id ?? (await makeBatch(tx, campaign, template, now)))
  const reach = { ...campaign, batch_id: batchId }
  const counts = await send(tx, { campaign: reach, template, setting, range: { after, upTo }, now })
  const sent = counts.get('sent') ?? 0
  await sql`
    update campaign set cursor_id = ${upTo}, batch_id = ${batchId}, sent = sent + ${sent},
      held_out = held_out + ${counts.get('held_out') ?? 0}, control = control + ${counts.get('control') ?? 0},
      weekly = weekly + ${counts.get('weekly') ?? 0}, capped = capped + ${counts.get('capped') ?? 0}
    where id = ${id}`.execute(tx)
  if (sent > 0 && batchId !== null) {
    await sql`
      update coupon_batch set issued = issued + ${sent}, wanted = greatest(wanted, issued + ${sent})
      where id = ${batchId}`.execute(tx)
  }
  if (campaign.budget_sends !== null && campaign.sent + sent >= campaign.budget_sends) {
    return end(tx, campaign, { at: now, halt: 'budget' })
  }
  return 'more'
}

const makeBatch = (tx: Tx, campaign: CampaignRow, template: TemplateRow, now: number): Promise<number> =>
  insertBatch(tx, {
    template,
    source: 'riders',
    note: campaign.name,
    claimUntil: null,
    wanted: Math.max(1, Math.min(campaign.audience ?? 1, campaign.budget_sends ?? Infinity)),
    issued: 0,
    at: new Date(now),
    by: { id: null, name: campaign.name },
  })

const countedRow = rowsOf(
  rowOf('campaign_rider', 'w', ['outcome']),
  rowOfValues({ count: computed('bigint', sql`count(*)`) }),
).codes({ outcome: campaignOutcomes })

type Sending = {
  readonly campaign: CampaignRow
  readonly template: TemplateRow | null
  readonly setting: MarketingSetting
  readonly range: { readonly after: number; readonly upTo: number }
  readonly now: number
}

/**
 * What becomes of each rider of the range. Who is capped is in neither group of the comparison: whether somebody is held
 * out is asked last, so that the groups differ by chance alone.
 */
async function send(tx: Tx, sending: Sending): Promise<ReadonlyMap<CampaignOutcome, number>> {
  const { campaign, template, range, now } = sending
  const { id, agent_id: agentId, batch_id: batchId } = campaign
  const terms = await segmentOf(tx, campaign)
  const startedAt = campaign.started_at?.getTime() ?? now
  if (template !== null && template.rider_max !== null) await lockMembers(tx, agentId, range)
  const given =
    template === null
      ? messageOf(campaign, now)
      : sql`
        insert into coupon (agent_id, template_id, version, batch_id, rider_id, issued_at, ends_at)
        select ${agentId}, ${template.id}, ${template.version}, ${batchId}, w.rider_id, ${new Date(now)},
          ${new Date(endOf(couponTermsOf(template.terms), now))}
        from written w where w.outcome = 'sent'`
  await joinLargeSets(tx)
  const { rows } = await countedRow
    .query(
      (list) => sql`
      with member as materialized (
        select r.id from rider r where ${segmentCondition({ agentId, terms, at: startedAt, range })}
      ),
      judged as (select m.id, ${outcomeOf(sending)} as outcome from member m),
      kept as (${withinBudget(campaign)}),
      written as (
        insert into campaign_rider (rider_id, campaign_id, agent_id, outcome, at)
        select k.id, ${id}, ${agentId}, k.outcome, ${new Date(now)} from kept k order by k.id
        returning rider_id, outcome
      ),
      given as (${given})
      select ${list} from written w group by w.outcome`,
    )
    .execute(tx)
  return new Map(rows.map(({ outcome, count }) => [outcome, count]))
}

/** Who issues coupons to these riders meanwhile waits, so that no one holds more of the kind than allowed. */
async function lockMembers(tx: Tx, agentId: number, { after, upTo }: Sending['range']): Promise<void> {
  await sql`
    select from rider r where r.agent_id = ${agentId} and r.id > ${after} and r.id <= ${upTo}
    order by r.id for no key update`.execute(tx)
}

function outcomeOf({ campaign, template, setting, now }: Sending): RawBuilder<unknown> {
  const { id, agent_id: agentId } = campaign
  const { holdoutPercent } = termsOf(campaign.terms)
  const below = (key: number, percent: number) =>
    sql`holdout_bucket(${key}, m.id) < ${percent * (holdoutBuckets / 100)}`
  const control = below(holdoutKey({ agentId, id: 0, of: 'control' }), setting.controlPercent)
  const heldOut = below(holdoutKey({ agentId, id, of: 'campaign' }), holdoutPercent)
  const weekly = sql`(
    select count(*) from campaign_rider n
    where n.rider_id = m.id and n.agent_id = ${agentId} and n.outcome = 'sent' and n.at > ${weekBefore(now)}
  ) >= ${setting.weeklyMax}`
  const capped = sql`(
    select count(*) from coupon k
    where k.rider_id = m.id and k.agent_id = ${agentId} and k.template_id = ${template?.id ?? 0} and k.state = 'open'
      and k.ends_at > ${new Date(now)}
  ) >= ${template?.rider_max ?? 0}`
  return sql`case
    ${setting.controlPercent > 0 ? sql`when ${control} then 'control'` : sql``}
    ${setting.weeklyMax === null ? sql`` : sql`when ${weekly} then 'weekly'`}
    ${template === null || template.rider_max === null ? sql`` : sql`when ${capped} then 'capped'`}
    ${holdoutPercent > 0 ? sql`when ${heldOut} then 'held_out'` : sql``}
    when m.id is not null then 'sent' end`
}

/** Riders up to the last one that the budget allows: those behind it are in no group. */
function withinBudget({ budget_sends: budget, sent }: CampaignRow): RawBuilder<unknown> {
  if (budget === null) return sql`select j.id, j.outcome from judged j`
  return sql`
    select n.id, n.outcome from (
      select j.id, j.outcome, count(*) filter (where j.outcome = 'sent') over (order by j.id) as sent from judged j
    ) n where n.sent <= ${budget - sent}`
}

function messageOf({ id, agent_id: agentId, terms }: CampaignRow, now: number): RawBuilder<unknown> {
  const { title, body } = termsOf(terms)
  return sql`
    insert into rider_message (agent_id, rider_id, campaign_id, title, body, sent_at)
    select ${agentId}, w.rider_id, ${id}, ${title}, ${body}, ${new Date(now)} from written w where w.outcome = 'sent'`
}
