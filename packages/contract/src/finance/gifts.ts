/** Gift balance: what a company gives riders to ride with. It is kept in lots, each with an end of its own. */

/** What a lot was given for. */
export const giftSources = ['payment', 'charge', 'reward', 'undo', 'opening'] as const
export type GiftSource = (typeof giftSources)[number]

export const giftLimits = {
  maxCents: 10_000_000,
  maxDays: 3_650,
} as const
