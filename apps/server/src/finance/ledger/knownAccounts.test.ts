import { expect, it } from 'vitest'
import { createKnownAccounts } from './knownAccounts.ts'

it('knows accounts apart by agent, kind and owner', () => {
  const known = createKnownAccounts(10)
  known.keep(1, { kind: 'rider_balance', ownerId: 7 }, 1_001)
  known.keep(2, { kind: 'rider_balance', ownerId: 7 }, 1_002)
  known.keep(1, { kind: 'rider_gift', ownerId: 7 }, 1_003)
  known.keep(1, { kind: 'agent_revenue' }, 1_004)
  expect(known.get(1, { kind: 'rider_balance', ownerId: 7 })).toBe(1_001)
  expect(known.get(2, { kind: 'rider_balance', ownerId: 7 })).toBe(1_002)
  expect(known.get(1, { kind: 'rider_gift', ownerId: 7 })).toBe(1_003)
  expect(known.get(1, { kind: 'agent_revenue', ownerId: 0 })).toBe(1_004)
  expect(known.get(1, { kind: 'rider_balance', ownerId: 8 })).toBeUndefined()
  expect(known.get(2, { kind: 'agent_revenue' })).toBeUndefined()
})

it('begins anew when it is full', () => {
  const known = createKnownAccounts(2)
  const account = (ownerId: number) => ({ kind: 'rider_balance', ownerId }) as const
  known.keep(1, account(1), 11)
  known.keep(1, account(1), 11)
  known.keep(1, account(2), 12)
  expect(known.get(1, account(1))).toBe(11)
  known.keep(1, account(3), 13)
  expect(known.get(1, account(1))).toBeUndefined()
  expect(known.get(1, account(3))).toBe(13)
})
