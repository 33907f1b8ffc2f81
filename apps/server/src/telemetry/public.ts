import type { Registry } from 'prom-client'
import type { vehicleModelEndpoints } from '@saddle/contract/fleet/models.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { registrationEndpoints } from '@saddle/contract/fleet/registration.ts'
import type { unknownDeviceEndpoints } from '@saddle/contract/fleet/unknownDevices.ts'
import type { Audit } from '#audit/public.ts'
import { createVehicleLimits, type Fleet } from '#fleet/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import type { Transfers } from '#production/public.ts'
import { createRegistrationHandlers } from './deviceAccess/registration.ts'
import { createModelHandlers } from './deviceAccess/models.ts'
import { createUnknownDeviceHandlers } from './deviceAccess/unknownDevices.ts'
import { createLiveFeed, type LiveFeed } from './feed/feed.ts'
import { startGateway, type Gateway } from './gateway/gateway.ts'
import { gatewayProtocols } from './gateway/protocols.ts'
import { createDeviceSecrets, type SecretOf } from './gateway/secrets.ts'
import { createLiveIndex } from './live/liveIndex.ts'
import { createTelemetryMetrics } from './metrics.ts'

export { keptDevicePurposes } from './gateway/secrets.ts'
export type { LiveRights } from './feed/client.ts'
export type { LiveFeed, LiveSession } from './feed/feed.ts'

export type Telemetry = {
  readonly handlers: Handlers<
    typeof registrationEndpoints & typeof unknownDeviceEndpoints & typeof vehicleModelEndpoints
  >
  /** Listens for devices. Once per process. */
  startGateway(): Promise<Gateway>
  /** Loads the live index and keeps it by the bus. Once per api process. */
  startFeed(): Promise<LiveFeed>
}

const loadPage = 5_000

/** What devices show to sign in, by their protocol; null for one without secrets. For the demo, which plays the devices. */
export function createDevicePasswords(keyring: Keyring): (protocol: DeviceProtocol, device: SecretOf) => string | null {
  const secrets = createDeviceSecrets(keyring)
  return (protocol, device) => gatewayProtocols[protocol].secretOf?.(secrets, device) ?? null
}

export function createTelemetry(
  kit: Kit,
  others: {
    readonly fleet: Fleet
    readonly audit: Audit
    readonly transfers: Transfers
    readonly organisation: Pick<Organisation, 'agent'>
    readonly metrics: Registry
  },
): Telemetry {
  const { fleet, audit, organisation, transfers } = others
  const deps = { kit, fleet, audit, organisation }
  const metrics = createTelemetryMetrics(others.metrics)
  return {
    handlers: {
      ...createRegistrationHandlers(deps),
      ...createUnknownDeviceHandlers(deps),
      ...createModelHandlers(deps),
    },
    startGateway: () => startGateway({ kit, fleet, audit, transfers, metrics }),
    async startFeed() {
      const index = createLiveIndex({ nowMs: kit.clock.now() })
      const limits = createVehicleLimits(kit)
      index.takeLimits(await limits())
      const load = async (): Promise<void> => {
        let afterId = 0
        for (;;) {
          const vehicles = await fleet.vehicles.page({ afterId, limit: loadPage })
          index.update(vehicles)
          const last = vehicles.at(-1)
          if (last === undefined || vehicles.length < loadPage) return
          afterId = last.vehicleId
        }
      }
      // Listening begins before loading: what changes meanwhile has a higher version and wins.
      const feed = createLiveFeed(kit, index, { load, limits })
      await load()
      return feed
    },
  }
}
