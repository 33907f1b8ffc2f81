export interface SmsMessage {
  /** Eleven digits, without country code. */
  readonly phone: string
  readonly code: string
  readonly ttlMinutes: number
}

/** Whoever brings a code to a phone. `send` resolves when the message was accepted and throws when it was refused. */
export interface SmsProvider {
  readonly name: string
  send(message: SmsMessage): Promise<void>
}

/** Wait for a provider at most this long. */
export const smsTimeoutMs = 10_000

export class SmsProviderError extends Error {
  override readonly name = 'SmsProviderError'
}

/** A configured host as an address: https unless it says otherwise. */
export function serviceAddress(endpoint: string): URL {
  return new URL(endpoint.includes('://') ? endpoint : `https://${endpoint}`)
}
