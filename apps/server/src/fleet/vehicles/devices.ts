import { sql, type InferResult, type Kysely } from 'kysely'
import { deviceProfileSchema, profileOf, type DeviceProfile } from '@saddle/contract/fleet/deviceProfiles.ts'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { DB } from '#kit/db/types.ts'
import { codeOf } from '#kit/codes.ts'
import type { Kit } from '#kit/kit.ts'

export type KnownDevice = {
  readonly vehicleId: number
  readonly imei: string
  /** What its maker does in a way of its own. */
  readonly profile: DeviceProfile
  readonly protocol: DeviceProtocol
  readonly model: string
  readonly terminalNumber: string | null
  /** The number of secrets that the device has had. */
  readonly secretGeneration: number
  /** Until then a JT/T 808 terminal may register; null: not now. */
  readonly registrationOpenUntil: number | null
  /** The vehicle's number, and its plate where it has one. */
  readonly number: string
  readonly plate: string | null
}

/** What a device is told to do by itself, as it was ordered; `version` grows with every change. */
export type DeviceConfig = { readonly version: number; readonly settings: Readonly<Record<string, number | boolean>> }

/** `closed`: nobody has opened its registration; `known`: the same, of a terminal that has registered before. */
export type TerminalClaim = 'registered' | 'closed' | 'known' | 'taken'

export type Devices = {
  /** The registered devices that have one of these IMEIs or terminal numbers. */
  findDevices(names: readonly string[]): Promise<KnownDevice[]>
  /**
   * Registers a terminal by what it says of itself, while staff keep the registration of its vehicle open: the first
   * one has the vehicle until it is released, and may register again. The marks of one terminal: the present secret's
   * first, which is kept, then those of earlier secrets.
   */
  claimTerminal(options: { vehicleId: number; marks: readonly [string, ...string[]] }): Promise<TerminalClaim>
  /** The retained configuration of a device; null when it has none. */
  configOf(vehicleId: number): Promise<DeviceConfig | null>
  /** Adds settings to the retained configuration and returns it under its new version; null when the vehicle is gone. */
  configure(options: { vehicleId: number; settings: DeviceConfig['settings'] }): Promise<DeviceConfig | null>
}

const configRow = rowOf('device_config', ['version', 'settings'])
type ConfigRow = RowOf<typeof configRow>

function configOf(row: ConfigRow | undefined): DeviceConfig | null {
  return row === undefined ? null : { version: row.version, settings: row.settings as DeviceConfig['settings'] }
}

/** By an IMEI or a terminal's number. */
function selectDevices(kysely: Kysely<DB>, names: readonly string[]) {
  return kysely
    .selectFrom('device as d')
    .innerJoin('vehicle as v', 'v.id', 'd.vehicle_id')
    .select(['d.vehicle_id', 'd.imei', 'd.profile', 'd.terminal_number', 'd.secret_generation'])
    .leftJoin('vehicle_model as m', (join) =>
      join.onRef('m.name', '=', 'v.model').onRef('m.protocol', '=', 'v.protocol'),
    )
    .select(['d.registration_open_until', 'v.protocol', 'v.model', 'v.number', 'v.plate', 'm.profile as model_profile'])
    .where((eb) =>
      eb.or([
        eb('d.imei', '=', sql<string>`any (${names}::text[])`),
        eb('d.terminal_number', '=', sql<string>`any (${names}::text[])`),
      ]),
    )
}
type DeviceRow = InferResult<ReturnType<typeof selectDevices>>[number]

function knownOf(row: DeviceRow): KnownDevice {
  const protocol = codeOf(deviceProtocols, row.protocol)
  return {
    vehicleId: row.vehicle_id,
    imei: row.imei,
    // One that an older version wrote must not keep a city's vehicles out.
    profile: deviceProfileSchema.safeParse(row.model_profile).data ?? profileOf({ protocol, name: row.profile }),
    protocol,
    model: row.model,
    terminalNumber: row.terminal_number,
    secretGeneration: row.secret_generation,
    registrationOpenUntil: row.registration_open_until?.getTime() ?? null,
    number: row.number,
    plate: row.plate,
  }
}

/** What the gateway asks of devices. */
export function createDevices(kit: Pick<Kit, 'db' | 'clock'>): Devices {
  return {
    async findDevices(names) {
      const rows = await kit.db.systemRead((kysely) => selectDevices(kysely, names).compile())
      return rows.map(knownOf)
    },

    async claimTerminal({ vehicleId, marks }) {
      const [mark] = marks
      const at = new Date(kit.clock.now())
      return kit.db.system(async (tx): Promise<TerminalClaim> => {
        const { rows } = await sql`
          update device set terminal_mark = ${mark}
          where vehicle_id = ${vehicleId} and coalesce(terminal_mark, ${mark}) = any (${marks}::text[])
            and registration_open_until > ${at}::timestamptz
          returning vehicle_id`.execute(tx)
        if (rows.length === 1) return 'registered'
        const before = await tx
          .selectFrom('device')
          .select('terminal_mark')
          .where('vehicle_id', '=', vehicleId)
          .executeTakeFirst()
        const known = before?.terminal_mark ?? null
        if (known === null) return 'closed'
        if (!marks.includes(known)) return 'taken'
        await tx.updateTable('device').set({ terminal_mark: mark }).where('vehicle_id', '=', vehicleId).execute()
        return 'known'
      })
    },

    async configOf(vehicleId) {
      const [row] = await kit.db.systemRead((kysely) =>
        kysely
          .selectFrom('device_config')
          .select(['version', 'settings'])
          .where('vehicle_id', '=', vehicleId)
          .compile(),
      )
      return configOf(row)
    },

    async configure({ vehicleId, settings }) {
      const at = new Date(kit.clock.now())
      const { rows } = await kit.db.system((tx) =>
        configRow.returning`
          insert into device_config (vehicle_id, agent_id, area_id, settings, updated_at)
          select id, agent_id, area_id, ${JSON.stringify(settings)}::jsonb, ${at}::timestamptz
          from vehicle where id = ${vehicleId}
          on conflict (vehicle_id) do update set
            version = device_config.version + 1, settings = device_config.settings || excluded.settings,
            updated_at = excluded.updated_at
          `.execute(tx),
      )
      return configOf(rows[0])
    },
  }
}
