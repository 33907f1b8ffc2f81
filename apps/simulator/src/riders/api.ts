import { readFileSync } from 'node:fs'
import { isApiError } from '@saddle/client/error.ts'
import { answerTimeoutMs } from '@saddle/client/jsonCall.ts'
import { createRiderClient, type RiderAnswer } from '@saddle/client/riderClient.ts'
import type { RequestOf } from '@saddle/contract/endpoint.ts'
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
export type RiderData<N extends RiderCall> = RiderAnswer<Calls[N]>
/** `away`: no answer, none in time, or an internal error. */
export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly code: string }

/** What the app of a rider asks of the platform. Never throws: whatever goes wrong is an answer, too. */
export type RiderApi = {
  ask<N extends RiderCall>(name: N, input: RiderInput<N>): Promise<Answer<RiderData<N>>>
  /** Pays in the channel that the platform named; the demo's is its sandbox. */
  pay(number: string): Promise<Answer<null>>
}

/** The riders' calls over HTTP. The key is read from its file, and again when the platform does not know it any more. */
export function createRiderApi({ url, keyFile }: { url: string; keyFile: string }): RiderApi {
  const client = createRiderClient({ url, calls })
  let key: string | null = null
  const request: RiderApi['ask'] = async (name, input) => {
    key ??= readKey(keyFile)
    if (key === null) return { ok: false, code: 'away' }
    return client.call(key, name, input).then(
      (data) => ({ ok: true as const, data }),
      (error: unknown) => {
        const code = refusalOf(error)
        if (code === 'unauthorized') key = null
        return { ok: false as const, code }
      },
    )
  }
  return {
    async pay(number) {
      try {
        const signal = AbortSignal.timeout(answerTimeoutMs)
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

/** No answer, an internal error and an overload are waited out alike. */
function refusalOf(error: unknown): string {
  if (!isApiError(error)) throw error
  const { status, code } = error
  return status === 0 || status >= 500 || status === 429 ? 'away' : code
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
