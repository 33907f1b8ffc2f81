/** A NATS server for tests: nats-server where it is installed, otherwise a stand-in that says the same words. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/freePort.ts'

export interface NatsServer {
  readonly kind: 'nats-server' | 'stand-in'
  readonly url: URL
  /** Ends every connection, as a server that is started again does. */
  breakConnections(): Promise<void>
  stop(): Promise<void>
}

export async function startNatsServer(): Promise<NatsServer> {
  const isInstalled = spawnSync('nats-server', ['--version']).status === 0
  return isInstalled ? startReal() : startStandIn()
}

async function startReal(): Promise<NatsServer> {
  const port = await freePort()
  let child = await run(port)
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    kind: 'nats-server',
    url: new URL(`nats://someone:secret@127.0.0.1:${port}`),
    stop,
    breakConnections: async () => {
      await stop()
      child = await run(port)
    },
  }
}

async function run(port: number): Promise<ChildProcess> {
  const words = ['-a', '127.0.0.1', '-p', String(port), '--user', 'someone', '--pass', 'secret']
  const child = spawn('nats-server', words, { stdio: 'ignore' })
  while (!(await listens(port))) await sleep(20)
  return child
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function startStandIn(): Promise<NatsServer> {
  const subscribed = new Map<Socket, string>()
  const all = new Set<Socket>()
  const server = createServer((socket) => {
    all.add(socket)
    let rest = ''
    let isKnown = false
    socket.write('INFO {"server_id":"stand-in","max_payload":1048576}\r\n')
    socket.on('error', () => {})
    socket.on('close', () => {
      all.delete(socket)
      subscribed.delete(socket)
    })
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const [word = '', subject = '', bytes = ''] = rest.slice(0, end).split(' ')
        const from = end + 2
        if (word === 'PUB' && rest.length < from + Number(bytes) + 2) return
        const payload = rest.slice(from, from + Number(bytes))
        rest = rest.slice(word === 'PUB' ? from + payload.length + 2 : from)
        if (word === 'CONNECT') isKnown = subject.includes('"user":"someone"') && subject.includes('"pass":"secret"')
        else if (!isKnown) socket.end(`-ERR 'Authorization Violation'\r\n`)
        else if (word === 'PING') socket.write('PONG\r\n')
        else if (word === 'SUB') subscribed.set(socket, subject)
        else if (word === 'PUB')
          for (const [other, wanted] of subscribed)
            if (other !== socket && wanted === subject)
              other.write(`MSG ${subject} 1 ${bytes}\r\n${payload}\r\n`, 'latin1')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakConnections = async (): Promise<void> => {
    for (const socket of all) socket.destroy()
    await Promise.resolve()
  }
  return {
    kind: 'stand-in',
    url: new URL(`nats://someone:secret@127.0.0.1:${(server.address() as AddressInfo).port}`),
    breakConnections,
    stop: async () => {
      await breakConnections()
      server.close()
    },
  }
}
