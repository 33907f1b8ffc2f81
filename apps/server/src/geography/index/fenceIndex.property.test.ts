import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { boundaryProblem } from '@saddle/contract/organisation/boundary.ts'
import { testDatabase } from '#test/database.ts'
import { createFenceIndex, type IndexedShape } from './fenceIndex.ts'

const { owner } = await testDatabase()

type Ring = [number, number][]
/** Whole numbers: PostgreSQL compares places to a millionth, so that nothing may come nearer than that without touching. */
const span = 60
const whole = fc.integer({ min: -span, max: span })

/** Corners in turn around the middle of them: a line that does not cross itself, as every fence has to be. */
const ring = fc
  .uniqueArray(fc.tuple(whole, whole), { minLength: 3, maxLength: 24, selector: String })
  .map((corners): Ring => {
    const middle = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length
    const [x, y] = [middle(0), middle(1)]
    const turn = ([px, py]: [number, number]) => Math.atan2(py - y, px - x)
    const round = corners.toSorted((one, other) => turn(one) - turn(other))
    return round.concat([round[0]!])
  })
  .filter((corners) => [null, 'large'].includes(boundaryProblem(corners)))
const polygon = fc.record({ ring, holes: fc.array(ring, { maxLength: 3 }) })

/** Anywhere, on corners, and on the middles of edges. */
function placesOf({ ring: outline, holes }: { ring: Ring; holes: Ring[] }, others: Ring): Ring {
  const lines = [outline, ...holes]
  const middles = lines.flatMap((line) =>
    line.slice(1).map(([x, y], at): [number, number] => [(x + line[at]![0]) / 2, (y + line[at]![1]) / 2]),
  )
  return [...others, ...lines.flat(), ...middles]
}

const polygonText = (line: Ring): string =>
  `(${line
    .slice(0, -1)
    .map(([x, y]) => `(${x},${y})`)
    .join(',')})`

/** As PostgreSQL sees it: within the outline, its line included, and not within a hole, its line excepted. */
async function askPostgres({ ring: outline, holes }: { ring: Ring; holes: Ring[] }, places: Ring): Promise<boolean[]> {
  const edges = holes.flatMap((hole) =>
    hole.slice(1).map((to, at) => ({ hole: polygonText(hole), from: hole[at]!, to })),
  )
  const { rows } = await sql<{ inside: boolean }>`
    with place as (
      select n, point(x, y) as at from unnest(${places.map(([x]) => x)}::float8[], ${places.map(([, y]) => y)}::float8[])
        with ordinality as p (x, y, n)
    ), hole as (
      select shape::polygon from unnest(${holes.map(polygonText)}::text[]) as h (shape)
    ), edge as (
      select shape, lseg(point(x1, y1), point(x2, y2)) as line from unnest(
        ${edges.map((edge) => edge.hole)}::text[], ${edges.map(({ from }) => from[0])}::float8[],
        ${edges.map(({ from }) => from[1])}::float8[], ${edges.map(({ to }) => to[0])}::float8[],
        ${edges.map(({ to }) => to[1])}::float8[]) as e (shape, x1, y1, x2, y2)
    )
    select ${polygonText(outline)}::polygon @> place.at and not exists (
      select from hole where hole.shape @> place.at and not exists (
        select from edge where edge.shape::polygon ~= hole.shape and (place.at <-> edge.line) < 1e-7
      )
    ) as inside from place order by n`.execute(owner)
  return rows.map(({ inside }) => inside)
}

const indexed = (shape: IndexedShape, places: Ring): boolean[] => {
  const index = createFenceIndex([shape])
  return places.map(([x, y]) => {
    let isInside = false
    index.visit(x, y, () => (isInside = true))
    return isInside
  })
}

it('says of every place what PostgreSQL says, on lines and corners too, with holes', async () => {
  await fc.assert(
    fc.asyncProperty(
      polygon,
      fc.array(fc.tuple(whole, whole), { minLength: 20, maxLength: 60 }),
      async (shape, more) => {
        const places = placesOf(shape, more)
        expect(indexed(shape, places)).toEqual(await askPostgres(shape, places))
      },
    ),
    { numRuns: 80 },
  )
})

it('finds among many what each of them says alone, whatever their sizes', () => {
  const size = fc.double({ min: 0.0002, max: 3, noNaN: true })
  const centre = fc.tuple(fc.double({ min: 119, max: 122, noNaN: true }), fc.double({ min: 30, max: 33, noNaN: true }))
  const shape = fc
    .tuple(centre, size, fc.integer({ min: 3, max: 40 }), fc.boolean())
    .map(([[lng, lat], radius, corners, isCircle]): IndexedShape => {
      if (isCircle) return { centre: { lat, lng }, radiusM: radius * 10_000 }
      const outline = Array.from({ length: corners }, (_, at): [number, number] => {
        const angle = (at / corners) * 2 * Math.PI
        const away = radius * (at % 2 === 0 ? 1 : 0.4)
        return [lng + away * Math.cos(angle), lat + away * Math.sin(angle)]
      })
      return { ring: [...outline, outline[0]!] }
    })
  fc.assert(
    fc.property(
      fc.array(shape, { maxLength: 60 }),
      fc.array(centre, { minLength: 30, maxLength: 30 }),
      (shapes, places) => {
        const index = createFenceIndex(shapes)
        for (const [lng, lat] of places) {
          const found: number[] = []
          index.visit(lng, lat, (at) => found.push(at))
          const each = shapes.flatMap((one, at) => (indexed(one, [[lng, lat]])[0] ? [at] : []))
          expect(found.toSorted((a, b) => a - b)).toEqual(each)
        }
      },
    ),
    { numRuns: 30 },
  )
})
