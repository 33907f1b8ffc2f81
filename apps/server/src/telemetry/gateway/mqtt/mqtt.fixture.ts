import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { generate, parser as createParser, type IConnectPacket, type Packet } from 'mqtt-packet'

export type MqttLine = {
  readonly socket: Socket
  /** Packets of the platform, in order. */
  readonly received: Packet[]
  send(packet: Packet): void
  raw(bytes: Uint8Array): void
  /** The next packet that nobody has taken yet. */
  next(): Promise<Packet>
  closed: Promise<void>
  end(): void
}

/** A device's side of the socket, without a device: the test says every packet itself. */
export async function openMqtt(options: { port: number; version?: 4 | 5; socket?: Socket }): Promise<MqttLine> {
  const { port, version = 4, socket = connect({ port, host: '127.0.0.1', noDelay: true }) } = options
  const parser = createParser({ protocolVersion: version })
  const received: Packet[] = []
  let taken = 0
  let wake: (() => void)[] = []
  const wakeAll = (): void => {
    const waiting = wake
    wake = []
    for (const call of waiting) call()
  }
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve()
      wakeAll()
    })
  })
  parser.on('packet', (packet) => received.push(packet))
  socket.on('data', (chunk) => {
    parser.parse(chunk)
    wakeAll()
  })
  if (socket.connecting) await once(socket, 'connect')
  return {
    socket,
    received,
    closed,
    send: (packet) => void socket.write(generate(packet, { protocolVersion: version })),
    raw: (bytes) => void socket.write(bytes),
    async next() {
      while (received.length <= taken) {
        if (socket.destroyed) throw new Error('the platform closed the line')
        await new Promise<void>((resolve) => wake.push(resolve))
      }
      const packet = received[taken]
      taken += 1
      if (packet === undefined) throw new Error('no packet')
      return packet
    },
    end: () => socket.destroy(),
  }
}

export function connectPacket(options: { imei: string; password: string; version?: 4 | 5 }): IConnectPacket {
  const { imei, password, version = 4 } = options
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: true,
    clientId: imei,
    keepalive: 60,
    username: imei,
    password: Buffer.from(password),
  }
}
