import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GiftLot } from '#finance/public.ts'
import { payByGifts } from './gifts.ts'

const at = 100
const anyLots: fc.Arbitrary<GiftLot[]> = fc
  .array(
    fc.record({
      openCents: fc.integer({ min: 1, max: 500 }),
      endsAt: fc.option(fc.integer({ min: 98, max: 103 }), { nil: null }),
      areaIds: fc.subarray([31, 32]),
      bearer: fc.constantFrom('company' as const, 'platform' as const, 'partner' as const),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((one, index) => Object.assign({ id: index + 1, name: 'gift', activityId: null }, one)))
const anyLeft = fc.integer({ min: 0, max: 3_000 })
const holds = ({ endsAt, areaIds }: GiftLot): boolean =>
  (endsAt === null || endsAt > at) && (areaIds.length === 0 || areaIds.includes(31))

it('gift balance pays all it can, never more than is left, and of no lot more than it has', () => {
  fc.assert(
    fc.property(anyLots, anyLeft, (lots, leftCents) => {
      const { parts, cents, skipped } = payByGifts({ leftCents, areaId: 31, at }, lots)
      const open = lots.filter(holds).reduce((sum, { openCents }) => sum + openCents, 0)
      expect(cents).toBe(Math.min(leftCents, open))
      expect(cents).toBe(parts.reduce((sum, part) => sum + part.cents, 0))
      for (const part of parts) {
        const lot = lots.find(({ id }) => id === part.lotId)!
        expect(holds(lot)).toBe(true)
        expect(part.cents).toBeGreaterThan(0)
        expect(part.cents).toBeLessThanOrEqual(lot.openCents)
      }
      expect([...parts.map(({ lotId }) => lotId), ...skipped.map(({ id }) => id)].toSorted()).toEqual(
        lots.map(({ id }) => id),
      )
    }),
  )
})

it('lots that end first pay first, whatever the order in which they are held', () => {
  fc.assert(
    fc.property(anyLots, anyLeft, fc.func(fc.integer()), (lots, leftCents, rank) => {
      const asked = { leftCents, areaId: 31, at }
      const { parts } = payByGifts(asked, lots)
      expect(
        payByGifts(
          asked,
          lots.toSorted((a, b) => rank(a.id) - rank(b.id)),
        ).parts,
      ).toEqual(parts)
      const endOf = (id: number): number => lots.find((lot) => lot.id === id)?.endsAt ?? Infinity
      const paying = parts.map(({ lotId }) => endOf(lotId))
      expect(paying).toEqual(paying.toSorted((a, b) => a - b))
      // Of a lot that does not pay, none that ends later pays.
      const last = Math.max(-Infinity, ...paying)
      const idle = lots.filter((lot) => holds(lot) && !parts.some(({ lotId }) => lotId === lot.id))
      if (parts.length > 0) for (const lot of idle) expect(lot.endsAt ?? Infinity).toBeGreaterThanOrEqual(last)
    }),
  )
})
