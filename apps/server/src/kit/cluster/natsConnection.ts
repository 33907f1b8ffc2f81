import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { createNatsReader, credentialsOf, NatsError, type NatsMessage } from './natsWire.ts'

const defaultPort = 4_222
/** A server that does not answer within this time is given up. */
const answerWithinMs = 5_000
/** How often a silent connection is asked whether it lives. */
const askEveryMs = 2_000
const subscription = 1

interface NatsConnectionOptions {
  readonly server: URL
  readonly subject: string
  readonly onPayload: (payload: string) => void
  /** Called once, when the connection has ended after it was open. */
  readonly onEnd: (reason: Error) => void
}

export interface NatsConnection {
  /** Resolves when the server has taken all payloads. */
  publish(payloads: readonly string[]): Promise<void>
  close(): void
}

interface Answer {
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/** One connection to one NATS server: it subscribes to the subject, and publishes there what others shall hear. */
export async function openNatsConnection(options: NatsConnectionOptions): Promise<NatsConnection> {
  const { server, subject } = options
  const hello = await greet(options)
  const { socket, read } = hello
  const answers: Answer[] = []
  let ended: Error | null = null
  let heardAt = performance.now()

  const end = (reason: Error): void => {
    if (ended !== null) return
    ended = reason
    clearInterval(asking)
    socket.destroy()
    for (const { reject } of answers.splice(0)) reject(reason)
    options.onEnd(reason)
  }
  const take = (message: NatsMessage): void => {
    if (message.kind === 'message') options.onPayload(message.payload)
    else if (message.kind === 'ping') socket.write('PONG\r\n')
    else if (message.kind === 'pong') answers.shift()?.resolve()
    else if (message.kind === 'error') end(new NatsError(`the NATS server refuses: ${message.reason}`))
  }
  const takeAll = (chunk: Buffer): void => {
    heardAt = performance.now()
    try {
      for (const message of read(chunk)) take(message)
    } catch (error) {
      end(error instanceof Error ? error : new NatsError(String(error)))
    }
  }
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (ended !== null) {
        reject(ended)
        return
      }
      answers.push({ resolve, reject })
      socket.write('PING\r\n')
    })
  const asking = setInterval(() => {
    if (performance.now() - heardAt > answerWithinMs) end(new NatsError('the NATS server does not answer'))
    else ask().catch(() => {})
  }, askEveryMs)
  asking.unref()
  socket.on('data', takeAll)
  socket.on('close', () => end(new NatsError('the connection to the NATS server broke')))

  const secure = server.protocol === 'tls:'
  const hail = {
    verbose: false,
    pedantic: false,
    tls_required: secure,
    echo: false,
    lang: 'node',
    version: '1',
    protocol: 0,
    name: 'saddle',
    headers: false,
  }
  socket.write(`CONNECT ${JSON.stringify({ ...hail, ...credentialsOf(server) })}\r\nSUB ${subject} ${subscription}\r\n`)
  // The server refuses a login in its answer to what follows it.
  await within(ask(), 'the NATS server does not answer').catch((error: unknown) => {
    clearInterval(asking)
    socket.destroy()
    throw error
  })
  return {
    publish: (payloads) => {
      socket.cork()
      for (const payload of payloads) socket.write(`PUB ${subject} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`)
      const answered = ask()
      socket.uncork()
      return answered
    },
    close: () => {
      ended ??= new NatsError('closed')
      clearInterval(asking)
      socket.destroy()
      for (const { reject } of answers.splice(0)) reject(ended)
    },
  }
}

/** Connects and reads the first line of the server, after which the connection may become a TLS one. */
async function greet({
  server,
}: NatsConnectionOptions): Promise<{ socket: Socket; read: (chunk: Buffer) => NatsMessage[] }> {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const plain = connectPlain({ host, port: Number(server.port || defaultPort), keepAlive: true, noDelay: true })
  // An error is followed by 'close'.
  plain.on('error', () => {})
  try {
    const read = createNatsReader()
    const info = await within(firstMessage(plain, read), 'the NATS server does not greet')
    if (info.kind !== 'info') throw new NatsError('not what a NATS server says first')
    if (server.protocol !== 'tls:') {
      if (info.info['tls_required'] === true) throw new NatsError('the NATS server wants TLS: write tls:// in NATS_URL')
      return { socket: plain, read }
    }
    const secure = connectSecure({ socket: plain, host, servername: host })
    secure.on('error', () => {})
    await within(
      new Promise<void>((resolve, reject) => {
        secure.once('secureConnect', resolve)
        secure.once('error', reject)
      }),
      'the NATS server does not speak TLS',
    )
    return { socket: secure, read: createNatsReader() }
  } catch (error) {
    plain.destroy()
    throw error
  }
}

function firstMessage(socket: Socket, read: (chunk: Buffer) => NatsMessage[]): Promise<NatsMessage> {
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      try {
        const [message] = read(chunk)
        if (message === undefined) return
        socket.off('data', take)
        resolve(message)
      } catch (error) {
        reject(error instanceof Error ? error : new NatsError(String(error)))
      }
    }
    socket.on('data', take)
    socket.once('error', reject)
    socket.once('close', () => reject(new NatsError('the NATS server closed the connection')))
  })
}

async function within<T>(work: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | null = null
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NatsError(sentence)), answerWithinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}
