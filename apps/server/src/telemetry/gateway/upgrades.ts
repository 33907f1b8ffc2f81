import type { Transfer } from '#production/public.ts'
import { inOrder } from './commandSteps.ts'
import { isClosed, type Connection } from './connection.ts'
import { createBucket, gatewayLimits } from './limits.ts'
import type { UpgradeUnderWay } from './upgradeUnderWay.ts'

type Taking = {
  /** How many packages the protocol makes of the image. */
  readonly packagesOf: (image: Transfer['image']) => number
  /** Sends the first message of the upgrade. */
  readonly send: (upgrade: UpgradeUnderWay) => void | Promise<void>
  /** Asks the device which version it runs. */
  readonly ask: () => void
}

/** Takes the vehicle's upgrade to this connection, when it has one that may begin or go on. */
export function takeUpgrade(connection: Connection, { packagesOf, send, ask }: Taking): void {
  inOrder(connection, async () => {
    const { device, deps } = connection
    // While a command is under way the vehicle may be about to move.
    if (device === null || isClosed(connection) || connection.upgrade !== null || connection.command !== null) return
    const taken = await deps.transfers.take(device.vehicleId, packagesOf)
    if (taken === null || isClosed(connection)) return
    if (taken.step === 'ask') return ask()
    const { transfer } = taken
    const { clock } = deps.kit
    connection.upgrade = {
      transfer,
      bucket: createBucket({
        clock,
        perSecond: gatewayLimits.packagesPerSecond,
        burst: gatewayLimits.packagesBurst,
      }),
      lastSent: transfer.isResumed ? transfer.package : -1,
      waiting: null,
      sentAt: clock.now(),
      tries: 0,
    }
    await send(connection.upgrade)
  })
}

/**
 * Stores that the device has the packages before this one and wants it now; false where the upgrade may not go on, which ends
 * it on this connection. Runs in the connection's order of steps.
 */
export async function notePackage(connection: Connection, upgrade: UpgradeUnderWay, next: number): Promise<boolean> {
  if (connection.upgrade !== upgrade || isClosed(connection)) return false
  const isRepeat = next <= upgrade.lastSent
  const mayGoOn = await connection.deps.transfers.note(upgrade.transfer, next, isRepeat)
  if (!mayGoOn) {
    if (connection.upgrade === upgrade) connection.upgrade = null
    return false
  }
  upgrade.lastSent = Math.max(upgrade.lastSent, next)
  upgrade.sentAt = connection.deps.kit.clock.now()
  return !isClosed(connection)
}
