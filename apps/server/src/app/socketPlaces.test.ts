import { describe, expect, it } from 'vitest'
import { createSocketPlaces, socketLimits } from './socketPlaces.ts'

const { unprovenPerAddress, perPerson, perAddress } = socketLimits

describe('places for sockets', () => {
  it('one that has not proved whose it is takes none that a person of another address needs', () => {
    const places = createSocketPlaces()
    const taken = Array.from({ length: 200 }, () => places.take('203.0.113.66')).filter((place) => place !== null)
    expect(taken).toHaveLength(unprovenPerAddress)
    expect(places.take('198.51.100.5')?.admit(1)).toBe(true)
    taken[0]?.leave()
    taken[0]?.leave()
    expect(places.take('203.0.113.66')).not.toBeNull()
    expect(places.take('203.0.113.66')).toBeNull()
  })

  it('all addresses of one IPv6 customer count as one', () => {
    const places = createSocketPlaces()
    for (let host = 1; host <= unprovenPerAddress; host += 1) {
      expect(places.take(`2001:db8:0:1::${host.toString(16)}`)).not.toBeNull()
    }
    expect(places.take('2001:db8:0:1:ffff::1')).toBeNull()
    expect(places.take('2001:db8:0:2::1')).not.toBeNull()
  })

  it('people behind one address are held to more, and each of them to a few', () => {
    const places = createSocketPlaces()
    const seats = Array.from({ length: perAddress }, (_, index) => {
      const place = places.take('198.51.100.5')
      expect(place?.admit(Math.floor(index / perPerson))).toBe(true)
      return place
    })
    expect(places.take('198.51.100.5')).toBeNull()
    const elsewhere = places.take('198.51.100.6')
    expect(elsewhere?.admit(0)).toBe(false)
    seats[0]?.leave()
    expect(elsewhere?.admit(0)).toBe(true)
    expect(places.take('198.51.100.5')).not.toBeNull()
  })
})
