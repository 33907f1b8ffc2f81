import { closeConnection, type Connection } from './connection.ts'
import { gatewayLimits } from './limits.ts'

/** Writes bytes to the socket. A device that does not read them is disconnected. */
export function write(connection: Connection, bytes: Uint8Array): void {
  const { socket } = connection
  if (connection.closedFor !== null) return
  socket.write(bytes)
  if (socket.writableLength > gatewayLimits.maxUnsentBytes) closeConnection(connection, 'not_reading')
}

/** Pauses the socket while the device is looked up or its reports wait to be stored, and resumes it afterwards. */
export function pauseWhileBehind(connection: Connection): void {
  const { socket, deps } = connection
  if (connection.closedFor !== null) return
  const isBehind = deps.writer.isBehind()
  const isFull = connection.pendingReports >= connection.maxPendingReports
  if (connection.isHeld || connection.isSigningIn || isBehind || isFull) {
    if (!socket.isPaused()) socket.pause()
  } else if (socket.isPaused()) {
    socket.resume()
  }
  if (isBehind) void resumeWhenCaughtUp(connection)
}

async function resumeWhenCaughtUp(connection: Connection): Promise<void> {
  if (connection.isWaitingForWriter) return
  connection.isWaitingForWriter = true
  await connection.deps.writer.caughtUp()
  connection.isWaitingForWriter = false
  pauseWhileBehind(connection)
}
