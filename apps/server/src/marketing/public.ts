import type { activityEndpoints } from '@saddle/contract/marketing/activities.ts'
import type { activityUseEndpoints } from '@saddle/contract/marketing/activityUses.ts'
import type { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import type { riderCouponEndpoints } from '@saddle/contract/marketing/riderCoupons.ts'
import type {
  rechargeActivityEndpoints,
  riderRechargeEndpoints,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import type { ridingActivityEndpoints } from '@saddle/contract/marketing/ridingActivities.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Finance } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import type { Riders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import type { riderActivityEndpoints, taskActivityEndpoints } from '@saddle/contract/marketing/taskActivities.ts'
import type { userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import type { fixedActivityEndpoints } from '@saddle/contract/marketing/fixedActivities.ts'
import { createActivityHandlers } from './activities/alerts.ts'
import { createActivityUseHandlers } from './activityUses/handlers.ts'
import { activitiesThatDisagree } from './activities/verify.ts'
import { createOutreach, type OutreachEndpoints } from './outreach.ts'
import { couponBenefits } from './coupons/benefits.ts'
import { expireCoupons } from './coupons/expire.ts'
import { revokeBatches } from './coupons/revokeBatches.ts'
import { createCouponHandlers } from './coupons/handlers.ts'
import { createRiderCouponHandlers } from './riderCoupons/handlers.ts'
import { createFacts, type Facts } from './facts/facts.ts'
import { createFixedActivityHandlers } from './fixedActivities/handlers.ts'
import { giveForOccasions } from './fixedActivities/occasions.ts'
import { wakeRiders } from './fixedActivities/wake.ts'
import { createInvites, type InviteEndpoints, type Invites } from './invites/invites.ts'
import { createRewards, type Rewards } from './rewards/rewards.ts'
import { rewardPorts } from './rewards/wire.ts'
import { countRides } from './taskActivities/count.ts'
import { createTaskActivityHandlers } from './taskActivities/handlers.ts'
import { createRiderActivityHandlers } from './taskActivities/rider.ts'
import { createUserRewardHandlers } from './userRewards/handlers.ts'
import { couponsThatDisagree } from './coupons/verify.ts'
import { sizeSegments } from './segments/sizes.ts'
import { makeSpans, ridersThatDisagree } from './segments/spans.ts'
import { createRechargeActivityHandlers } from './rechargeActivities/handlers.ts'
import { createRiderRechargeHandlers } from './rechargeActivities/rider.ts'
import { rechargeSource } from './rechargeActivities/settle.ts'
import { ridingBenefits } from './ridingActivities/benefits.ts'
import { createRidingActivityHandlers } from './ridingActivities/handlers.ts'

export { createContent, type Content } from './content/content.ts'
export { activitiesThatDisagree } from './activities/verify.ts'
export { couponsThatDisagree } from './coupons/verify.ts'
export { ridersThatDisagree } from './segments/spans.ts'

export type MarketingEndpoints = typeof activityEndpoints &
  typeof activityUseEndpoints &
  OutreachEndpoints &
  typeof couponEndpoints &
  typeof riderCouponEndpoints &
  typeof ridingActivityEndpoints &
  typeof rechargeActivityEndpoints &
  typeof riderRechargeEndpoints &
  typeof fixedActivityEndpoints &
  typeof taskActivityEndpoints &
  typeof riderActivityEndpoints &
  typeof userRewardEndpoints &
  InviteEndpoints

export type Marketing = {
  readonly handlers: Handlers<MarketingEndpoints>
  /** What gives rewards to riders. */
  readonly rewards: Rewards
  /** Follows what riders do; see `Facts`. */
  readonly facts: Facts
  readonly invites: Pick<Invites, 'sweep'>
  /** Ends coupons whose time is over. Resolves to their number. For the worker; safe on several at once. */
  expire(): Promise<number>
  /** Goes on with batches of coupons that are being taken back. Resolves to the number of coupons. */
  revokeBatches(): Promise<number>
  /** Sends the campaigns that are due. Resolves to the number of chunks. For the worker; safe on several at once. */
  sendCampaigns(): Promise<number>
  /**
   * Holds the jobs that follow riders and end coupons until the returned function is called: the past of the demo is
   * followed at its own time.
   */
  holdJobs(): () => void
  /** Does that now and again and again; returns what ends it. */
  startBackground(): () => Promise<void>
}

const sweepEveryMs = 30_000
const campaignsEveryMs = 5_000
const factsEveryMs = 5_000
const wakeEveryMs = hourMs
const spansEveryMs = 10 * minuteMs
const sizesEveryMs = minuteMs

/** Lets jobs rest while somebody holds them. */
function createHolds() {
  const holds = new Set<symbol>()
  return {
    holdJobs: () => {
      const hold = Symbol('hold')
      holds.add(hold)
      return () => void holds.delete(hold)
    },
    unlessHeld: (run: () => Promise<unknown>) => async () => {
      if (holds.size === 0) await run()
    },
  }
}

/** What lowers the charge of rides and is given to riders: coupons and activities. */
export function createMarketing(
  kit: Kit,
  others: {
    readonly audit: Audit
    readonly finance: Pick<
      Finance,
      'benefits' | 'books' | 'gifts' | 'recharges' | 'room' | 'secondPerson' | 'startRecharge'
    >
    readonly riders: Riders
    readonly riding: Pick<Riding, 'tryBenefit'>
  },
): Marketing {
  const { audit, finance, riders, riding } = others
  const rewards = createRewards(kit, rewardPorts(finance))
  const facts = createFacts(kit)
  const deps = { kit, audit, riders, riding, rewards, finance }
  finance.benefits.register(couponBenefits)
  finance.benefits.register(ridingBenefits)
  finance.recharges.serve(rechargeSource(deps))
  finance.books.hold('coupons', () => couponsThatDisagree(kit.db))
  followFacts(facts, rewards)
  finance.books.hold('activities', () => activitiesThatDisagree(kit.db))
  finance.books.hold('riders', () => ridersThatDisagree(kit.db))
  const invites = createInvites({ ...deps, facts })
  const expire = (): Promise<number> => expireCoupons(kit)
  const outreach = createOutreach(deps)
  const { holdJobs, unlessHeld } = createHolds()
  return {
    handlers: {
      ...createActivityHandlers(deps),
      ...createActivityUseHandlers(deps),
      ...outreach.handlers,
      ...createCouponHandlers(deps),
      ...createRiderCouponHandlers(deps),
      ...createRidingActivityHandlers(deps),
      ...createRechargeActivityHandlers(deps),
      ...createRiderRechargeHandlers(deps),
      ...createFixedActivityHandlers(deps),
      ...createTaskActivityHandlers(deps),
      ...createRiderActivityHandlers(deps),
      ...createUserRewardHandlers(deps),
      ...invites.handlers,
    },
    rewards,
    facts,
    invites,
    expire,
    revokeBatches: () => revokeBatches(kit),
    sendCampaigns: outreach.campaigns.run,
    holdJobs,
    startBackground: () =>
      startJobs(kit, { facts, rewards, invites, expire, unlessHeld, sendCampaigns: outreach.campaigns.run }),
  }
}

interface Background {
  readonly facts: Facts
  readonly rewards: Rewards
  readonly invites: { readonly sweep: () => Promise<unknown> }
  readonly expire: () => Promise<number>
  readonly sendCampaigns: () => Promise<unknown>
  readonly unlessHeld: (run: () => Promise<unknown>) => () => Promise<void>
}

function startJobs(
  kit: Kit,
  { facts, rewards, invites, expire, sendCampaigns, unlessHeld }: Background,
): () => Promise<void> {
  const every = { log: kit.log, everyMs: sweepEveryMs }
  const jobs = [
    startJob({ ...every, run: unlessHeld(expire), failure: 'coupons could not be ended' }),
    startJob({
      ...every,
      everyMs: factsEveryMs,
      run: () => revokeBatches(kit),
      failure: 'batches of coupons could not be taken back',
    }),
    startJob({
      ...every,
      everyMs: campaignsEveryMs,
      run: sendCampaigns,
      failure: 'campaigns could not be sent',
    }),
    startJob({
      ...every,
      everyMs: factsEveryMs,
      run: unlessHeld(async () => {
        await facts.run()
        await rewards.giveDue()
        await invites.sweep()
      }),
      failure: 'facts could not be followed',
    }),
    startJob({
      ...every,
      everyMs: wakeEveryMs,
      run: () => wakeRiders(kit, rewards),
      failure: 'riders could not be woken',
    }),
    startJob({
      ...every,
      everyMs: spansEveryMs,
      run: unlessHeld(() => makeSpans(kit)),
      failure: 'rides of riders could not be added up',
    }),
    startJob({
      ...every,
      everyMs: sizesEveryMs,
      run: unlessHeld(() => sizeSegments(kit)),
      failure: 'riders of segments could not be counted',
    }),
  ]
  return async () => {
    await Promise.all(jobs.map((job) => job.stop()))
  }
}

/** Fixed and custom activities count what riders do. */
function followFacts(facts: Facts, rewards: Rewards): void {
  facts.consume({
    name: 'fixed_activities',
    kinds: ['rider_new', 'rider_identified', 'rider_certified', 'ride_paid', 'ride_refunded', 'recharged'],
    handle: (tx, found) => giveForOccasions(tx, rewards, found),
  })
  facts.consume({
    name: 'task_activities',
    kinds: ['ride_paid', 'ride_refunded'],
    handle: (tx, found) => countRides(tx, rewards, found),
  })
}
