import { sql, type RawBuilder } from 'kysely'

/** The columns of the sums of trips `t` that began in a span. */
interface TripSums {
  readonly trips: RawBuilder<unknown>
  readonly ridden: RawBuilder<unknown>
  readonly rideSeconds: RawBuilder<unknown>
  readonly distanceM: RawBuilder<unknown>
}

/**
 * How trips are counted, wherever figures of them are made: a day's, those of a part of it, and those of today. A trip that runs is
 * ridden until `until`; its metres count once it has ended.
 */
export function tripSums({ until, endedBy }: { readonly until: Date; readonly endedBy?: Date }): TripSums {
  const ended = endedBy === undefined ? sql`` : sql`filter (where t.ended_at <= ${endedBy})`
  return {
    trips: sql`count(*)`,
    ridden: sql`count(distinct t.vehicle_id)`,
    rideSeconds: sql`coalesce(sum(extract(epoch from least(coalesce(t.ended_at, ${until}), ${until}) - t.started_at)), 0)::bigint`,
    distanceM: sql`coalesce(sum(t.distance_m) ${ended}, 0)`,
  }
}
