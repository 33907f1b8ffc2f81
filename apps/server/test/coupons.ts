import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'

/** Coupons that a call could reach for. */
export type CouponThings = {
  readonly templateId: number
  readonly batchId: number
  /** Held by the rider, and open. */
  readonly couponId: number
  /** Of another batch; nobody has claimed it. */
  readonly code: string
}

export const testCouponTerms = couponTermsSchema.parse({
  name: 'coupon',
  effect: { off: 'cents', cents: 200 },
  validDays: 7,
  validUntil: null,
})

/** A kind of coupon, one that the rider holds, and a code; every text holds the marker. */
export async function addCoupons(options: {
  tx: Tx
  agentId: number
  riderId: number
  marker: string
  at: Date
}): Promise<CouponThings> {
  const { tx, agentId, riderId, marker, at } = options
  const name = `${marker} coupon`
  const made = { made_at: at, made_by: `${marker} clerk` }
  const { id: templateId } = await tx
    .insertInto('coupon_template')
    .values({ agent_id: agentId, name, created_at: at, changed_at: at, changed_by: `${marker} clerk` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { agent_id: agentId, template_id: templateId, version: 1 }
  await tx
    .insertInto('coupon_template_version')
    .values({ ...own, terms: JSON.stringify({ ...testCouponTerms, name }), ...made })
    .execute()
  const until = new Date(at.getTime() + 7 * dayMs)
  const batch = { ...own, ...made, note: `${marker} note`, wanted: 1, issued: 1 }
  const [first, second] = await tx
    .insertInto('coupon_batch')
    .values([
      { ...batch, source: 'riders' },
      { ...batch, source: 'codes', claim_until: until },
    ])
    .returning('id')
    .execute()
  const [batchId, codesId] = [first?.id ?? 0, second?.id ?? 0]
  const code = `${marker.replaceAll(/[^A-Z2-9]/g, '')}AAAAAAAAAAAA`.slice(0, 12)
  const [held] = await tx
    .insertInto('coupon')
    .values([
      { ...own, batch_id: batchId, rider_id: riderId, issued_at: at, ends_at: until },
      { ...own, batch_id: codesId, code, issued_at: at, ends_at: until },
    ])
    .returning('id')
    .execute()
  return { templateId, batchId, couponId: held?.id ?? 0, code }
}
