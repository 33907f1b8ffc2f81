export interface SmsMessage {
  /** Eleven digits, without country code. */
  readonly phone: string
  readonly code: string
  readonly ttlMinutes: number
}

export interface SmsText {
  readonly phone: string
  readonly text: string
}

/** Sends codes to phones. `send` resolves when the message was accepted and throws when it was rejected. */
export interface SmsProvider {
  readonly name: string
  send(message: SmsMessage): Promise<void>
  /** Sends a short text; absent where no template for texts is configured. */
  readonly sendText?: (message: SmsText) => Promise<void>
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
