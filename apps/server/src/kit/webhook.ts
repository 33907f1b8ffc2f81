import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/** The other side must not or will not be told; another attempt would not change that. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

export const webhookTimeoutMs = 10_000
/** So much of an answer is kept for the log. */
export const answerCharsMax = 1_000

export interface WebhookAnswer {
  readonly status: number
  /** The beginning of what it said. */
  readonly text: string
}

/** Hex of HMAC-SHA256 over `<seconds>.<text>`. */
export const signatureOf = (secret: string, seconds: number, text: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')

/** What is wrong with an address that a company gives; null: nothing. */
export function webhookFault(text: string, isLocalAllowed: boolean): 'form' | 'https' | 'private' | null {
  if (!URL.canParse(text)) return 'form'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) return 'form'
  if (isLocalAllowed) return null
  if (url.protocol !== 'https:') return 'https'
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'private'
  return host === 'localhost' || !host.includes('.') ? 'private' : null
}

const hostOf = (url: URL): string => url.hostname.replaceAll(/[[\]]/g, '')

interface Called {
  readonly url: string
  readonly isLocalAllowed: boolean
  /** Finds the addresses of a host. By default the system does. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>
  readonly timeoutMs?: number
}

/**
 * POSTs a signed JSON: `Saddle-Signature: t=<seconds>,v1=<signature>`, one `v1` for each secret; `Saddle-Delivery` is the same in
 * every attempt.
 */
export async function postSigned(
  options: Called & {
    readonly secrets: readonly string[]
    readonly delivery: string
    readonly text: string
    readonly nowMs: number
  },
): Promise<WebhookAnswer> {
  const { secrets, delivery, text, nowMs, ...call } = options
  const seconds = Math.floor(nowMs / 1_000)
  const signatures = secrets.map((secret) => `v1=${signatureOf(secret, seconds, text)}`)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Saddle-Webhooks',
    'saddle-delivery': delivery,
    'saddle-signature': [`t=${seconds}`, ...signatures].join(','),
  }
  return sendOutside({ ...call, method: 'POST', text, headers })
}

/**
 * Sends a text to an address that a company has given, or reads what is there. Only to addresses of the public internet, by https: a company could
 * otherwise have the platform call its own network. The address that was checked is the one that is called, and redirects are
 * not followed. Throws `RefusedError` where the address must not be called, and whatever the connection fails with.
 */
export async function sendOutside(
  options: Called & {
    readonly method: 'GET' | 'POST' | 'PUT'
    /** Empty where something is read. */
    readonly text: string
    readonly headers: Readonly<Record<string, string>>
    /** So much of the answer is read. */
    readonly charsMax?: number
  },
): Promise<WebhookAnswer> {
  const { isLocalAllowed, addressesOf = resolve, timeoutMs = webhookTimeoutMs, charsMax = answerCharsMax } = options
  const url = new URL(options.url)
  if (url.protocol !== 'https:' && !isLocalAllowed) throw new RefusedError('only https is called')
  const host = hostOf(url)
  const found = isIP(host) === 0 ? await addressesOf(host) : [host]
  const [address] = found
  if (address === undefined) throw new Error('the host has no address')
  // One private address among several is enough for the check to be bypassed by chance.
  if (!isLocalAllowed && !found.every(isPublicAddress)) throw new RefusedError('the address lies in a private network')
  const { method, text, headers } = options
  return send({ method, url, address, text, headers, timeoutMs, charsMax })
}

const resolve = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

function send(options: {
  readonly method: string
  readonly url: URL
  readonly address: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly charsMax: number
}): Promise<WebhookAnswer> {
  const { method, url, address, text, headers, timeoutMs, charsMax } = options
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((fulfil, reject) => {
    const sent = request(
      url,
      {
        method,
        agent: false,
        headers: method === 'GET' ? headers : { ...headers, 'content-length': Buffer.byteLength(text) },
        signal: AbortSignal.timeout(timeoutMs),
        lookup: (_host, given, done) => {
          const family = isIP(address)
          if (given.all === true) done(null, [{ address, family }])
          else done(null, address, family)
        },
      },
      (answer) =>
        void beginningOf(answer, charsMax).then((said) => fulfil({ status: answer.statusCode ?? 0, text: said })),
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** The first characters of an answer; the rest is not read. */
async function beginningOf(answer: IncomingMessage, charsMax: number): Promise<string> {
  let text = ''
  answer.setEncoding('utf8')
  try {
    for await (const part of answer) {
      text += String(part)
      // Leaving the loop ends the connection.
      if (text.length >= charsMax) break
    }
  } catch {
    // The status has said what counts; the rest of the text did not come in time.
  }
  // A zero character cannot be stored.
  return text.slice(0, charsMax).replaceAll('\0', ' ').toWellFormed()
}
