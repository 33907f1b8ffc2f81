import { createHmac } from 'node:crypto'
import type { PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { randomId } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Bank } from '../bank/provider.ts'

interface PaymentPasswordRequest {
  readonly accountId: string
  readonly agentId: number
  readonly operatorId: number
  readonly callType: PaymentPasswordCallType
}

/** Where users set the payment password: never in this product, which must not see it. */
export interface PaymentPasswordProvider {
  /** Address to open in a new tab; null when no provider is configured. */
  link(request: PaymentPasswordRequest): Promise<string | null>
}

export const linkLifetimeMs = 5 * minuteMs

/**
 * Sends people to the page at PAYMENT_PASSWORD_URL, or without one to the bank's own. The link to the first one is
 * signed, expires and names its account:
 * `sign` is the HMAC-SHA256 (base64url) of the query before it, under PAYMENT_PASSWORD_KEY.
 */
export function createPaymentPasswordProvider(
  kit: Pick<Kit, 'config' | 'clock' | 'random' | 'log'>,
  accountAtBank: (agentId: number) => Promise<{ readonly bank: Bank; readonly account: string } | null>,
): PaymentPasswordProvider {
  const { config, clock, random, log } = kit
  return {
    link: async ({ accountId, agentId, operatorId, callType }) => {
      const { paymentPasswordUrl, paymentPasswordKey } = config
      if (paymentPasswordUrl === undefined || paymentPasswordKey === undefined) {
        const found = await accountAtBank(agentId)
        if (found === null) return null
        try {
          const order = { account: found.account, callType, operator: operatorId }
          return (await found.bank.ask('password.link', order)).redirectUrl
        } catch (err) {
          log.warn({ err, agentId }, 'the bank has given no link for a payment password')
          return null
        }
      }
      const address = new URL(paymentPasswordUrl)
      address.searchParams.set('accountId', accountId)
      address.searchParams.set('operatorId', String(operatorId))
      address.searchParams.set('callType', callType)
      address.searchParams.set('expires', String(clock.now() + linkLifetimeMs))
      address.searchParams.set('nonce', randomId(random))
      const text = address.searchParams.toString()
      address.searchParams.set('sign', createHmac('sha256', paymentPasswordKey).update(text).digest('base64url'))
      return address.href
    },
  }
}
