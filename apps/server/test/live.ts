import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { decodeLiveFrame, type LiveFrame, type ServerEvent } from '@saddle/contract/telemetry/live.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import type { TestClient } from './client.ts'

const world = { west: -180, south: -90, east: 180, north: 90 }

/** A live socket, and what it has heard. */
export interface Live {
  readonly socket: WebSocket
  readonly frames: LiveFrame[]
  readonly events: ServerEvent[]
  readonly closed: Promise<number>
  readonly say: (message: unknown) => void
}

/** Opens the live socket of a server with the cookies of a client. */
export function connectLive(address: string, client: TestClient, headers: Record<string, string> = {}): Live {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(address.replace('http', 'ws') + liveSocketPath, {
    headers: { cookie, ...headers },
  })
  const frames: LiveFrame[] = []
  const events: ServerEvent[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(decodeLiveFrame(new Uint8Array(data)))
    else events.push(JSON.parse(data.toString()) as ServerEvent)
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => resolve(code))
    socket.on('error', () => resolve(-1))
  })
  const opened = new Promise<void>((resolve) => socket.on('open', () => resolve()))
  return {
    socket,
    frames,
    events,
    closed,
    say: (message) => void opened.then(() => socket.send(JSON.stringify(message))),
  }
}

export const hello = (client: TestClient, change: Partial<CallToken> = {}): unknown => ({
  type: 'hello',
  token: client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath }, change })),
})

/** Says hello, waits to be let in, and asks for the whole world. */
export async function enter(live: Live, client: TestClient, change: Partial<CallToken> = {}): Promise<void> {
  live.say(hello(client, change))
  await expect.poll(() => live.events.map((event) => event.type)).toContain('ready')
  live.say({ type: 'view', bounds: world })
}

/** The vehicles that were shown so far. */
export const idsOf = (live: Live): number[] =>
  live.frames
    .flatMap((frame) => (frame.kind === 'vehicles' ? frame.upserts.map((vehicle) => vehicle.id) : []))
    .toSorted((a, b) => a - b)
