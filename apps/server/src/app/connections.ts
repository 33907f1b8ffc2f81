import type { Server, Socket } from 'node:net'
import { addressBucket } from '#kit/address.ts'
import type { Config } from '#kit/config.ts'
import { trustedHops } from './clientAddress.ts'

export const connectionLimits = {
  total: 12_000,
  /** For one network; our own proxy forwards the calls of all clients. */
  perAddress: 2_000,
} as const

/** Bounds the lines to the server, silent ones too: one network does not take them all, and a broken one harms none. */
export function boundConnections(server: Server, { trustProxy }: Pick<Config, 'trustProxy'>): void {
  const isTrusted = trustedHops(trustProxy)
  const counts = new Map<string, number>()
  server.maxConnections = connectionLimits.total
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    const address = socket.remoteAddress ?? ''
    if (isTrusted?.(address, 0) === true) return
    const bucket = addressBucket(address)
    const count = (counts.get(bucket) ?? 0) + 1
    counts.set(bucket, count)
    socket.once('close', () => {
      const left = (counts.get(bucket) ?? 1) - 1
      if (left > 0) counts.set(bucket, left)
      else counts.delete(bucket)
    })
    if (count > connectionLimits.perAddress) socket.destroy()
  })
}
