import { createServer, type AddressInfo, type Socket } from 'node:net'
import {
  decodeOmni,
  encodeOmniToDevice,
  type OmniCommandBody,
  type OmniMessage,
} from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'

/** The platform's side of a connection over a real socket: records what devices send and sends them commands. */
export async function startTestGateway() {
  const messages: OmniMessage[] = []
  const sockets = new Map<string, Socket>()
  const open = new Set<Socket>()
  const waiting = new Set<() => void>()
  let signIns = 0
  const server = createServer((socket) => {
    open.add(socket)
    const splitter = createOmniSplitter()
    socket.on('data', (chunk) => {
      for (const frame of splitter.push(chunk)) {
        const message = decodeOmni(frame)
        messages.push(message)
        if (message.instruction === 'Q0') signIns++
        sockets.set(message.deviceId, socket)
      }
      for (const look of waiting) look()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    port,
    messages,
    signIns: () => signIns,
    sockets: () => open.size,
    send(deviceId: string, command: OmniCommandBody) {
      sockets.get(deviceId)?.write(encodeOmniToDevice({ header: 'SCOS', vendor: 'OM', deviceId, ...command }))
    },
    /** Resolves with the first message, old or new, that fits. */
    async next<T extends OmniMessage>(fits: (message: OmniMessage) => message is T): Promise<T> {
      for (;;) {
        const index = messages.findIndex((message) => fits(message))
        if (index >= 0) {
          const [found] = messages.splice(index, 1)
          if (found && fits(found)) return found
        }
        await new Promise<void>((resolve) => {
          const look = () => {
            waiting.delete(look)
            resolve()
          }
          waiting.add(look)
        })
      }
    },
    cutAll() {
      for (const socket of open) socket.destroy()
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const is =
  <I extends OmniMessage['instruction']>(instruction: I, deviceId?: string) =>
  (message: OmniMessage): message is Extract<OmniMessage, { instruction: I }> =>
    message.instruction === instruction && (deviceId === undefined || message.deviceId === deviceId)
