import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { couponStates } from '@saddle/contract/marketing/coupons.ts'
import type { RiderCoupon, riderCouponEndpoints } from '@saddle/contract/marketing/riderCoupons.ts'
import { agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { heldBy, lockRiders } from '../coupons/issue.ts'
import { givenOnDevices } from '../coupons/devices.ts'
import { endOf, isSpent } from '../coupons/rules.ts'
import { termsOf } from '../coupons/store.ts'
import { readTemplate } from '../coupons/templates.ts'

/** Coupons of a rider that are shown. */
const ownMax = 100

const ownRow = rowsOf(
  rowOf('coupon', 'c', ['id', 'agent_id', 'state', 'ends_at', 'used_at', 'order_id', 'saved_cents', 'revoke_reason']),
  rowOf('coupon_template_version', 'v', ['terms']),
).codes({ state: couponStates })
const versionOf = sql`join coupon_template_version v on v.template_id = c.template_id and v.version = c.version`

const codeRow = rowsOf(
  rowOf('coupon', 'c', ['id', 'template_id', 'batch_id', 'rider_id', 'state', 'ends_at', 'revoke_reason']),
  rowOf('coupon_template_version', 'v', ['terms']),
).codes({ state: couponStates })

/** Coupons as the riders' applications see them. */
export function createRiderCouponHandlers(deps: CouponDeps): Handlers<typeof riderCouponEndpoints> {
  const { kit, riders } = deps
  return {
    riderCoupons: async ({ phone, agentId }, call) => {
      const agent = agentOfApp(call, agentId)
      const [riderId] = await riders.idsByPhone(scopeOfAgent(agent), phone)
      if (riderId === undefined) return { suc: true, data: { list: [] } }
      const now = kit.clock.now()
      const rows = await kit.db.systemRead((k) => selectOwn({ agentId: agent, riderId, now }).compile(k))
      return { suc: true, data: { list: rows.map((row) => ownOf(row, now)) } }
    },

    riderClaimCoupon: async ({ phone, agentId, code }, call) => {
      const agent = agentOfApp(call, agentId)
      const data = await kit.db.system(async (tx) => {
        const [riderId = 0] = await riders.ensure(tx, [{ agentId: agent, phone, name: null }])
        return claim(deps, tx, { agentId: agent, riderId, code })
      })
      return { suc: true, data }
    },
  }
}

/** The open ones first, by when they lapse; the others by when they were issued. */
function selectOwn({ agentId, riderId, now }: { agentId: number; riderId: number; now: number }) {
  const at = new Date(now)
  return ownRow.select`
    from coupon c ${versionOf}
    where c.rider_id = ${riderId} and c.agent_id = ${agentId}
    order by (c.state = 'open' and c.ends_at > ${at}) desc,
      case when c.state = 'open' and c.ends_at > ${at} then c.ends_at end, c.issued_at desc, c.id desc limit ${ownMax}`
}

/** What has run out counts as expired from that moment, even before somebody writes it down. */
function ownOf(row: RowOf<typeof ownRow>, now: number): RiderCoupon {
  const { id, agentId, state, endsAt, usedAt, orderId, savedCents, revokeReason } = ownRow.present(row)
  const { name, effect, fromCents, conditions, alone } = termsOf(row.terms)
  const shown = state === 'open' && endsAt <= now ? 'expired' : state
  const own = { id, agentId, name, state: shown, endsAt, usedAt, orderId, savedCents, revokeReason } as const
  return { ...own, effect, fromCents, conditions, alone }
}

type Claim = { readonly agentId: number; readonly riderId: number; readonly code: string }

/** Gives the coupon of a code to a rider. Every refusal says why. */
async function claim({ kit }: CouponDeps, tx: Tx, { agentId, riderId, code }: Claim): Promise<RiderCoupon> {
  const at = new Date(kit.clock.now())
  // Riders are locked before coupons, here as where coupons are issued.
  await lockRiders(tx, agentId, [riderId])
  const { rows } = await codeRow.select`
    from coupon c ${versionOf} where c.code = ${code} and c.agent_id = ${agentId} for update of c`.execute(tx)
  const [coupon] = rows
  if (coupon === undefined) throw new AppError('coupon_code_unknown')
  if (coupon.rider_id !== riderId) {
    await checkClaim(tx, { coupon, agentId, riderId, at })
    const endsAt = new Date(endOf(termsOf(coupon.terms), at.getTime()))
    await sql`
      update coupon set rider_id = ${riderId}, claimed_at = ${at}, ends_at = ${endsAt} where id = ${coupon.id}`.execute(
      tx,
    )
    await sql`update coupon_batch set claimed = claimed + 1 where id = ${coupon.batch_id}`.execute(tx)
  }
  const { rows: own } = await ownRow.select`from coupon c ${versionOf} where c.id = ${coupon.id}`.execute(tx)
  const [row] = own
  if (row === undefined) throw new Error('a coupon that was just claimed is not there')
  return ownOf(row, at.getTime())
}

async function checkClaim(
  tx: Tx,
  claimed: { coupon: RowOf<typeof codeRow>; agentId: number; riderId: number; at: Date },
): Promise<void> {
  const { coupon, agentId, riderId, at } = claimed
  if (coupon.rider_id !== null) throw new AppError('coupon_code_taken')
  if (coupon.state === 'revoked') {
    throw new AppError('coupon_code_revoked', { values: { reason: coupon.revoke_reason } })
  }
  if (coupon.state !== 'open' || coupon.ends_at <= at) throw new AppError('coupon_code_over')
  const template = await readTemplate(tx, { id: coupon.template_id, scope: scopeOfAgent(agentId) })
  if (template.state === 'off') throw new AppError('coupon_off')
  if (isSpent(template)) throw new AppError('coupon_budget_spent')
  const max = template.rider_max
  const held = await heldBy(tx, { template, riderIds: [riderId], at })
  if (max !== null && (held.get(riderId) ?? 0) >= max) throw new AppError('coupon_cap', { values: { max } })
  if (template.device_max === null) return
  const ofDevice = await givenOnDevices(tx, { template, riderId })
  if (ofDevice >= template.device_max) throw new AppError('coupon_device', { values: { max: template.device_max } })
}
