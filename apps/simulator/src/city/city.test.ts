import {
  demoAgents,
  demoAreas,
  demoCity,
  demoImei,
  demoVehicleNumber,
  demoVehicles,
} from '@saddle/contract/demo/city.ts'
import { demoFences } from '@saddle/contract/demo/fences.ts'
import { describe, expect, it } from 'vitest'
import { createRandom } from '#sim/random.ts'
import { makeAreaRings, makeKerbs } from './areas.ts'
import { cityFrame, makeCity } from './city.ts'
import { makeNoStopZones, nameParking, parkingPerArea } from './fences.ts'
import { cityCentre, distance, distanceTo, inside, lengthOf, toLngLat, toPoint, type Point } from './geometry.ts'
import { createRouter, makeRoute, placeOn } from './routing.ts'

const city = makeCity()
const rounded = (ring: readonly (readonly number[])[]) =>
  ring.map((point) => point.map((value) => Number(value.toFixed(5))))

describe('makeCity', () => {
  it('gives the same city for the same seed and another for another', () => {
    const again = makeCity(city.seed)
    expect(again.net).toEqual(city.net)
    expect(again.buildings).toEqual(city.buildings)
    expect(makeCity(city.seed + 1).net).not.toEqual(city.net)
  })

  it('has streets of every class, with names, that hang together', () => {
    const classes = new Set(city.net.streets.map(({ roadClass }) => roadClass))
    expect([...classes].toSorted()).toEqual(['path', 'primary', 'residential', 'secondary', 'tertiary', 'trunk'])
    expect(city.net.streets.filter(({ name, roadClass }) => name === '' && roadClass !== 'path')).toEqual([])
    expect(new Set(city.net.streets.map(({ name }) => name)).size).toBeGreaterThan(100)

    const reached = new Set([0])
    for (let grown = true; grown;) {
      grown = false
      for (const { from, to } of city.net.streets) {
        if (reached.has(from) === reached.has(to)) continue
        reached.add(from).add(to)
        grown = true
      }
    }
    expect(reached.size).toBe(city.net.nodes.length)
  })

  it('crosses the river on bridges of large roads only, and no lake at all', () => {
    const { river, lakes } = city.nature
    const wet = city.net.streets.filter(({ points }) => points.some((point) => inside(point, river)))
    expect(wet.length).toBeGreaterThan(5)
    for (const { roadClass } of wet) expect(['primary', 'secondary', 'trunk']).toContain(roadClass)
    const drowned = city.net.streets.filter(({ points }) =>
      points.some((point) => lakes.some(({ ring }) => inside(point, ring))),
    )
    expect(drowned).toEqual([])
  })

  it('builds no house in the water', () => {
    const { river, lakes } = city.nature
    expect(city.buildings.length).toBeGreaterThan(3000)
    const wet = (corner: Point) => inside(corner, river) || lakes.some((lake) => inside(corner, lake.ring))
    expect(city.buildings.filter(({ ring }) => ring.some(wet))).toEqual([])
  })
})

describe('the contract’s demo data', () => {
  const rings = makeAreaRings(city.plan)

  it('is what the city says', () => {
    expect(demoCity.centre).toEqual(cityCentre)
    const [west, south] = toLngLat(cityFrame[0]!)
    const [east, north] = toLngLat(cityFrame[2]!)
    expect(demoCity.bounds).toEqual({ west, south, east, north })
    for (const [index, area] of demoAreas.entries()) {
      expect(area.ring).toEqual(rounded(rings[index]!))
      const ring = rings[index]!.map(([lng, lat]) => toPoint({ lng, lat }))
      const kerbs = makeKerbs({ city, ring, count: parkingPerArea, seed: 100 + index })
      expect(area.kerbs).toEqual(rounded(kerbs.map(({ lng, lat, headingDeg }) => [lng, lat, headingDeg])))
    }
  })

  it('has six areas that are closed, do not overlap and belong to three franchisees', () => {
    expect(demoAreas).toHaveLength(6)
    expect(new Set(demoAreas.map(({ agentKey }) => agentKey))).toEqual(new Set(demoAgents.map(({ key }) => key)))
    const shapes = demoAreas.map(({ ring }) => ring.map(([lng, lat]) => toPoint({ lng, lat })))
    for (const { ring } of demoAreas) expect(ring.at(-1)).toEqual(ring[0])
    const random = createRandom(7)
    const points = Array.from(
      { length: 4000 },
      () => [random.between(-8000, 8000), random.between(-6000, 6000)] as const,
    )
    expect(points.filter((point) => shapes.filter((ring) => inside(point, ring)).length > 1)).toEqual([])
  })

  it('has the parking places and no-stop zones that the city says', () => {
    const shapes = rings.map((ring) => ring.map(([lng, lat]) => toPoint({ lng, lat })))
    const parking = demoFences.filter(({ kind }) => kind === 'parking')
    const names = shapes.flatMap((ring, index) =>
      nameParking(city, makeKerbs({ city, ring, count: parkingPerArea, seed: 100 + index })),
    )
    expect(parking.map(({ name }) => name)).toEqual(names)
    const zones = demoFences.filter(({ kind }) => kind === 'no_stop')
    expect(zones.map(({ name, areaIndex, ring }) => ({ name, areaIndex, ring: rounded(ring!) }))).toEqual(
      makeNoStopZones(city, shapes).map((zone) => Object.assign({}, zone, { ring: rounded(zone.ring) })),
    )
    for (const { ring } of zones) {
      const shape = ring!.map(([lng, lat]) => toPoint({ lng, lat }))
      expect(parking.filter(({ centre }) => inside(toPoint(centre), shape))).toEqual([])
    }
    for (const [index] of demoAreas.entries()) {
      const own = parking.filter(({ areaIndex }) => areaIndex === index)
      expect(own).toHaveLength(parkingPerArea)
      expect(new Set(own.map(({ name }) => name)).size).toBe(parkingPerArea)
    }
  })

  it('speaks all protocols in every area and with every model', () => {
    const kinds = new Set(
      demoVehicles(600).map(({ areaIndex, model, protocol }) => `${areaIndex} ${model} ${protocol}`),
    )
    expect(kinds.size).toBe(6 * 2 * 3)
  })

  it('numbers vehicles and gives each a valid IMEI of its own', () => {
    expect(demoVehicleNumber(0)).toBe('SD100001')
    const imeis = Array.from({ length: 3000 }, (_, index) => demoImei(index))
    expect(new Set(imeis).size).toBe(3000)
    for (const imei of imeis) {
      expect(imei).toMatch(/^86\d{13}$/)
      const sum = imei.split('').reduce((total, digit, place) => {
        const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
        return total + (value > 9 ? value - 9 : value)
      }, 0)
      expect(sum % 10).toBe(0)
    }
  })

  it('parks vehicles at the side of a street of their own area', () => {
    const vehicles = demoVehicles(240)
    expect(vehicles).toHaveLength(240)
    expect(demoVehicles(10)).toEqual(vehicles.slice(0, 10))
    expect(new Set(vehicles.map(({ lat, lng }) => `${lat},${lng}`)).size).toBe(240)
    for (const vehicle of vehicles) {
      const area = demoAreas[vehicle.areaIndex]!
      const place = toPoint(vehicle)
      expect(vehicle.agentKey).toBe(area.agentKey)
      expect(
        inside(
          place,
          area.ring.map(([lng, lat]) => toPoint({ lng, lat })),
        ),
      ).toBe(true)
      const apart = Math.min(...city.net.streets.map(({ points }) => distanceTo(place, points)))
      expect(apart).toBeGreaterThan(4)
      expect(apart).toBeLessThan(9)
    }
  })
})

describe('routing', () => {
  const router = createRouter(city.net)

  it('finds ways along the streets, close to the beeline, between any junctions', () => {
    const random = createRandom(11)
    for (let i = 0; i < 200; i++) {
      const [from, to] = [random.below(city.net.nodes.length), random.below(city.net.nodes.length)]
      const route = router.between(from, to)!
      const beeline = distance(city.net.nodes[from]!, city.net.nodes[to]!)
      expect(route.lengthM).toBeGreaterThanOrEqual(beeline - 1)
      expect(route.lengthM).toBeLessThan(beeline * 2.2 + 2500)
      if (from !== to) {
        expect(route.points[0]).toEqual(city.net.nodes[from])
        expect(route.points.at(-1)).toEqual(city.net.nodes[to])
      }
      expect(route.lengthM).toBeCloseTo(lengthOf(route.points), 3)
    }
  })

  it('finds the cheapest way: no detour through a third junction is cheaper', () => {
    // On a net of equal streets the cost is the length, so the triangle rule must hold.
    const streets = city.net.streets.map((street) => Object.assign({}, street, { roadClass: 'secondary' as const }))
    const even = createRouter({ nodes: city.net.nodes, streets })
    const random = createRandom(12)
    const any = () => random.below(city.net.nodes.length)
    for (let i = 0; i < 60; i++) {
      const [a, b, c] = [any(), any(), any()]
      const direct = even.between(a, c)!.lengthM
      expect(direct).toBeLessThanOrEqual(even.between(a, b)!.lengthM + even.between(b, c)!.lengthM + 0.5)
      expect(even.between(c, a)!.lengthM).toBeCloseTo(direct, 0)
    }
  })

  it('leads from kerb to kerb without leaving the streets', () => {
    const homes = demoVehicles(60)
    for (let i = 0; i + 6 < homes.length; i++) {
      const [from, to] = [toPoint(homes[i]!), toPoint(homes[i + 6]!)]
      const route = router.route(from, to)!
      expect(distance(placeOn(route, 0).point, from)).toBeLessThan(0.01)
      expect(distance(placeOn(route, route.lengthM).point, to)).toBeLessThan(0.01)
      for (let metres = 0; metres < route.lengthM; metres += 25) {
        const { point } = placeOn(route, metres)
        const near = city.net.streets.some(
          ({ points }) => Math.abs(points[0]![0] - point[0]) < 1500 && distanceTo(point, points) < 7.5,
        )
        expect(near).toBe(true)
      }
    }
  })

  it('says that there is no way instead of searching on', () => {
    const lonely = createRouter({
      nodes: [
        [0, 0],
        [10, 0],
      ],
      streets: [],
    })
    expect(lonely.between(0, 1)).toBeNull()
  })

  it('places a vehicle on its way', () => {
    const route = makeRoute([
      [0, 0],
      [0, 0],
      [0, 100],
      [50, 100],
    ])
    expect(route.lengthM).toBe(150)
    expect(placeOn(route, 40)).toEqual({ point: [0, 40], headingDeg: 0 })
    expect(placeOn(route, 40, 3)).toEqual({ point: [3, 40], headingDeg: 0 })
    expect(placeOn(route, 125)).toEqual({ point: [25, 100], headingDeg: 90 })
    expect(placeOn(route, -5).point).toEqual([0, 0])
    expect(placeOn(route, 999).point).toEqual([50, 100])
  })
})
