import type { TrackPoint } from '@saddle/contract/telemetry/track.ts'
import { toLngLat, type Point } from '#sim/city/geometry.ts'
import { placeOnWay, type Ride } from '#sim/life/ride.ts'
import { percentFor } from '#sim/life/world.ts'
import { childSeed, createRandom } from '#sim/random.ts'

/** Position error of satellites, in metres. */
const noiseM = 2.2

/** What a device would have reported of a ride between two moments; both ends are in it. */
export function trackOf(ride: Ride, fromMs: number, toMs: number): TrackPoint[] {
  const { way, startMs, startBattery } = ride
  const noise = createRandom(childSeed(ride.number, 77))
  const [from, to] = [(fromMs - startMs) / 1000, (toMs - startMs) / 1000]
  const points: TrackPoint[] = []
  const add = (seconds: number, [x, y]: Point, movedM: number) => {
    const [lng, lat] = toLngLat([x + noise.between(-noiseM, noiseM), y + noise.between(-noiseM, noiseM)])
    points.push({
      at: startMs + seconds * 1000,
      lat,
      lng,
      batteryPercent: Math.max(0, startBattery - percentFor(movedM)),
      locked: false,
      unsure: false,
    })
  }
  const edge = (seconds: number) => {
    const { point, movedM } = placeOnWay(way, seconds)
    add(seconds, point, movedM)
  }
  edge(from)
  for (let index = 0; index < way.atS.length; index++) {
    const seconds = way.atS[index] ?? 0
    if (seconds <= from) continue
    if (seconds >= to) break
    add(seconds, [way.x[index] ?? 0, way.y[index] ?? 0], way.movedM[index] ?? 0)
  }
  edge(to)
  return points
}
