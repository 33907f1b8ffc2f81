import { connect, type Socket } from 'node:net'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'

export type Listener = 'http' | DeviceProtocol

/** What an attacker sends over one connection, and how the connection ends. */
export interface Opening {
  readonly kind: string
  readonly listener: Listener
  /** Written one after another; between two of them the server has a moment to answer. */
  readonly writes: readonly Uint8Array[]
  /** `reset` may come while the server is still answering. */
  readonly ending: 'end' | 'reset'
  /** How many broken openings this is: a connection that outlives one carries several. */
  readonly count: number
}

export interface Draw {
  /** From 0 (included) to `bound` (excluded). */
  below(bound: number): number
  one<T>(choices: readonly T[]): T
  chance(probability: number): boolean
  bytes(length: number): Buffer
}

export function createDraw(fraction: () => number): Draw {
  const below = (bound: number): number => Math.floor(fraction() * bound)
  return {
    below,
    one: (choices) => choices[below(choices.length)]!,
    chance: (probability) => fraction() < probability,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}

/** Changes, removes, repeats or inserts a few bytes. */
export function mutate(draw: Draw, bytes: Uint8Array, spice: Uint8Array = Buffer.from([0, 1, 127, 128, 255])): Buffer {
  let result = Buffer.from(bytes)
  for (let step = draw.below(4); step >= 0; step -= 1) {
    const at = draw.below(result.length + 1)
    const kind = draw.below(5)
    if (kind === 0 && result.length > 0) result[Math.min(at, result.length - 1)] = draw.below(256)
    else if (kind === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(at + draw.below(8))])
    else if (kind === 2)
      result = Buffer.concat([result.subarray(0, at), draw.bytes(draw.below(6)), result.subarray(at)])
    else if (kind === 3 && result.length > 0) result[Math.min(at, result.length - 1)] = draw.one([...spice])
    else result = Buffer.concat([result.subarray(0, at), result.subarray(draw.below(at + 1))])
  }
  return result
}

const stepMs = 5
const leaveMs = 3_000

/** Plays one opening to its end; never rejects. False when the server did not close the connection by itself. */
export async function play(options: {
  readonly opening: Opening
  readonly port: number
  /** One of the many addresses of this machine, as from many outsiders. */
  readonly from: string | undefined
  readonly pauseMs: number
}): Promise<boolean> {
  const { opening, port, from, pauseMs } = options
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    ...(from === undefined ? {} : { localAddress: from }),
  })
  let isClosed = false
  let wake = (): void => {}
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
      wake()
    })
  })
  socket.on('error', () => {})
  socket.on('data', () => wake())
  const moment = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    void closed.then(resolve)
  })
  for (const [index, bytes] of opening.writes.entries()) {
    if (isClosed) return true
    if (index > 0) await moment(stepMs)
    socket.write(bytes)
  }
  if (opening.ending === 'reset') {
    if (pauseMs > 0 && !isClosed) await moment(pauseMs)
    socket.resetAndDestroy()
    return true
  }
  socket.end()
  return within({ closed, socket, ms: leaveMs })
}

async function within(options: { closed: Promise<void>; socket: Socket; ms: number }): Promise<boolean> {
  const { closed, socket, ms } = options
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const hasLeft = await Promise.race([closed.then(() => true), late])
  clearTimeout(timer)
  if (!hasLeft) socket.resetAndDestroy()
  return hasLeft
}
