export interface SmsMessage {
  /** Eleven digits, without country code. */
  readonly phone: string
  readonly code: string
  readonly ttlMinutes: number
}

/** Sends codes to phones. `send` resolves when the message was accepted and throws when it was rejected. */
export interface SmsProvider {
  readonly name: string
  send(message: SmsMessage): Promise<void>
}

/** Timeout of a provider. */
export const smsTimeoutMs = 10_000

export class SmsProviderError extends Error {
  override readonly name = 'SmsProviderError'
}

/** A configured host as an address: https unless it says otherwise. */
export function serviceAddress(endpoint: string): URL {
  return new URL(endpoint.includes('://') ? endpoint : `https://${endpoint}`)
}
