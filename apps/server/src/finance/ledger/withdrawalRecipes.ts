import type { Entry, Line } from './rules.ts'

/** What a bank did after it had reported the end of a withdrawal; `bankAt` of its report tells one time from another. */
type AfterTheEnd = {
  readonly agentId: number
  readonly withdrawalId: number
  readonly at: number
  readonly cents: number
  readonly feeCents: number
  readonly bankAt: number
  readonly reason: string
}

const entry = (
  input: AfterTheEnd,
  kind: 'withdrawal_paid' | 'withdrawal_returned',
  key: string,
  lines: Line[],
): Entry => ({
  agentId: input.agentId,
  kind,
  reference: `withdrawal:${input.withdrawalId}`,
  key: `${key}:${input.bankAt}`,
  occurredAt: input.at,
  memo: input.reason,
  lines: lines.filter(({ amountCents }) => amountCents !== 0),
})

/** The bank of the card has sent a paid withdrawal back: the company has it again, and its fee. */
export function withdrawalReversed(input: AfterTheEnd): Entry {
  const { cents, feeCents } = input
  return entry(input, 'withdrawal_returned', 'reversed', [
    { account: { kind: 'clearing_bank' }, amountCents: feeCents - cents },
    { account: { kind: 'platform_fee' }, amountCents: -feeCents },
    { account: { kind: 'agent_available' }, amountCents: cents },
  ])
}

/** The bank has paid what it had called failed, and the company has it as balance: open until it is settled with the bank. */
export function withdrawalPaidAfterReturn(input: AfterTheEnd): Entry {
  const { cents, feeCents } = input
  return entry(input, 'withdrawal_paid', 'paid_after_return', [
    { account: { kind: 'adjustment' }, amountCents: feeCents - cents },
    { account: { kind: 'clearing_bank' }, amountCents: cents - feeCents },
  ])
}

/** And has taken it back after that. */
export function withdrawalPaidAfterReturnReversed(input: AfterTheEnd): Entry {
  const { cents, feeCents } = input
  return entry(input, 'withdrawal_returned', 'paid_after_return_reversed', [
    { account: { kind: 'clearing_bank' }, amountCents: feeCents - cents },
    { account: { kind: 'adjustment' }, amountCents: cents - feeCents },
  ])
}
