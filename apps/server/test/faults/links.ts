import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

/** What a bad network does to the bytes of a link: each piece is late, and a lost one comes when it is sent again. */
export interface Hindrance {
  readonly delayMs: number
  readonly jitterMs: number
  readonly lossShare: number
}

/** A way from a process to a server, which can be cut or hindered. */
export interface Link {
  readonly port: number
  /** Bytes stop, and no connection ends, as when a cable is pulled. */
  cut(): void
  hinder(hindrance: Hindrance): void
  heal(): void
  close(): void
}

/** What TCP waits before it sends a lost piece again, at first; each further loss doubles it. */
const sendAgainMs = 200
const maxLosses = 4

interface State {
  isCut: boolean
  hindrance: Hindrance | null
}

/** Opens a port of this machine that leads to the target. */
export async function openLink(target: NetConnectOpts, random: () => number = Math.random): Promise<Link> {
  const sockets = new Set<Socket>()
  const pumps = new Set<() => void>()
  const state: State = { isCut: false, hindrance: null }
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      const pump = carry({ from, to, state, random })
      pumps.add(pump)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        pumps.delete(pump)
        to.destroy()
      })
      if (state.isCut) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const turn = (change: Partial<State>): void => {
    Object.assign(state, change)
    for (const socket of sockets) {
      if (state.isCut) socket.pause()
      else socket.resume()
    }
    for (const pump of pumps) pump()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => turn({ isCut: true }),
    hinder: (hindrance) => turn({ hindrance }),
    heal: () => turn({ isCut: false, hindrance: null }),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Carried {
  readonly from: Socket
  readonly to: Socket
  readonly state: State
  readonly random: () => number
}

/** Hands the bytes of one direction on, in order, each when it is due; returns what looks again whether one is. */
function carry({ from, to, state, random }: Carried): () => void {
  const waiting: { readonly bytes: Buffer; readonly dueAt: number }[] = []
  let timer: NodeJS.Timeout | undefined
  const pump = (): void => {
    clearTimeout(timer)
    if (state.isCut) return
    const nowMs = performance.now()
    for (let [first] = waiting; first !== undefined && first.dueAt <= nowMs; [first] = waiting) {
      to.write(first.bytes)
      waiting.shift()
    }
    const [next] = waiting
    if (next !== undefined) timer = setTimeout(pump, Math.max(1, next.dueAt - nowMs))
  }
  from.on('data', (bytes: Buffer) => {
    const lateMs = state.hindrance === null ? 0 : latenessOf(state.hindrance, random)
    const dueAt = Math.max(performance.now() + lateMs, waiting.at(-1)?.dueAt ?? 0)
    if (lateMs === 0 && waiting.length === 0 && !state.isCut) to.write(bytes)
    else waiting.push({ bytes, dueAt })
    pump()
  })
  from.on('close', () => clearTimeout(timer))
  return pump
}

function latenessOf({ delayMs, jitterMs, lossShare }: Hindrance, random: () => number): number {
  let lateMs = delayMs + jitterMs * random()
  for (let loss = 0; loss < maxLosses && random() < lossShare; loss += 1) lateMs += sendAgainMs * 2 ** loss
  return lateMs
}
