import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { giveByIds, giveDueRewards } from './due.ts'
import { restoreRewards } from './restore.ts'
import { grantRewards, type Granted } from './grant.ts'
import type { Grant, RewardPorts } from './ports.ts'
import { priceRewards, type PricedReward } from './price.ts'
import { revokeRewards, type Revocation, type Revoked } from './revoke.ts'

/** What gives rewards to riders: activities of every kind, campaigns, and people by hand. */
export type Rewards = {
  /** Gives all rewards of an occasion or none, in the caller's transaction; an occasion gives once. */
  grant(tx: Tx, grant: Grant): Promise<Granted>
  /** Takes rewards back, in the caller's transaction. */
  revoke(tx: Tx, asked: Revocation): Promise<Revoked>
  /** Names and worth of the rewards of a company, for forms and previews. Throws not_found where it has none such. */
  price(tx: Tx, asked: { agentId: number; rewards: readonly Reward[]; at: Date }): Promise<PricedReward[]>
  /** Makes rewards that were taken back whole, or could not be given, pending again; answers with those. */
  restore(tx: Tx, asked: { ids: readonly number[]; agentIds: readonly number[]; at: Date }): Promise<number[]>
  /** Gives pending rewards of committed transactions that are due. Resolves to those that are given, by whomever. */
  giveNow(ids: readonly number[]): Promise<number[]>
  /** Gives pending rewards whose time has come. Resolves to their number. */
  giveDue(): Promise<number>
}

export function createRewards(kit: Pick<Kit, 'db' | 'clock' | 'log'>, ports: RewardPorts): Rewards {
  return {
    grant: (tx, grant) => grantRewards(ports, tx, grant),
    revoke: (tx, asked) => revokeRewards(ports, tx, asked),
    price: (tx, asked) => priceRewards(tx, { ...asked, riderId: null }),
    restore: (tx, asked) => restoreRewards(ports, tx, asked),
    giveNow: (ids) => giveByIds(kit, ports, ids, { at: new Date(kit.clock.now()), countsOthers: true }),
    giveDue: () => giveDueRewards(kit, ports),
  }
}
