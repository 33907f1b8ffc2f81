import { readFileSync } from 'node:fs'
import type { OutputOf, RequestOf } from '@saddle/contract/endpoint.ts'
import { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import { riderMessageEndpoints } from '@saddle/contract/marketing/campaigns.ts'
import { riderRechargeEndpoints } from '@saddle/contract/marketing/rechargeActivities.ts'
import { riderContentEndpoints } from '@saddle/contract/marketing/riderContent.ts'
import { riderCouponEndpoints } from '@saddle/contract/marketing/riderCoupons.ts'
import { riderInviteEndpoints } from '@saddle/contract/marketing/riderInvites.ts'
import { riderActivityEndpoints } from '@saddle/contract/marketing/taskActivities.ts'
import { rebalancingEndpoints } from '@saddle/contract/operations/rebalancing.ts'
import { riderSelfEndpoints } from '@saddle/contract/rider/self.ts'
import { rideEndpoints } from '@saddle/contract/riding/rides.ts'
import { riderTicketEndpoints } from '@saddle/contract/support/riderTickets.ts'

const { riderOpenTicket } = riderTicketEndpoints
const { nearVehicles } = rebalancingEndpoints
const { openApp } = riderSelfEndpoints
const { readWallet, recharge, offeredCards, buyCard } = riderMoneyEndpoints
const calls = {
  ...rideEndpoints,
  ...riderActivityEndpoints,
  ...riderContentEndpoints,
  ...riderCouponEndpoints,
  ...riderInviteEndpoints,
  ...riderMessageEndpoints,
  ...riderRechargeEndpoints,
  openApp,
  readWallet,
  recharge,
  offeredCards,
  buyCard,
  riderOpenTicket,
  nearVehicles,
}
type Calls = typeof calls
export type RiderCall = keyof Calls
export type RiderInput<N extends RiderCall> = RequestOf<Calls[N]>
export type RiderData<N extends RiderCall> = OutputOf<Calls[N]>['data']
/** `away`: no answer, none in time, or an internal error. */
export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly code: string }

/** What the app of a rider asks of the platform. Never throws: whatever goes wrong is an answer, too. */
export type RiderApi = {
  ask<N extends RiderCall>(name: N, input: RiderInput<N>): Promise<Answer<RiderData<N>>>
  /** Pays in the channel that the platform named; the demo's is its sandbox. */
  pay(number: string): Promise<Answer<null>>
}

/** A rider who waits longer for an answer tries again. */
const answerMs = 10_000

/** The riders' calls over HTTP. The key is read from its file, and again when the platform does not know it any more. */
export function createRiderApi({ url, keyFile }: { url: string; keyFile: string }): RiderApi {
  let key: string | null = null
  const request = async (name: RiderCall, input: object): Promise<Answer<never>> => {
    key ??= readKey(keyFile)
    if (key === null) return { ok: false, code: 'away' }
    const answer = await send({ url, key, name, input })
    if (!answer.ok && answer.code === 'unauthorized') key = null
    return answer
  }
  return {
    async pay(number) {
      try {
        const signal = AbortSignal.timeout(answerMs)
        const { ok } = await fetch(`${url}/pay/sandbox/${encodeURIComponent(number)}`, { method: 'POST', signal })
        return ok ? { ok, data: null } : { ok, code: 'payment_unavailable' }
      } catch {
        return { ok: false, code: 'away' }
      }
    },
    async ask(name, input) {
      const first = await request(name, input)
      // The platform came back with another key.
      return first.ok || first.code !== 'unauthorized' ? first : await request(name, input)
    },
  }
}

async function send(asked: { url: string; key: string; name: RiderCall; input: object }): Promise<Answer<never>> {
  const { method, path } = calls[asked.name]
  const isQuery = method === 'GET'
  const query = new URLSearchParams(
    Object.entries(asked.input).map(([field, value]): [string, string] => [field, String(value)]),
  ).toString()
  try {
    const response = await fetch(`${asked.url}${path}${isQuery ? `?${query}` : ''}`, {
      method,
      headers: { 'x-api-key': asked.key, ...(isQuery ? {} : { 'content-type': 'application/json' }) },
      ...(isQuery ? {} : { body: JSON.stringify(asked.input) }),
      signal: AbortSignal.timeout(answerMs),
    })
    const body = (await response.json()) as { suc?: boolean; data?: never; error?: { code?: string } }
    if (response.ok && body.suc === true) return { ok: true, data: body.data as never }
    const isOverloaded = response.status >= 500 || response.status === 429
    return { ok: false, code: isOverloaded ? 'away' : (body.error?.code ?? 'away') }
  } catch {
    return { ok: false, code: 'away' }
  }
}

function readKey(file: string): string | null {
  try {
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key?: unknown }
    return typeof key === 'string' ? key : null
  } catch {
    // The server has not written it yet.
    return null
  }
}
