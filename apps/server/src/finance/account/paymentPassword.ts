import { createHmac } from 'node:crypto'
import type { PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { randomId } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'

interface PaymentPasswordRequest {
  readonly accountId: string
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
 * Sends people to the page at PAYMENT_PASSWORD_URL with a link that is signed, expires and names its account:
 * `sign` is the HMAC-SHA256 (base64url) of the query before it, under PAYMENT_PASSWORD_KEY.
 */
export function createPaymentPasswordProvider(kit: Pick<Kit, 'config' | 'clock' | 'random'>): PaymentPasswordProvider {
  const { config, clock, random } = kit
  return {
    link: async ({ accountId, operatorId, callType }) => {
      const { paymentPasswordUrl, paymentPasswordKey } = config
      if (paymentPasswordUrl === undefined || paymentPasswordKey === undefined) return null
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
