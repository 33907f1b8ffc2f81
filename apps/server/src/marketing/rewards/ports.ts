import type { Reward, RewardCause } from '@saddle/contract/marketing/rewards.ts'
import type { Tx } from '#kit/db/pool.ts'

type OfRider = { readonly agentId: number; readonly riderId: number; readonly at: Date }
type TakenBack = { readonly agentId: number; readonly at: Date; readonly by: string; readonly reason: string }

/** What rewards need of activities, gift balance and cards. */
export type RewardPorts = {
  /** Whether a rider belongs to those whom an activity gives nothing. */
  isWithheld(tx: Tx, of: { agentId: number; activityId: number; riderId: number }): Promise<boolean>
  /** Takes the worth of a grant from the budget of its activity; why not, where it has no more. */
  takeBudget(tx: Tx, use: BudgetUse & { cents: number }): Promise<string | null>
  /** Takes the worth of one reward of the grant again. */
  takeShare(tx: Tx, use: BudgetUse & { cents: number }): Promise<string | null>
  /** Locks the budgets of riders as taking from them does, until the end of the transaction. */
  lockBudgets(tx: Tx, budgets: readonly { readonly activityId: number; readonly riderId: number }[]): Promise<void>
  /** Gives back what is left of a rider's use. */
  giveBackBudget(tx: Tx, use: BudgetUse): Promise<unknown>
  /** Gives back the worth of one reward of several. */
  giveBackShare(tx: Tx, use: BudgetUse & { cents: number }): Promise<void>
  /** Gives balance that ends after so many days. It posts to the ledger, so it comes last. */
  giveGift(
    tx: Tx,
    gift: OfRider & { rewardId: number; activityId: number | null; cents: number; validDays: number },
  ): Promise<number>
  /** Takes back what is left of that; answers with what it was. */
  endGift(tx: Tx, gift: TakenBack & { rewardId: number; lotId: number }): Promise<number>
  giveCard(tx: Tx, card: OfRider & { productId: number; requestId: string }): Promise<number>
  /** Ends a given card; answers with the days that had begun. */
  endCard(tx: Tx, card: TakenBack & { cardId: number }): Promise<number>
}

type BudgetUse = OfRider & { readonly activityId: number; readonly cause: Cause }

export type Cause = { readonly kind: RewardCause; readonly id: number }

export type Grant = {
  readonly agentId: number
  readonly riderId: number
  /** Null: by hand or by a campaign. */
  readonly activityId: number | null
  readonly version: number | null
  readonly rewards: readonly Reward[]
  /** What it is given for: once for each activity, rider and cause. */
  readonly cause: Cause
  readonly at: Date
  /** Until then it is pending. */
  readonly dueAt?: Date | undefined
  /** The job gives it, even if it is due: for those who hold locks of many riders. */
  readonly isLater?: boolean | undefined
  /** Who gives it by hand. */
  readonly by?: { readonly id: number; readonly name: string } | undefined
  readonly note?: string | undefined
}
