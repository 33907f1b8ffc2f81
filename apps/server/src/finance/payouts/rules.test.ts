import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settleShare } from '../splits/settleRules.ts'
import { centsOf, follow, within, type BookEvent, type Piece } from './rules.ts'

const day = (entryNumber: number, name: string, ownerCents: number, repaidCents = 0, reservedCents = 0): BookEvent => ({
  entryNumber,
  reference: `split-day:${name}`,
  cents: Math.max(0, ownerCents) - Math.max(0, repaidCents) - reservedCents,
  settled: { day: name, ownerCents, repaidCents, reservedCents },
})
const moved = (entryNumber: number, reference: string, cents: number): BookEvent => ({
  entryNumber,
  reference,
  cents,
  settled: null,
})
const brief = (pieces: readonly Piece[] | undefined) =>
  pieces?.map(({ day: of, from, cents, isOfReserve }) => [of, from, cents, ...(isOfReserve ? ['reserve'] : [])])

describe('follow', () => {
  it('takes the oldest cents first, and after repaid debts and the reserve', () => {
    const { taken, available, reserved, repaid } = follow([
      day(1, 'd1', 100, 10, 20),
      day(2, 'd2', 50),
      moved(3, 'withdrawal:1', -80),
      day(4, 'd3', 30),
    ])
    expect(brief(taken.get('withdrawal:1'))).toEqual([
      ['d1', 30, 70],
      ['d2', 0, 10],
    ])
    expect(brief(repaid)).toEqual([['d1', 0, 10]])
    expect(brief(reserved)).toEqual([['d1', 10, 20]])
    expect(brief(available)).toEqual([
      ['d2', 10, 40],
      ['d3', 0, 30],
    ])
  })

  it('puts what comes back to the front, its end first', () => {
    const { taken, available } = follow([
      day(1, 'd1', 100),
      moved(2, 'withdrawal:1', -60),
      moved(3, 'withdrawal:1', 60),
      moved(4, 'charge-note:1', -30),
      moved(5, 'charge-note:1', 10),
      moved(6, 'withdrawal:2', -20),
    ])
    expect(brief(taken.get('withdrawal:1'))).toEqual([])
    expect(brief(taken.get('charge-note:1'))).toEqual([['d1', 0, 20]])
    expect(brief(taken.get('withdrawal:2'))).toEqual([
      ['d1', 20, 10],
      ['d1', 30, 10],
    ])
    expect(centsOf(available)).toBe(60)
  })

  it('goes on with a day that was settled in parts, and names what came out of the reserve', () => {
    const { available } = follow([day(1, 'd1', 100, 0, 40), day(2, 'd2', 10, 0, -25), day(3, 'd1', 5)])
    expect(brief(available)).toEqual([
      ['d1', 40, 60],
      ['d2', 0, 10],
      ['d1', 0, 25, 'reserve'],
      ['d1', 100, 5],
    ])
  })

  it('keeps every cent in one place, over random books', () => {
    const step = fc.oneof(
      fc.record({
        of: fc.constant('day' as const),
        cents: fc.integer({ min: -300, max: 2_000 }),
        reserve: fc.nat(500),
      }),
      fc.record({ of: fc.constant('withdraw' as const), share: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ of: fc.constant('return' as const), pick: fc.nat(20) }),
      fc.record({ of: fc.constant('by hand' as const), cents: fc.integer({ min: 1, max: 400 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const book = { available: 0, reserved: 0, owed: 0 }
        const open: { reference: string; cents: number }[] = []
        const settled = new Map<string, number>()
        const events: BookEvent[] = []
        for (const [index, one] of steps.entries()) {
          const entryNumber = index + 1
          if (one.of === 'day') {
            const name = `d${index % 7}`
            const owner = (settled.get(name) ?? 0) > 0 ? Math.abs(one.cents) : one.cents
            const share = settleShare(owner, {
              owedCents: book.owed,
              reservedCents: book.reserved,
              reserveCents: one.reserve,
            })
            settled.set(name, (settled.get(name) ?? 0) + Math.max(0, owner))
            book.available += share.availableCents
            book.reserved += share.reservedCents
            book.owed -= share.repaidCents
            const { cents: ownerCents, repaidCents, reservedCents } = share
            events.push({
              entryNumber,
              reference: `split-day:${name}`,
              cents: share.availableCents,
              settled: { day: name, ownerCents, repaidCents, reservedCents },
            })
          } else if (one.of === 'withdraw') {
            const cents = Math.floor((book.available * one.share) / 100)
            if (cents === 0) continue
            book.available -= cents
            open.push({ reference: `withdrawal:${index}`, cents })
            events.push(moved(entryNumber, `withdrawal:${index}`, -cents))
          } else if (one.of === 'return') {
            const [back] = open.splice(one.pick % Math.max(1, open.length), 1)
            if (back === undefined) continue
            book.available += back.cents
            events.push(moved(entryNumber, back.reference, back.cents))
          } else {
            book.available += one.cents
            events.push(moved(entryNumber, 'by hand', one.cents))
          }
        }
        const { available, reserved, repaid, taken } = follow(events)
        expect(centsOf(available)).toBe(book.available)
        expect(centsOf(reserved)).toBe(book.reserved)
        for (const { reference, cents } of open) expect(centsOf(taken.get(reference) ?? [])).toBe(cents)
        // Every cent of every day is in exactly one place.
        const all = [...available, ...reserved, ...repaid, ...[...taken.values()].flat()]
        for (const [name, cents] of settled) {
          const places = all.filter((piece) => piece.day === name).toSorted((a, b) => a.from - b.from)
          let at = 0
          for (const piece of places) {
            expect(piece.from).toBe(at)
            at += piece.cents
          }
          expect(at).toBe(cents)
          expect(centsOf(within(all, { day: name, from: 0, to: cents }))).toBe(cents)
        }
        expect(follow(events)).toEqual(follow(events))
      }),
      { numRuns: 2_000 },
    )
  })
})
