import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { decodeLiveFrame, encodeLiveFrame, type LiveFrameBytes } from '@saddle/contract/telemetry/live.ts'
import { writeBinaryMessage } from './binaryMessage.ts'

const http = createServer()
afterEach(() => {
  http.closeAllConnections()
  http.close()
})

const frameOf = (removedCount: number): LiveFrameBytes =>
  encodeLiveFrame({
    kind: 'vehicles',
    snapshot: false,
    sequence: removedCount,
    upserts: [],
    removed: Array.from({ length: removedCount }, (_, n) => n),
  })

it('writes frames of every length as messages that a client reads, in order with those of the socket itself', async () => {
  // One, two and eight bytes of length, and what lies next to the limits: 124, 128, 65,532 and 65,536 bytes.
  const frames = [0, 27, 28, 1_000, 16_379, 16_380, 50_000].map(frameOf)
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  http.on('upgrade', (request, stream, head) => {
    server.handleUpgrade(request, stream, head, (socket) => {
      for (const [n, frame] of frames.entries()) {
        socket.send(`before ${n}`)
        writeBinaryMessage(stream, frame)
        // Those who see the same are sent the same bytes.
        writeBinaryMessage(stream, frame)
      }
      socket.close()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const heard: unknown[] = []
  client.on('message', (data: Buffer, isBinary: boolean) => {
    heard.push(isBinary ? decodeLiveFrame(data) : data.toString())
  })
  await once(client, 'close')
  expect(heard).toEqual(frames.flatMap((frame, n) => [`before ${n}`, decodeLiveFrame(frame), decodeLiveFrame(frame)]))
})
