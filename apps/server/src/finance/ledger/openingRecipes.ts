import { between, entry, own, type Movement } from './recipes.ts'
import type { Entry } from './rules.ts'

/**
 * What a rider has paid in to another system. The company has that money and not the platform: its settled income covers it
 * before it can be withdrawn. A rider has one such entry, whatever file names the rider again.
 */
export function openingBalance(input: Movement & { readonly riderId: number; readonly file: string }): Entry {
  const { riderId, cents, file } = input
  const lines = between(cents, own('agent_receivable'), { kind: 'rider_balance', ownerId: riderId })
  return { ...entry('opening_balance', `opening:${riderId}`, input, lines), memo: file }
}
