import { activityPages, type ActivityKind } from '@saddle/contract/marketing/activities.ts'

/** A page of a list that shows what a filter finds. */
const listTo = (path: string, filter: object): string => `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** The list of activities of its kind with this one alone. */
export const activityTo = ({ kind, id }: { readonly kind: ActivityKind; readonly id: number }): string =>
  listTo(activityPages[kind].path, { id })

/** The list of campaigns with this one alone. */
export const campaignTo = (id: number): string => listTo('/marketing/campaign', { id })

/** Rewards that people gave by hand. */
export const rewardsByHandTo = (): string => listTo('/marketing/user-rewards', { causes: ['hand'] })

/** The list of kinds of coupons with this one alone. */
export const couponTo = (id: number): string => listTo('/marketing/coupon', { id })

/** The list of segments with this one alone. */
export const segmentTo = (id: number): string => listTo('/marketing/segment', { id })
