import { byProtocol, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { fleetTopics, type Leases, type ModelChangedMessage } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import { productionTopics } from '#production/public.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { StandingReports } from '../reports/standing.ts'
import { createContests, type LiveConnection } from './contest.ts'
import { isOfModel, type DeviceDirectory } from './devices.ts'
import type { DisconnectedVehicles } from './disconnected.ts'
import { createOwnership } from './ownership.ts'
import { createRemoteContests } from './remoteContest.ts'
import type { DeviceSession, SessionWatch } from './session.ts'
import { deviceConnected } from './topics.ts'

/** As many devices as one query to the database asks for. */
const sessionsAtOnce = 1_000

type SessionsOptions = {
  readonly kit: Pick<Kit, 'bus' | 'clock' | 'log'>
  readonly metrics: TelemetryMetrics
  readonly gatewayId: string
  /** Null on a single server. */
  readonly leases: Leases | null
}

/** The sessions of this gateway: one for each device, over all gateways. */
export function createSessions(
  options: SessionsOptions,
  disconnected: DisconnectedVehicles,
  standing: Pick<StandingReports, 'begin' | 'release'>,
) {
  const { kit, metrics, gatewayId, leases } = options
  const all = new Set<DeviceSession>()
  const byVehicle = new Map<number, DeviceSession>()
  const sessionOf = (vehicleId: number): DeviceSession | undefined => byVehicle.get(vehicleId)
  const ownership = createOwnership({ kit, gatewayId, leases, sessionOf, vehicleIds: () => byVehicle.keys() })
  const remote = leases === null ? null : createRemoteContests({ kit, gatewayId, leases, sessionOf })
  const liveOf = async (vehicleId: number): Promise<LiveConnection | undefined> => {
    const session = sessionOf(vehicleId)
    return session === undefined ? remote?.liveOf(vehicleId) : { key: session, contest: session.contest }
  }
  const contests = createContests({ clock: kit.clock, log: kit.log, metrics, liveOf })
  const watch: SessionWatch = {
    admits: contests.admits,
    onSignedIn(session, device) {
      if (session.contest !== undefined) contests.entered(device, session.contest.address)
      sessionOf(device.vehicleId)?.close('replaced')
      byVehicle.set(device.vehicleId, session)
      standing.begin(device.standing)
      disconnected.reconnected(device.vehicleId)
      ownership.signedIn(device.vehicleId, session.contest?.address ?? '')
    },
    onClosed(session) {
      all.delete(session)
      metrics.connections.set(all.size)
      const { device, contest } = session
      if (device !== null && contest !== undefined) contests.left(device, contest)
      const vehicleId = device?.vehicleId
      if (device !== null) standing.release(device.standing)
      if (vehicleId !== undefined && sessionOf(vehicleId) === session) byVehicle.delete(vehicleId)
    },
  }
  const stops = [
    kit.bus.subscribe(productionTopics.upgradeDue, ({ vehicleId }) => sessionOf(vehicleId)?.upgrade()),
    kit.bus.subscribe(productionTopics.upgradeHeld, ({ vehicleId }) => sessionOf(vehicleId)?.holdUpgrade()),
    kit.bus.subscribe(fleetTopics.commandQueued, ({ vehicleId }) => sessionOf(vehicleId)?.dispatch()),
    kit.bus.subscribe(deviceConnected, (other) => {
      if (other.gatewayId === gatewayId) return
      disconnected.reconnected(other.vehicleId)
      sessionOf(other.vehicleId)?.close('replaced')
    }),
  ]
  return {
    all,
    watch,
    add(session: DeviceSession): void {
      all.add(session)
      metrics.connections.set(all.size)
    },
    /** Ends the session of a device whose secret was changed or which was unregistered. */
    revoke: (vehicleId: number) => sessionOf(vehicleId)?.close('revoked'),
    /** Gives the sessions of a model's devices the present state of their device, some at a time. */
    async updateModel(changed: ModelChangedMessage, directory: DeviceDirectory): Promise<void> {
      const sessions = [...byVehicle.values()].filter(({ device }) => device !== null && isOfModel(device, changed))
      for (let at = 0; at < sessions.length; at += sessionsAtOnce) {
        await Promise.all(
          sessions.slice(at, at + sessionsAtOnce).map(async (session) => {
            const before = session.device
            const device = before === null ? null : await directory.find(before.imei)
            // The session may have ended meanwhile, and the vehicle may have another device.
            if (device !== null && session.device === before && device.vehicleId === before?.vehicleId) {
              session.updateDevice(device)
            }
          }),
        )
      }
    },
    /** Devices that are signed in. */
    counts(): Readonly<Record<DeviceProtocol, number>> {
      const counts = byProtocol(() => 0)
      for (const { protocol } of byVehicle.values()) counts[protocol] += 1
      return counts
    },
    /** Ends sessions of vehicles that another gateway has taken. */
    tick: ownership.tick,
    stopListening: async () => {
      for (const stop of stops) stop()
      remote?.close()
      await ownership.close()
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
