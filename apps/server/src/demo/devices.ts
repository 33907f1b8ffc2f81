import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoVehicleLimit, demoVehicles } from '@saddle/contract/demo/city.ts'
import type { Keyring } from '#kit/crypto.ts'
import { createDeviceSecrets } from '#telemetry/public.ts'

/**
 * Writes `demo-devices.json` into the data folder, for the simulator alone: what each demo device shows to be let in.
 * Secrets of real devices are burnt in by their maker and never lie in a file.
 */
export function writeDemoDevices(options: { dataDir: string; secrets: Keyring }): void {
  const secrets = createDeviceSecrets(options.secrets)
  const devices = demoVehicles(demoVehicleLimit).map(({ imei, protocol }) => ({
    imei,
    protocol,
    mqttPassword: secrets.deviceSecret(imei),
    authCode: secrets.authCode(imei),
  }))
  const file = join(options.dataDir, 'demo-devices.json')
  // Renamed when complete: the simulator may be reading.
  writeFileSync(`${file}.new`, JSON.stringify(devices), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
