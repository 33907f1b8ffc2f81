import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoVehicleLimit, demoVehicles } from '@saddle/contract/demo/city.ts'
import { demoPicturesFile } from '@saddle/contract/demo/staff.ts'
import { demoCodesFile, demoRidersAppName, demoRidersFile } from '@saddle/contract/demo/riders.ts'
import type { Vehicles } from '#fleet/public.ts'
import type { Keyring } from '#kit/crypto.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riding } from '#riding/public.ts'
import { createDevicePasswords } from '#telemetry/public.ts'
import { platformAgentId } from './tenants.ts'

const firmwareRow = rowOf('device', 'd', ['imei', 'firmware'])

/**
 * Writes `demo-devices.json` into the data folder, for the simulator alone: the credentials of each demo device.
 * Secrets of real devices are set by their maker and are never written to a file.
 */
export async function writeDemoDevices(options: {
  dataDir: string
  secrets: Keyring
  vehicles: Pick<Vehicles, 'findDevices'>
  kit: Pick<Kit, 'db'>
}): Promise<void> {
  const passwordOf = createDevicePasswords(options.secrets)
  const all = demoVehicles(demoVehicleLimit)
  const known = await options.vehicles.findDevices(all.map(({ imei }) => imei))
  const generations = new Map(known.map(({ imei, secretGeneration }) => [imei, secretGeneration]))
  const heard = await options.kit.db.systemRead((k) =>
    firmwareRow.select`from device d where d.imei = any (${all.map(({ imei }) => imei)}::text[])`.compile(k),
  )
  const versions = new Map(heard.map(({ imei, firmware }) => [imei, firmware ?? undefined]))
  const devices = all.map(({ imei, protocol }) => {
    const of = { imei, secretGeneration: generations.get(imei) ?? 0 }
    return { imei, protocol, password: passwordOf(protocol, of), firmware: versions.get(imei) }
  })
  writeSecretFile(join(options.dataDir, 'demo-devices.json'), devices)
}

/**
 * Writes the key of the simulated riders' application beside it. The database has only its hash, so every start makes a
 * new one; a simulator that is still running reads it when the old one is refused.
 */
export async function writeDemoRiders(options: {
  dataDir: string
  kit: Pick<Kit, 'db'>
  riding: Pick<Riding, 'addApp'>
}): Promise<void> {
  const { dataDir, kit, riding } = options
  const app = { agentId: platformAgentId, name: demoRidersAppName }
  const key = await kit.db.system((tx) => riding.addApp(tx, app))
  writeSecretFile(join(dataDir, demoRidersFile), { key })
}

const codeRow = rowOf('coupon', 'c', ['agent_id', 'code']).filled('code')
/** Codes that are in the streets at once. */
const codesMax = 2_000

/** Writes the codes of coupons that nobody has claimed yet: the demo's companies hand them out in the streets. */
export async function writeDemoCodes({ db, clock, config }: Pick<Kit, 'db' | 'clock' | 'config'>): Promise<void> {
  const rows = await db.systemRead((k) =>
    codeRow.select`
      from coupon c join coupon_batch b on b.id = c.batch_id
      where b.source = 'codes' and b.claim_until > ${new Date(clock.now())} and c.rider_id is null and c.state = 'open'
      order by c.id limit ${codesMax}`.compile(k),
  )
  const codes = Map.groupBy(rows, ({ agent_id: agentId }) => agentId)
  const byCompany = [...codes].map(([agentId, own]) => [String(agentId), own.map(({ code }) => code)])
  writeSecretFile(join(config.dataDir, demoCodesFile), Object.fromEntries(byCompany))
}

/** Drawings that stand for the photos of field staff. */
const picturesMade = 8

export function writeDemoPictures(dataDir: string, picture: (number: number) => Buffer): void {
  const pictures = Array.from({ length: picturesMade }, (_, number) => picture(number).toString('base64'))
  writeSecretFile(join(dataDir, demoPicturesFile), pictures)
}

/** Renamed when complete: the simulator may be reading. */
function writeSecretFile(file: string, content: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
