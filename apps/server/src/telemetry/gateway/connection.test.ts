import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { Registry } from 'prom-client'
import { createTelemetryMetrics } from '../metrics.ts'
import { write } from './backPressure.ts'
import { closeConnection, createConnection } from './connection.ts'
import type { CloseReason, SessionDeps } from './session.ts'
import { createDisconnectedVehicles } from './disconnected.ts'
import { createTallies } from './health.ts'

const { db } = await testDatabase()
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A line whose far end reads nothing, with more written to it than the network holds. */
async function blocked() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => {})
  peer.on('error', () => {})
  peer.pause()
  ends.push(() => {
    peer.destroy()
    socket.destroy()
    server.close()
  })
  const tallies = createTallies()
  const deps = {
    kit: testKit(db),
    metrics: createTelemetryMetrics(new Registry()),
    tallies,
    notices: { take: () => true },
    gone: createDisconnectedVehicles(),
  } as unknown as SessionDeps
  const connection = createConnection({ protocol: 'mqtt', socket, deps })
  const reasons: CloseReason[] = []
  connection.onClosed = (reason) => reasons.push(reason)
  return { connection, socket, tallies, reasons }
}
const tooMuch = Buffer.alloc(32 * 1024 * 1024)

it('whoever does not take what it is told is cut off at once, and nothing more is kept for it', async () => {
  const { connection, socket, tallies, reasons } = await blocked()
  write(connection, Buffer.from('little'))
  expect(connection.closedFor).toBeNull()
  write(connection, tooMuch)
  expect([reasons, socket.destroyed, tallies.mqtt.rejected]).toEqual([['not_reading'], true, 1])
  const kept = socket.writableLength
  write(connection, tooMuch)
  expect(socket.writableLength).toBeLessThanOrEqual(kept)
  closeConnection(connection, 'device')
  expect(reasons, 'it closes once').toHaveLength(1)
})

it.each(['flood', 'garbage', 'idle', 'silent', 'mixed'] as const)(
  '%s cuts a line whose peer does not read',
  async (reason) => {
    const { connection, socket } = await blocked()
    socket.write(tooMuch)
    closeConnection(connection, reason)
    expect(socket.destroyed).toBe(true)
  },
)

it('the last words of a refusal go out, but not for ever', async () => {
  const { connection, socket } = await blocked()
  socket.write(tooMuch)
  closeConnection(connection, 'replaced')
  expect(socket.destroyed).toBe(false)
  await once(socket, 'close')
}, 8_000)
