import { expect, it } from 'vitest'
import { alarmsAfter, maxOpenAlarms, wordOfPerson, type AlarmsEffect, type Levels, type Words } from './rules.ts'
import type { Zone } from './zones.ts'

const startMs = Date.UTC(2026, 10, 21)
const nothing: Levels = { battery: null, lock: null, place: null }
const at = (seconds: number) => startMs + seconds * 1_000
const place = (seconds: number, zone: Zone) => ({
  lat: { inside: 0, edge: 1, beyond: 2 }[zone],
  lng: 0,
  at: at(seconds),
})
const zones = (_: number, { lat }: { lat: number }) => (['inside', 'edge', 'beyond'] as const)[lat] ?? null

type Known = {
  open?: readonly string[]
  words?: Words
  before?: Partial<Levels>
  state?: 'available' | 'removed'
  lowBatteryBelow?: number
}

/** A vehicle of which a report at `second` says these names and levels. */
function hear(second: number, said: { names?: string[]; levels?: Partial<Levels> }, known: Known = {}): AlarmsEffect {
  const { open = [], words = {}, state = 'available', lowBatteryBelow } = known
  const before = { ...nothing, ...known.before }
  const levels = { ...nothing, ...said.levels }
  const newer = (key: keyof Levels) => ((levels[key]?.at ?? 0) >= (before[key]?.at ?? 0) ? levels[key] : before[key])
  const after = { battery: newer('battery'), lock: newer('lock'), place: newer('place') } as Levels
  const report = { occurredAt: at(second), receivedAt: at(second), names: said.names ?? [], levels }
  return alarmsAfter({ areaId: 31, lowBatteryBelow, state, open, words, before, after }, report, zones)
}
const turned = ({ changes }: AlarmsEffect) => changes.map(({ kind, change }) => `${kind} ${change}`)
const battery = (second: number, percent: number) => ({ battery: { percent, at: at(second) } })

it('a word opens, repeats and closes its alarm', () => {
  const first = hear(1, { names: ['fall'] })
  expect(first.changes).toEqual([{ kind: 'fall', at: at(1), change: 'open' }])
  const second = hear(2, { names: ['fall'] }, first)
  expect(turned(second)).toEqual(['fall again'])
  const third = hear(3, { names: ['fall_cleared', 'tamper_cleared'] }, second)
  expect([turned(third), third.open]).toEqual([['fall close'], []])
})

it('a word from before the latest one neither opens nor closes', () => {
  const cleared = hear(5, { names: ['fall_cleared'] })
  expect(turned(hear(4, { names: ['fall'] }, cleared))).toEqual([])
  const opened = hear(6, { names: ['fall'] }, cleared)
  expect(turned(hear(5, { names: ['fall_cleared'] }, opened))).toEqual([])
  expect(turned(hear(4, { names: ['fall'] }, opened))).toEqual(['fall again'])
})

it('a battery opens below 20 %, closes from 25 % on, and says nothing in between', () => {
  const low = hear(2, { levels: battery(2, 19.9) }, { before: battery(1, 20) })
  expect(turned(low)).toEqual(['low_battery open'])
  expect(turned(hear(3, { levels: battery(3, 18) }, { ...low, before: battery(2, 19.9) }))).toEqual([])
  const middle = hear(3, { levels: battery(3, 24.9) }, { ...low, before: battery(2, 19.9) })
  expect([turned(middle), middle.open]).toEqual([[], ['low_battery']])
  const full = hear(4, { levels: battery(4, 25) }, { ...middle, before: battery(3, 24.9) })
  expect([turned(full), full.words]).toEqual([['low_battery close'], {}])
  expect(turned(hear(3, { levels: battery(3, 10) }, { ...full, before: battery(4, 25) })), 'an old report').toEqual([])
})

it('a battery is low where its company has said, and recovers a little above', () => {
  const own = { lowBatteryBelow: 40 }
  const low = hear(2, { levels: battery(2, 39.9) }, { ...own, before: battery(1, 45) })
  expect(turned(low)).toEqual(['low_battery open'])
  const between = hear(3, { levels: battery(3, 44) }, { ...low, ...own, before: battery(2, 39.9) })
  expect(turned(between)).toEqual([])
  expect(turned(hear(4, { levels: battery(4, 45) }, { ...between, ...own, before: battery(3, 44) }))).toEqual([
    'low_battery close',
  ])
  expect(turned(hear(2, { levels: battery(2, 39.9) }, { before: battery(1, 45) }))).toEqual([])
})

it('a vehicle is outside from beyond the margin on until it is inside again', () => {
  const known = { before: { place: place(1, 'inside') } }
  expect(turned(hear(2, { levels: { place: place(2, 'edge') } }, known))).toEqual([])
  const out = hear(2, { levels: { place: place(2, 'beyond') } }, known)
  expect(turned(out)).toEqual(['outside_area open'])
  const edge = hear(3, { levels: { place: place(3, 'edge') } }, { ...out, before: { place: place(2, 'beyond') } })
  expect([turned(edge), edge.open]).toEqual([[], ['outside_area']])
  const inside = { levels: { place: place(4, 'inside') } }
  expect(turned(hear(4, inside, { ...edge, before: { place: place(3, 'edge') } }))).toEqual(['outside_area close'])
})

it('an open lock explains a movement, any word ends a silence', () => {
  const known = { open: ['illegal_movement', 'offline', 'fall'] }
  expect(hear(1, { levels: { lock: { locked: false, at: at(1) } } }, known).open).toEqual(['fall'])
  expect(hear(1, { levels: { lock: { locked: true, at: at(1) } } }, known).open).toEqual(['illegal_movement', 'fall'])
})

it('what a person closed stays closed while its reason lasts, and an event can happen again', () => {
  const words = { low_battery: wordOfPerson('low_battery', at(5)), fall: wordOfPerson('fall', at(5)) }
  const still = hear(6, { names: ['low_battery'], levels: battery(6, 9) }, { words, before: battery(4, 10) })
  expect(turned(still)).toEqual([])
  const charged = hear(7, { levels: battery(7, 90) }, { ...still, before: battery(6, 9) })
  const again = hear(8, { levels: battery(8, 19) }, { ...charged, before: battery(7, 90) })
  expect(turned(again)).toEqual(['low_battery open'])
  expect(turned(hear(4, { names: ['fall'] }, { words })), 'said before the person came').toEqual([])
  expect(turned(hear(6, { names: ['fall'] }, { words }))).toEqual(['fall open'])
})

it('a vehicle in the depot needs no battery', () => {
  const depot = { levels: { ...battery(1, 3), place: place(1, 'beyond') } }
  const known = hear(1, depot, { state: 'removed' })
  expect([turned(known), known.words]).toEqual([[], {}])
  expect(turned(hear(2, { levels: battery(2, 3) }, { ...known, before: battery(1, 3) }))).toEqual(['low_battery open'])
})

it('a device that invents alarms is stopped, and what follows by rule still opens', () => {
  const names = Array.from({ length: maxOpenAlarms + 5 }, (_, code) => `omni_${code}`)
  const effect = hear(1, { names, levels: battery(1, 5) })
  expect([effect.open.length, effect.refused]).toEqual([maxOpenAlarms + 1, 5])
  const many = Array.from({ length: 100 }, (_, code) => `x_${code}_cleared`)
  expect(Object.keys(hear(1, { names: many }).words)).toHaveLength(40)
  const old = 8 * 24 * 3_600
  expect(hear(old, {}, { words: { fall: -at(1) } }).words, 'too old to matter').toEqual({})
})
