/** The real gateway, writer and live index on one database, and registered MQTT vehicles: a child of bench/ingest.ts. */
import { Registry } from 'prom-client'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createFleet } from '@saddle/server/fleet/public.ts'
import { createLocalBus } from '@saddle/server/kit/bus.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { loadConfig } from '@saddle/server/kit/config.ts'
import { createKeyring } from '@saddle/server/kit/crypto.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { createLog } from '@saddle/server/kit/log.ts'
import { secureRandom } from '@saddle/server/kit/random.ts'
import { createDeviceSecrets, createTelemetry } from '@saddle/server/telemetry/public.ts'

const count = Number(process.argv[2])
const log = createLog({ level: 'error' })
const config = loadConfig({ OMNI_PORT: '0', MQTT_PORT: '0', JT808_PORT: '0', HOST: '127.0.0.1' })
const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log })
const kit = {
  config,
  db,
  log,
  clock: systemClock,
  random: secureRandom,
  bus: createLocalBus({ log }),
  secrets: createKeyring({ secret: 'a secret for the bench only, long enough' }),
}
const metrics = new Registry()
const fleet = createFleet(kit, { audit: createAudit(kit) })
const imeis = Array.from({ length: count }, (_, n) => `8612345${String(n).padStart(8, '0')}`)
await db.system((tx) =>
  fleet.vehicles.register(
    tx,
    imeis.map((imei, n) => {
      const number = `SB${String(n).padStart(6, '0')}`
      return { agentId: 3, areaId: 31, number, imei, model: 'SD-E2', protocol: 'mqtt' as const }
    }),
  ),
)
const telemetry = createTelemetry(kit, { fleet, metrics })
const gateway = await telemetry.startGateway()
await telemetry.startFeed()
const secrets = createDeviceSecrets(kit.secrets)
process.send?.({
  type: 'listening',
  port: gateway.mqttPort,
  devices: imeis.map((imei) => ({ imei, password: secrets.deviceSecret(imei) })),
})
process.on('disconnect', () => process.exit(0))
