import type { SettledShare } from '../ledger/recipes.ts'

/** What a company or a party has beside its shares in transit. */
export type Standing = {
  /** What earlier days below zero have left to be repaid. */
  readonly owedCents: number
  readonly reservedCents: number
  /** What the reserve is to hold. */
  readonly reserveCents: number
}

/**
 * What becomes of a share that is settled. Below zero it is added to what is owed. Above zero it repays what is owed, then
 * fills the reserve, and the rest is available. A reserve that holds more than it has to gives the difference back.
 */
export function settleShare(cents: number, { owedCents, reservedCents, reserveCents }: Standing): SettledShare {
  const repaidCents = Math.min(cents, owedCents)
  const rest = Math.max(0, cents - owedCents)
  const missing = reserveCents - reservedCents
  // Above the reserve: below zero, what comes back out of it.
  const filled = missing < 0 ? missing : Math.min(rest, missing)
  const released = cents < 0 ? 0 : filled
  return { cents, repaidCents, reservedCents: released, availableCents: cents < 0 ? 0 : rest - released }
}

/**
 * The parts of a day that are settled now: what is still in transit of it less what is held. What is held is taken from the
 * company's own part, as far as that reaches.
 */
export function dueOf(
  bills: { readonly ownerCents: number; readonly parties: ReadonlyMap<number, number> },
  settled: { readonly ownerCents: number; readonly parties: ReadonlyMap<number, number> },
  heldCents: number,
): { readonly ownerCents: number; readonly heldCents: number; readonly parties: ReadonlyMap<number, number> } {
  const open = bills.ownerCents - settled.ownerCents
  const held = Math.min(heldCents, Math.max(0, open))
  const parties = [...bills.parties].map(
    ([partyId, cents]) => [partyId, cents - (settled.parties.get(partyId) ?? 0)] as const,
  )
  return { ownerCents: open - held, heldCents: held, parties: new Map(parties.filter(([, cents]) => cents !== 0)) }
}
