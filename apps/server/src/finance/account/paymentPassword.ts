import type { PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'
import { randomId } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'

interface PaymentPasswordRequest {
  readonly accountId: string
  readonly operatorId: number
  readonly callType: PaymentPasswordCallType
}

/** Where somebody sets the payment password: never in this product, which must not see it. */
export interface PaymentPasswordProvider {
  /** Address to open in a new tab; null when no provider is configured. */
  link(request: PaymentPasswordRequest): Promise<string | null>
}

export const linkLifetimeMs = 5 * 60_000
const SIGNING_PURPOSE = 'payment-password-link'

/**
 * Sends people to the page at PAYMENT_PASSWORD_URL with a link that is signed, expires and names its account:
 * `sign` is the HMAC-SHA256 (base64url) of the query before it, under the key derived from the master secret.
 */
export function createPaymentPasswordProvider(
  kit: Pick<Kit, 'config' | 'clock' | 'random' | 'secrets'>,
): PaymentPasswordProvider {
  const { config, clock, random, secrets } = kit
  return {
    link: async ({ accountId, operatorId, callType }) => {
      if (config.paymentPasswordUrl === undefined) return null
      const address = new URL(config.paymentPasswordUrl)
      address.searchParams.set('accountId', accountId)
      address.searchParams.set('operatorId', String(operatorId))
      address.searchParams.set('callType', callType)
      address.searchParams.set('expires', String(clock.now() + linkLifetimeMs))
      address.searchParams.set('nonce', randomId(random))
      const text = address.searchParams.toString()
      address.searchParams.set('sign', secrets.hmac({ purpose: SIGNING_PURPOSE, text }))
      return address.href
    },
  }
}
