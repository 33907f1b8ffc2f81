import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoVehicleLimit, demoVehicles } from '@saddle/contract/demo/city.ts'
import { demoRidersAppName, demoRidersFile } from '@saddle/contract/demo/riders.ts'
import type { Vehicles } from '#fleet/public.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riding } from '#riding/public.ts'
import { createDevicePasswords } from '#telemetry/public.ts'
import { platformAgentId } from './tenants.ts'

/**
 * Writes `demo-devices.json` into the data folder, for the simulator alone: the credentials of each demo device.
 * Secrets of real devices are set by their maker and are never written to a file.
 */
export async function writeDemoDevices(options: {
  dataDir: string
  secrets: Keyring
  vehicles: Pick<Vehicles, 'findDevices'>
}): Promise<void> {
  const passwordOf = createDevicePasswords(options.secrets)
  const all = demoVehicles(demoVehicleLimit)
  const known = await options.vehicles.findDevices(all.map(({ imei }) => imei))
  const generations = new Map(known.map(({ imei, secretGeneration }) => [imei, secretGeneration]))
  const devices = all.map(({ imei, protocol }) => {
    const of = { imei, secretGeneration: generations.get(imei) ?? 0 }
    return { imei, protocol, password: passwordOf(protocol, of) }
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

/** Renamed when complete: the simulator may be reading. */
function writeSecretFile(file: string, content: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
