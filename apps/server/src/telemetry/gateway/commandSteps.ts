import type { ClaimedCommand } from '#fleet/public.ts'
import { closeConnection, isClosed, type Connection } from './connection.ts'

/**
 * Claims the vehicle's next command for this connection when none is in progress; null when there is none. When the
 * connection breaks while the command is fetched, the command is handed back: the device was not sent anything.
 */
export async function claimCommand(connection: Connection): Promise<ClaimedCommand | null> {
  const { device, deps } = connection
  if (device === null || isClosed(connection) || connection.command !== null) return null
  const command = await deps.commands.claim(device.vehicleId, deps.leaseId)
  if (command !== null && isClosed(connection)) {
    await deps.commands.handBack(command)
    return null
  }
  connection.command = command
  return command
}

/** Runs a step after all steps that were queued before it. A step that fails closes the connection. */
export function inOrder(connection: Connection, step: () => Promise<void>): void {
  const { log } = connection.deps.kit
  connection.chain = connection.chain.then(step).catch((err: unknown) => {
    log.error({ err, vehicleId: connection.device?.vehicleId }, 'a step of a command failed')
    closeConnection(connection, 'error')
  })
}

/** Stores the firmware version that a device reports, once per connection. */
export function noteFirmware(connection: Connection, firmware: string): void {
  const { device, deps } = connection
  if (device === null || connection.firmware === firmware) return
  connection.firmware = firmware
  inOrder(connection, () => deps.noteFirmware({ vehicleId: device.vehicleId, firmware }))
}
