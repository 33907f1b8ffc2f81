import type { Keyring } from '#kit/crypto.ts'
import { isSameText } from '#kit/crypto.ts'

/** Which secret of which device: each device counts its own, beginning with 0. */
export type SecretOf = { readonly imei: string; readonly secretGeneration: number }

/** What devices show to be let in. Derived from the platform's secret, so that none of them is kept anywhere. */
export type DeviceSecrets = {
  /** The MQTT password of a device, 64 hexadecimal digits. */
  deviceSecret(of: SecretOf): string
  isDeviceSecret(of: SecretOf, given: string): boolean
  /** The code that a JT/T 808 terminal gets with its registration and shows ever after, 32 hexadecimal digits. */
  authCode(of: SecretOf): string
  isAuthCode(of: SecretOf, given: string): boolean
  /** A fingerprint of what a terminal says of itself when it registers. */
  terminalMark(said: readonly string[]): string
}

const authCodeLength = 32

export function createDeviceSecrets(keyring: Keyring): DeviceSecrets {
  const hex = (purpose: string, text: string): string =>
    Buffer.from(keyring.hmac({ purpose, text }), 'base64url').toString('hex')
  // The first secret is derived as it was before secrets were counted: devices on the street have it.
  const nameOf = ({ imei, secretGeneration }: SecretOf): string =>
    secretGeneration === 0 ? imei : `${imei}.${secretGeneration}`
  const deviceSecret = (of: SecretOf): string => hex('device-mqtt-password', nameOf(of))
  const authCode = (of: SecretOf): string => hex('device-jt808-code', nameOf(of)).slice(0, authCodeLength)
  return {
    deviceSecret,
    isDeviceSecret: (of, given) => isSameText(given, deviceSecret(of)),
    authCode,
    isAuthCode: (of, given) => isSameText(given, authCode(of)),
    terminalMark: (said) => keyring.hmac({ purpose: 'device-jt808-mark', text: said.join('\u0000') }),
  }
}
