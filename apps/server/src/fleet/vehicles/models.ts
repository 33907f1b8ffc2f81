import { sql } from 'kysely'
import type { DeviceProfile } from '@saddle/contract/fleet/deviceProfiles.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics, type ModelChangedMessage } from '../messages.ts'

export type ModelKey = { readonly model: string; readonly protocol: DeviceProtocol }

/** What is stored of a model; `profile` as it was written, which an older version may have done. */
const modelRow = rowOf('vehicle_model', ['name', 'protocol', 'profile', 'version', 'changed_at', 'changed_by_name'])
export type ModelRow = RowOf<typeof modelRow>

type Change = ModelKey & {
  /** Null: the model has none any more. */
  readonly profile: DeviceProfile | null
  readonly version: number
  readonly by: { readonly id: number; readonly name: string }
}

/** Profiles of models. They are the platform's, for every company: callers check who asks. */
export type Models = {
  /** The stored profiles of these models. */
  profilesOf(models: readonly ModelKey[]): Promise<ModelRow[]>
  /** One of them, held until the end of a transaction of the system. */
  lockProfile(tx: Tx, key: ModelKey): Promise<ModelRow | undefined>
  /** Stores or removes the profile of a model in a transaction of the system; its devices follow it after the commit. */
  setProfile(tx: Tx, change: Change): Promise<void>
}

export function createModels(kit: Pick<Kit, 'db' | 'clock' | 'bus'>): Models {
  return {
    profilesOf: (models) =>
      kit.db.systemRead((kysely) =>
        modelRow.select`
          from vehicle_model
          where (name, protocol) in (select * from unnest(${models.map(({ model }) => model)}::text[],
            ${models.map(({ protocol }) => protocol)}::text[]))`.compile(kysely),
      ),

    async lockProfile(tx, { model, protocol }) {
      // Of two who set a model for the first time there is no row to wait for.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`vehicle_model ${protocol} ${model}`}, 0))`.execute(tx)
      const { rows } = await sql<ModelRow>`
        select name, protocol, profile, version, changed_at, changed_by_name from vehicle_model
        where name = ${model} and protocol = ${protocol} for update`.execute(tx)
      return rows[0]
    },

    async setProfile(tx, { model, protocol, profile, version, by }) {
      if (profile === null) {
        await sql`delete from vehicle_model where name = ${model} and protocol = ${protocol}`.execute(tx)
      } else {
        const at = new Date(kit.clock.now())
        await sql`
          insert into vehicle_model (name, protocol, profile, version, changed_at, changed_by, changed_by_name)
          values (${model}, ${protocol}, ${JSON.stringify(profile)}::jsonb, ${version}, ${at}::timestamptz, ${by.id},
            ${by.name})
          on conflict (name, protocol) do update set profile = excluded.profile, version = excluded.version,
            changed_at = excluded.changed_at, changed_by = excluded.changed_by,
            changed_by_name = excluded.changed_by_name`.execute(tx)
      }
      const message: ModelChangedMessage = { model, protocol }
      kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.modelChanged, message))
    },
  }
}
