import { demoFences, type DemoFence } from '@saddle/contract/demo/fences.ts'
import { sql } from 'kysely'
import { demoMetresPerDegree } from '@saddle/contract/demo/city.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import { demoServiceAreas } from './tenants.ts'

type Box = { west: number; south: number; east: number; north: number }

function boxOf({ ring, centre, radiusM }: DemoFence): Box {
  if (ring === null) {
    const lat = (radiusM ?? 0) / demoMetresPerDegree.lat
    const lng = (radiusM ?? 0) / demoMetresPerDegree.lng
    return { west: centre.lng - lng, south: centre.lat - lat, east: centre.lng + lng, north: centre.lat + lat }
  }
  const lngs = ring.map(([lng]) => lng)
  const lats = ring.map(([, lat]) => lat)
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

/** Puts the demo's parking places, no-stop zones and outlines of areas into force since then. */
export async function insertFences(tx: Tx, validFromMs: number): Promise<void> {
  const fences = demoFences.flatMap((fence) => {
    const area = demoServiceAreas[fence.areaIndex]
    return area === undefined ? [] : [{ ...fence, area, box: boxOf(fence) }]
  })
  const rows = unnest<(typeof fences)[number]>({
    rows: fences,
    alias: 'r',
    columns: {
      agent_id: ['bigint', (row) => row.area.agentId],
      area_id: ['bigint', (row) => row.area.id],
      kind: ['text', (row) => row.kind],
      name: ['text', (row) => row.name],
      ring: ['text', (row) => (row.ring === null ? null : JSON.stringify(row.ring))],
      centre_lat: ['float8', (row) => row.centre.lat],
      centre_lng: ['float8', (row) => row.centre.lng],
      radius_m: ['real', (row) => row.radiusM],
      capacity: ['integer', (row) => row.capacity],
      west: ['float8', (row) => row.box.west],
      south: ['float8', (row) => row.box.south],
      east: ['float8', (row) => row.box.east],
      north: ['float8', (row) => row.box.north],
    },
  })
  await sql`
    insert into fence (
      agent_id, area_id, kind, name, ring, centre_lat, centre_lng, radius_m, capacity, west, south, east, north,
      valid_from)
    select
      r.agent_id, r.area_id, r.kind, r.name, r.ring::jsonb, r.centre_lat, r.centre_lng, r.radius_m, r.capacity, r.west,
      r.south, r.east, r.north, ${new Date(validFromMs)}
    from ${rows} join service_area a on a.id = r.area_id and a.agent_id = r.agent_id
    on conflict do nothing`.execute(tx)
  await sql`
    insert into fence (
      agent_id, area_id, kind, name, ring, centre_lat, centre_lng, west, south, east, north, valid_from)
    select a.agent_id, a.id, 'service_area', a.name, a.ring, a.centre_lat, a.centre_lng, box.west, box.south, box.east,
      box.north, ${new Date(validFromMs)}
    from service_area a, lateral (
      select min((corner ->> 0)::float8) as west, max((corner ->> 0)::float8) as east,
        min((corner ->> 1)::float8) as south, max((corner ->> 1)::float8) as north
      from jsonb_array_elements(a.ring) as corner
    ) box
    where a.id = any (${demoServiceAreas.map(({ id }) => id)}::bigint[])
      and not exists (select from fence f where f.area_id = a.id and f.kind = 'service_area')`.execute(tx)
}
