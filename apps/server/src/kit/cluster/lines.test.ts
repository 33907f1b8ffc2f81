import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { topic } from '../bus.ts'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import type { BusLine } from './line.ts'
import { openNatsLine } from './natsLine.ts'
import { startNatsServer } from './natsServer.fixture.ts'
import { createNatsReader, credentialsOf } from './natsWire.ts'
import { openPostgresLine } from './postgresLine.ts'
import { createSharedBus } from './sharedBus.ts'

const { owner, url } = await testDatabase()
const nats = await startNatsServer()
afterAll(() => nats.stop())
const said = topic<{ readonly n: number; readonly text: string }>('said')

interface Kind {
  readonly name: string
  readonly openLine: () => Promise<BusLine>
  readonly breakConnections: () => Promise<unknown>
}
const openNats = (subject: string) => openNatsLine({ servers: [nats.url], subject, log: silentLog })
const kinds: Kind[] = [
  {
    name: 'PostgreSQL',
    openLine: () => openPostgresLine({ url, log: silentLog }),
    breakConnections: () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'saddle bus' and datname = current_database()`.execute(owner),
  },
  { name: nats.kind, openLine: () => openNats('saddle.bus.one'), breakConnections: nats.breakConnections },
]

const text = 'x'.repeat(2_000)

describe.each(kinds)('the line over $name', ({ openLine, breakConnections }) => {
  const open = async (node: string) => {
    const bus = await createSharedBus({ log: silentLog, clock: systemClock, node, line: await openLine() })
    afterAll(() => bus.close())
    const heard: number[] = []
    const told = { gaps: 0 }
    bus.subscribe(said, ({ n }) => void heard.push(n))
    bus.onGap(() => (told.gaps += 1))
    return { bus, heard, told }
  }
  const both = Promise.all([open('a'), open('b')])

  it('carries messages between two connections, many at a time', async () => {
    const [first, second] = await both
    const numbers = Array.from({ length: 500 }, (_, n) => n)
    for (const n of numbers) first.bus.publish(said, { n, text: `${n} ${text}` })
    await expect.poll(() => second.heard.length).toBe(numbers.length)
    expect(second.heard).toEqual(numbers)
    expect(first.heard).toEqual(numbers)
    expect([first.told.gaps, second.told.gaps]).toEqual([0, 0])
  })

  it('connects again when its connection breaks, and tells of the gap', async () => {
    const [first, second] = await both
    await breakConnections()
    await expect.poll(() => Math.min(first.told.gaps, second.told.gaps), { timeout: 60_000 }).toBeGreaterThan(0)
    second.bus.publish(said, { n: 1_000, text })
    await expect.poll(() => first.heard.at(-1), { timeout: 60_000 }).toBe(1_000)
  })
})

describe('NATS', () => {
  it('keeps installations with other subjects apart', async () => {
    const [own, other] = await Promise.all([openNats('saddle.bus.own'), openNats('saddle.bus.other')])
    const listener = await openNats('saddle.bus.own')
    const heard: string[] = []
    const receiver = { onFrame: (frame: string) => void heard.push(frame), onGap: () => {} }
    await listener.listen(receiver)
    await other.send(['not for us'])
    await own.send(['for us'])
    await expect.poll(() => heard).toEqual(['for us'])
    await Promise.all([own, other, listener].map((line) => line.close()))
  })

  it('does not start with a login that the server refuses', async () => {
    const wrong = new URL(nats.url)
    wrong.password = 'wrong'
    await expect(openNatsLine({ servers: [wrong], subject: 's', log: silentLog })).rejects.toThrow()
  })

  it('is read from pieces of any size', () => {
    const bytes = Buffer.from(
      'INFO {"a":1}\r\nMSG s 1 4\r\n\r\nxy\r\nPING\r\n+OK\r\nMSG s 1 reply 3\r\n辆\r\nPONG\r\n-ERR \'No\'\r\n',
    )
    const whole = createNatsReader()(bytes)
    expect(whole.map((message) => message.kind)).toEqual(['info', 'message', 'ping', 'message', 'pong', 'error'])
    expect(whole[1]).toEqual({ kind: 'message', payload: '\r\nxy' })
    expect(whole[3]).toEqual({ kind: 'message', payload: '辆' })
    for (let size = 1; size < 12; size += 1) {
      const read = createNatsReader()
      const found = []
      for (let at = 0; at < bytes.length; at += size) found.push(...read(bytes.subarray(at, at + size)))
      expect(found).toEqual(whole)
    }
    expect(() => createNatsReader()(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow()
    expect(credentialsOf(new URL('nats://token@h'))).toEqual({ auth_token: 'token' })
  })
})
