import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type SecureContextOptions, type Server as TlsServer } from 'node:tls'
import type { Log } from '#kit/log.ts'
import type { Admission, Refusal, Ticket } from './admission.ts'

export type Listener = {
  readonly port: number
  /** New connections get this certificate; open ones keep theirs. */
  renew(certificate: SecureContextOptions): void
  /** Accepts no more connections; resolves when the last one is closed. */
  close(): Promise<void>
}

type Options = {
  readonly port: number
  readonly host: string
  /** Present on a TLS port. */
  readonly certificate?: SecureContextOptions | undefined
  readonly admission: Admission
  readonly handshakeMs: number
  readonly log: Log
  readonly onLine: (socket: Socket, ticket: Ticket) => void
  readonly onRefused: (reason: Refusal | 'tls') => void
}

/** Listens on one port. A connection counts from its first packet, so that TLS handshakes are limited too. */
export async function openListener(options: Options): Promise<Listener> {
  const { port, host, admission, onLine, onRefused } = options
  const tickets = new WeakMap<Socket, Ticket>()
  const handshakes = new Set<Socket>()
  const tls = options.certificate === undefined ? null : createTls({ ...options, tickets, handshakes })
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    const ticket = admission.enter(socket.remoteAddress ?? '')
    if (typeof ticket === 'string') {
      onRefused(ticket)
      socket.destroy()
      return
    }
    socket.once('close', () => ticket.left())
    if (tls === null) {
      onLine(socket, ticket)
      return
    }
    tickets.set(socket, ticket)
    handshakes.add(socket)
    socket.once('close', () => handshakes.delete(socket))
    socket.on('error', () => socket.destroy())
    tls.emit('connection', socket)
  })
  await listen(server, { port, host })
  return {
    port: (server.address() as AddressInfo).port,
    renew: (certificate) => tls?.setSecureContext(certificate),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of handshakes) socket.destroy()
      }),
  }
}

type Shaking = Options & {
  readonly tickets: WeakMap<Socket, Ticket>
  readonly handshakes: Set<Socket>
}

/** Does the TLS handshakes; it does not listen itself. */
function createTls({ certificate, handshakeMs, tickets, handshakes, onLine, onRefused, log }: Shaking): TlsServer {
  const tls = createTlsServer({ ...certificate, handshakeTimeout: handshakeMs })
  // A connection is identified by its socket below TLS, which the server does not expose.
  const raw = new Map<string, Socket>()
  tls.prependListener('connection', (socket: Socket) => {
    const key = keyOf(socket)
    raw.set(key, socket)
    socket.once('close', () => {
      if (raw.get(key) === socket) raw.delete(key)
    })
  })
  tls.on('secureConnection', (secured) => {
    const socket = raw.get(keyOf(secured))
    const ticket = socket === undefined ? undefined : tickets.get(socket)
    if (socket === undefined || ticket === undefined) {
      secured.destroy()
      return
    }
    handshakes.delete(socket)
    onLine(secured, ticket)
  })
  tls.on('tlsClientError', (err, secured) => {
    onRefused('tls')
    log.debug({ err, address: secured.remoteAddress }, 'a TLS handshake failed')
    secured.destroy()
  })
  return tls
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

async function listen(server: Server, options: { port: number; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
