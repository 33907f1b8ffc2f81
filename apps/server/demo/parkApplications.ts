import { sql } from 'kysely'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { Kit } from '#kit/kit.ts'

/** Parking spots are requested where riders leave vehicles and no other spot is near. */
const nearM = 45
const radiusM = 25
/** About as wide as the requested circle, in degrees. */
const cell = 0.0004

/**
 * Moves the demo's undecided parking spot requests to where most past rides have ended outside of a parking spot.
 * Requests that are at such a position already stay. Returns how many moved.
 */
export function moveParkApplications({ db }: Pick<Kit, 'db'>): Promise<number> {
  return db.system(async (tx) => {
    const metres = (aLat: string, aLng: string, bLat: string, bLng: string) =>
      sql.raw(
        `sqrt(power((${aLat} - ${bLat}) * ${metresPerDegree}, 2) + power((${aLng} - ${bLng}) * ${metresPerDegree} * cos(radians(${bLat})), 2))`,
      )
    const { rows } = await sql`
      with request as (
        select p.id, p.agent_id, p.area_id, row_number() over (partition by p.area_id order by p.id) as place
        from park_application p
        where p.state = 'waiting' and not exists (
          select from trip t where t.agent_id = p.agent_id and t.area_id = p.area_id and t.end_lat is not null
            and ${metres('t.end_lat', 't.end_lng', 'p.lat', 'p.lng')} <= p.radius_m)
      ), spot as (
        select t.agent_id, t.area_id, avg(t.end_lat) as lat, avg(t.end_lng) as lng, count(*) as ends,
          row_number() over (partition by t.area_id order by count(*) desc, min(t.id)) as place
        from trip t
        where t.end_lat is not null and t.area_id in (select area_id from request) and not exists (
          select from fence f where f.agent_id = t.agent_id and f.area_id = t.area_id and f.kind <> 'service_area'
            and f.valid_to is null
            and ${metres('t.end_lat', 't.end_lng', 'f.centre_lat', 'f.centre_lng')} <= coalesce(f.radius_m, 0) + ${nearM})
        group by t.agent_id, t.area_id, floor(t.end_lat / ${cell}::float8), floor(t.end_lng / ${cell}::float8)
      )
      update park_application p set lat = s.lat, lng = s.lng, radius_m = ${radiusM}
      from request w join spot s on s.area_id = w.area_id and s.place = w.place
      where p.id = w.id returning p.id`.execute(tx)
    return rows.length
  })
}
