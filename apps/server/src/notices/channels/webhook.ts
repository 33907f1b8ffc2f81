import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublicAddress } from '#kit/address.ts'
import { type Channel, RefusedError, sendTimeoutMs } from './channel.ts'

/** Where a company's system is told, and the key that signs what it is told. */
export const webhookTargetSchema = z.object({ url: z.string(), secret: z.string() })
export type WebhookTarget = z.infer<typeof webhookTargetSchema>

const firstRefusal = 400
const firstServerFault = 500
/** Ask again: the other side is busy or was too slow. */
const passing = new Set([408, 425, 429])

/**
 * POSTs a signed JSON: `Saddle-Signature: t=<seconds>,v1=<hex of HMAC-SHA256 over "t.body">`, `Saddle-Delivery` is the same in
 * every attempt. Only to addresses of the public internet, by https: a company could otherwise have the platform call its own
 * network. The address that was checked is the one that is called, and redirects are not followed.
 */
export function createWebhookChannel({ isLocalAllowed }: { readonly isLocalAllowed: boolean }): Channel {
  return {
    state: 'on',
    send: async (message) => {
      const target = webhookTargetSchema.parse(JSON.parse(message.to))
      const url = new URL(target.url)
      if (url.protocol !== 'https:' && !isLocalAllowed) throw new RefusedError('only https is called')
      const address = await addressOf(url.hostname.replaceAll(/[[\]]/g, ''), isLocalAllowed)
      const { id, event, title, body, path, atMs, nowMs } = message
      const text = JSON.stringify({ id, event, title, body, path, at: atMs })
      const seconds = Math.floor(nowMs / 1_000)
      const status = await post({
        url,
        address,
        text,
        headers: {
          'content-type': 'application/json',
          'saddle-delivery': id,
          'saddle-signature': `t=${seconds},v1=${signatureOf(target.secret, seconds, text)}`,
        },
      })
      if (status >= firstRefusal && status < firstServerFault && !passing.has(status))
        throw new RefusedError(`the webhook answered ${status}`)
      if (status >= 300) throw new Error(`the webhook answered ${status}`)
    },
  }
}

export const signatureOf = (secret: string, seconds: number, text: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')

/** What is wrong with an address that a company gives; null: nothing. */
export function webhookFault(text: string, isLocalAllowed: boolean): 'form' | 'https' | 'private' | null {
  if (!URL.canParse(text)) return 'form'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) return 'form'
  if (isLocalAllowed) return null
  if (url.protocol !== 'https:') return 'https'
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'private'
  return host === 'localhost' || !host.includes('.') ? 'private' : null
}

async function addressOf(host: string, isLocalAllowed: boolean): Promise<string> {
  const found = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  const [first] = found
  if (first === undefined) throw new Error('the host of the webhook has no address')
  // One private address among several is enough for the check to be bypassed by chance.
  if (!isLocalAllowed && !found.every(isPublicAddress)) throw new RefusedError('the webhook lies in a private network')
  return first
}

function post(options: {
  readonly url: URL
  readonly address: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}): Promise<number> {
  const { url, address, text, headers } = options
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(text) },
        signal: AbortSignal.timeout(sendTimeoutMs),
        lookup: (_host, given, done) => {
          const family = isIP(address)
          if (given.all === true) done(null, [{ address, family }])
          else done(null, address, family)
        },
      },
      (answer) => {
        // What it says is of no interest, and not read.
        answer.destroy()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
