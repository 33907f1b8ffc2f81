import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  canAct,
  canChange,
  type CampaignAct,
  type CampaignState,
  type CampaignTerms,
  type MarketingSetting,
} from '@saddle/contract/marketing/campaigns.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { insertBatch } from '../coupons/issue.ts'
import { endOf } from '../coupons/rules.ts'
import { termsOf as couponTermsOf } from '../coupons/store.ts'
import { readTemplate } from '../coupons/templates.ts'
import { readSegment } from '../segments/store.ts'
import { lockCampaign, lockSetting, termsOf, type CampaignRow } from './store.ts'

const recordOf = ({ agentId, id }: { agentId: number; id: number }) => ({
  agentId,
  subjectKind: 'campaign',
  subjectId: id,
})

/** The columns that terms are stored in, when segment and coupon are of the company. */
async function columnsOf(tx: Tx, { agentId, terms }: { agentId: number; terms: CampaignTerms }) {
  const scope = scopeOfAgent(agentId)
  const segment = await readSegment(tx, { id: terms.segmentId, scope })
  if (segment.state === 'off') throw new AppError('segment_off')
  if (terms.templateId !== null) await readTemplate(tx, { id: terms.templateId, scope })
  return {
    name: terms.name,
    terms: JSON.stringify(terms),
    segment_id: segment.id,
    segment_version: segment.version,
    channel: terms.channel,
    template_id: terms.templateId,
    starts_at: terms.startsAt === null ? null : new Date(terms.startsAt),
    holdout_percent: terms.holdoutPercent,
    budget_sends: terms.budgetSends,
  }
}

async function withName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

const changedBy = ({ caller }: SessionCall, at: Date) => ({
  changed_at: at,
  changed_by_id: caller.operatorId,
  changed_by: caller.name,
})

export async function createCampaign(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { agentId, terms }: { agentId: number; terms: CampaignTerms },
): Promise<{ id: number; version: number }> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      const made = { created_at: at, created_by: call.caller.name, ...changedBy(call, at) }
      const { id } = await tx
        .insertInto('campaign')
        .values({ agent_id: agentId, ...(await columnsOf(tx, { agentId, terms })), ...made })
        .returning('id')
        .executeTakeFirstOrThrow()
      await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'campaign.create', after: { terms } })
      return { id, version: 1 }
    }),
  )
}

export async function changeCampaign(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  change: { id: number; version: number; terms: CampaignTerms },
): Promise<{ id: number; version: number }> {
  const { id, terms } = change
  const at = new Date(kit.clock.now())
  return withName(() =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockCampaign(tx, { id, scope: call.scope })
      if (row.version !== change.version) throw new AppError('conflict')
      if (!canChange({ state: row.state, startedAt: row.started_at?.getTime() ?? null })) {
        throw new AppError('campaign_started')
      }
      const version = row.version + 1
      await tx
        .updateTable('campaign')
        .set({ ...(await columnsOf(tx, { agentId: row.agent_id, terms })), version, ...changedBy(call, at) })
        .where('id', '=', id)
        .execute()
      const record = { ...recordOf({ agentId: row.agent_id, id }), action: 'campaign.change' }
      await audit.act(tx, call, { ...record, before: { terms: termsOf(row.terms) }, after: { terms } })
      return { id, version }
    }),
  )
}

/** The state that an act leads to: a campaign that has begun goes on, another one waits for its time. */
function stateAfter(act: CampaignAct, { started_at: startedAt }: CampaignRow): CampaignState {
  if (act === 'pause') return 'paused'
  if (act === 'cancel') return 'cancelled'
  return startedAt === null ? 'scheduled' : 'running'
}

export async function actOnCampaign(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { id, act }: { id: number; act: CampaignAct },
): Promise<{ id: number; state: CampaignState }> {
  const at = new Date(kit.clock.now())
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    if (!canAct(row.state, act)) throw new AppError('campaign_state')
    const { endsAt } = termsOf(row.terms)
    const isOn = act === 'start' || act === 'resume'
    if (isOn && endsAt !== null && endsAt <= at.getTime()) throw new AppError('campaign_over')
    const state = stateAfter(act, row)
    await tx
      .updateTable('campaign')
      .set({
        state,
        halt: isOn ? null : 'person',
        ended_at: state === 'cancelled' ? at : null,
        ...changedBy(call, at),
      })
      .where('id', '=', id)
      .execute()
    await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action: `campaign.${act}` })
    return { id, state }
  })
}

/** Sends to one rider what the campaign would send; it counts nowhere in its results. */
export async function testCampaign(
  { kit, audit, riders }: CouponDeps,
  call: SessionCall,
  { id, phone }: { id: number; phone: string },
): Promise<{ riderId: number }> {
  const now = kit.clock.now()
  const at = new Date(now)
  const agentId = await kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    return row.agent_id
  })
  const [riderId] = await riders.idsByPhone({ ...call.scope, agentIds: [agentId] }, phone)
  if (riderId === undefined) throw new AppError('not_found')
  return kit.db.withScope(call.scope, async (tx) => {
    const row = await lockCampaign(tx, { id, scope: call.scope })
    const { title, body } = termsOf(row.terms)
    if (row.template_id === null) {
      await tx
        .insertInto('rider_message')
        .values({ agent_id: agentId, rider_id: riderId, campaign_id: id, is_test: true, title, body, sent_at: at })
        .execute()
    } else {
      const template = await readTemplate(tx, { id: row.template_id, scope: call.scope })
      if (template.state === 'off') throw new AppError('coupon_off')
      const by = { id: call.caller.operatorId, name: call.caller.name }
      const own = { template, source: 'riders', note: `${row.name} · 试发`, claimUntil: null } as const
      const batchId = await insertBatch(tx, { ...own, wanted: 1, issued: 1, at, by })
      const endsAt = new Date(endOf(couponTermsOf(template.terms), now))
      await sql`
        insert into coupon (agent_id, template_id, version, batch_id, rider_id, issued_at, ends_at)
        values (${agentId}, ${template.id}, ${template.version}, ${batchId}, ${riderId}, ${at}, ${endsAt})`.execute(tx)
    }
    await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'campaign.test', after: { riderId } })
    return { riderId }
  })
}

export async function setMarketingSetting(
  { kit, audit }: CouponDeps,
  call: SessionCall,
  { agentId, setting }: { agentId: number; setting: MarketingSetting },
): Promise<MarketingSetting> {
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  return kit.db.withScope(call.scope, async (tx) => {
    const before = await lockSetting(tx, agentId, at)
    await tx
      .updateTable('marketing_setting')
      .set({
        control_percent: setting.controlPercent,
        weekly_max: setting.weeklyMax,
        ...changedBy(call, at),
      })
      .where('agent_id', '=', agentId)
      .execute()
    const record = { agentId, subjectKind: 'marketing_setting', subjectId: agentId, action: 'marketing.setting' }
    const shown = { controlPercent: before.controlPercent, weeklyMax: before.weeklyMax }
    await audit.act(tx, call, { ...record, before: shown, after: setting })
    return setting
  })
}
