import { randomUUID } from 'node:crypto'
import { byProtocol, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { fleetTopics, type ModelChangedMessage } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import { productionTopics } from '#production/public.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import { createContests } from './contest.ts'
import { isOfModel, type DeviceDirectory } from './devices.ts'
import type { DisconnectedVehicles } from './disconnected.ts'
import type { DeviceSession, SessionWatch } from './session.ts'
import { deviceConnected } from './topics.ts'

/** As many devices as one query to the database asks for. */
const sessionsAtOnce = 1_000

type SessionsOptions = { readonly kit: Pick<Kit, 'bus' | 'clock' | 'log'>; readonly metrics: TelemetryMetrics }

/** The sessions of this gateway: one for each device, over all gateways. */
export function createSessions({ kit, metrics }: SessionsOptions, disconnected: DisconnectedVehicles) {
  const gatewayId = randomUUID()
  const all = new Set<DeviceSession>()
  const byVehicle = new Map<number, DeviceSession>()
  const sessionOf = (vehicleId: number): DeviceSession | undefined => byVehicle.get(vehicleId)
  const contests = createContests({ clock: kit.clock, log: kit.log, metrics, liveOf: sessionOf })
  const watch: SessionWatch = {
    admits: contests.admits,
    onSignedIn(session, device) {
      if (session.contest !== undefined) contests.entered(device, session.contest.address)
      sessionOf(device.vehicleId)?.close('replaced')
      byVehicle.set(device.vehicleId, session)
      disconnected.reconnected(device.vehicleId)
      kit.bus.publish(deviceConnected, { gatewayId, vehicleId: device.vehicleId })
    },
    onClosed(session) {
      all.delete(session)
      metrics.connections.set(all.size)
      const { device, contest } = session
      if (device !== null && contest !== undefined) contests.left(device, contest)
      const vehicleId = device?.vehicleId
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
    stopListening: () => {
      for (const stop of stops) stop()
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
