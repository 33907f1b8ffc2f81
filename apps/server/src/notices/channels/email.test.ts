import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, it } from 'vitest'
import { RefusedError } from '#kit/webhook.ts'
import type { Outgoing } from './channel.ts'
import { createMailChannel } from './email.ts'

interface Letter {
  readonly user: unknown
  readonly isSecure: boolean
  readonly to: readonly string[]
  readonly text: string
}

const letters: Letter[] = []
const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
  letters.length = 0
})

const refused = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code })

/** A mail server that asks for a password and for an encrypted connection; resolves to its port. */
async function startServer(): Promise<number> {
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username, password }, _, callback) =>
      password === 'secret' ? callback(null, { user: username }) : callback(refused(535, 'wrong password')),
    onRcptTo: ({ address }, _, callback) => {
      if (address.startsWith('gone@')) return callback(refused(550, 'no such mailbox'))
      return address.startsWith('busy@') ? callback(refused(451, 'try again later')) : callback()
    },
    onData: (stream, session, callback) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        letters.push({ user: session.user, isSecure: session.secure, to, text: Buffer.concat(parts).toString() })
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  closings.push(() => server.close())
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The certificate of the test's server is its own, so that the channel is told to take it. */
const options = '?requireTLS=true&tls.rejectUnauthorized=false'

function open(port: number, { password = 'secret', query = options } = {}) {
  const channel = createMailChannel({
    url: `smtp://saddle:${password}@127.0.0.1:${port}${query}`,
    from: 'Saddle <notices@example.com>',
    publicUrl: 'https://console.example.com',
  })
  closings.push(() => channel.close())
  return channel
}

const letter = (to: string): Outgoing => ({
  id: '17',
  to,
  title: '提现失败',
  body: '提现 ¥123.45 没有成功。',
  path: '/financial/AccountManager',
  event: 'withdrawal_failed',
  atMs: 0,
  nowMs: 0,
})
const failureOf = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

/** The text of quoted-printable. */
const unquoted = (text: string): string =>
  decodeURIComponent(
    text
      .replaceAll('=\r\n', '')
      .replaceAll('%', '%25')
      .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
  )

it('sends a letter with its link and number, after STARTTLS and a login', async () => {
  await open(await startServer()).send(letter('wang@example.com'))
  const [sent, ...others] = letters
  expect(others).toEqual([])
  expect(sent).toMatchObject({ user: 'saddle', isSecure: true, to: ['wang@example.com'] })
  expect(sent?.text).toContain('Message-ID: <notice-17@example.com>')
  expect(sent?.text).toContain('Auto-Submitted: auto-generated')
  const body = unquoted(sent?.text ?? '')
  expect(body).toContain('提现 ¥123.45 没有成功。')
  expect(body).toContain('https://console.example.com/console/#/financial/AccountManager')
})

it('gives a letter up whose receiver is refused for good, and no other', async () => {
  const channel = open(await startServer())
  expect(await failureOf(channel.send(letter('gone@example.com')))).toBeInstanceOf(RefusedError)
  const later = await failureOf(channel.send(letter('busy@example.com')))
  expect(later).toBeInstanceOf(Error)
  expect(later).not.toBeInstanceOf(RefusedError)
  await channel.send(letter('wang@example.com'))
  expect(letters).toHaveLength(1)
})

it('keeps letters for a later try while the password is wrong, the certificate unknown or the server away', async () => {
  const port = await startServer()
  const wrong = open(port, { password: 'other' })
  const untrusted = open(port, { query: '?requireTLS=true' })
  const away = open(1)
  for (const channel of [wrong, untrusted, away]) {
    const failure = await failureOf(channel.send(letter('wang@example.com')))
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(RefusedError)
  }
  expect(letters).toEqual([])
})
