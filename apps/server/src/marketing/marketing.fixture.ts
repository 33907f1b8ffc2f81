import { sql } from 'kysely'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import type { AppCall } from '#kit/call.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { createMarketing } from './public.ts'

/** Two companies with an area each, and coupons of the first. */
export async function marketingWorld(settings: Record<string, string> = {}) {
  const { db, owner, url } = await testDatabase()
  const kit = testKit(db, settings)
  const audit = createAudit(kit)
  const riders = createRiders(kit)
  const finance = createFinance(kit, riders)
  // No test of coupons tries a benefit on past rides.
  const riding = { tryBenefit: () => Promise.reject(new Error('there are no past rides')) }
  const marketing = createMarketing(kit, { audit, finance, riders, riding })
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const outline = { centre_lat: 31, centre_lng: 120, ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]' }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '城北', ...outline },
      { id: 41, agent_id: 4, name: '城南', ...outline },
    ])
    .execute()
  const agentId = 3
  const clerk = sessionCall({ operatorId: 7, agentId, grant: { agentIds: [3], areaIds: [31] }, name: '周可' })
  const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
  const app: AppCall = { ...publicCall(), app: { id: 1, agentIds: [3] } }
  const { handlers } = marketing

  const phoneOf = (n: number): string => `1390014${String(n).padStart(4, '0')}`
  let people = 0
  const newRiders = async (count: number) => {
    const phones = Array.from({ length: count }, (_, index) => phoneOf(people + index))
    people += count
    const asked = phones.map((phone) => ({ agentId, phone, name: null }))
    return { phones, riderIds: await db.system((tx) => riders.ensure(tx, asked)) }
  }
  /** The riders were all seen on one telephone, and each on another of their own. */
  const shareTelephone = (riderIds: readonly number[], telephone: string) =>
    sql`
      insert into rider_device (agent_id, rider_id, device_hash, model, system, app_version, first_seen_at, last_seen_at)
      select ${agentId}, r.id, h.hash, 'A', 'Android 15', '1', now(), now()
      from unnest(${riderIds}::bigint[]) r (id) cross join lateral (values (${telephone}::text), ('own ' || r.id)) h (hash)
    `.execute(owner)
  let names = 0
  const termsWith = (changes: Partial<CouponTerms> = {}): CouponTerms => {
    names += 1
    const usual = { name: `券 ${names}`, effect: { off: 'cents', cents: 200 }, validDays: 7, validUntil: null } as const
    return couponTermsSchema.parse({ ...usual, ...changes })
  }
  const create = async (changes: Partial<CouponTerms> = {}) =>
    (await handlers.createCouponTemplate({ agentId, terms: termsWith(changes) }, clerk)).data.id
  const issue = async (templateId: number, riderIds: readonly number[]) =>
    (await handlers.issueCoupons({ templateId, riderIds: [...riderIds], note: '' }, clerk)).data
  const couponsOf = async (filter: Parameters<typeof handlers.listCoupons>[0]['filter']) =>
    (await handlers.listCoupons({ filter, sort: 'issued', pageSize: 200 }, clerk)).data.list
  const template = async (id: number) => {
    const { data } = await handlers.listCouponTemplates({ filter: { id }, sort: 'created', pageSize: 20 }, clerk)
    const [row] = data.list
    if (row === undefined) throw new Error(`there is no kind of coupon ${id}`)
    return row
  }
  return {
    db,
    owner,
    url,
    kit,
    finance,
    marketing,
    handlers,
    agentId,
    clerk,
    outsider,
    app,
    newRiders,
    shareTelephone,
    termsWith,
    create,
    issue,
    couponsOf,
    template,
  }
}
