import type { Keyring } from '#kit/crypto.ts'
import { isSameText } from '#kit/crypto.ts'

/** What devices show to be let in. Derived from the platform's secret, so that none of them is kept anywhere. */
export type DeviceSecrets = {
  /** The MQTT password of a device, 64 hexadecimal digits. */
  deviceSecret(imei: string): string
  isDeviceSecret(options: { imei: string; given: string }): boolean
  /** The code that a JT/T 808 terminal gets with its registration and shows ever after, 32 hexadecimal digits. */
  authCode(imei: string): string
  isAuthCode(options: { imei: string; given: string }): boolean
  /** A fingerprint of what a terminal says of itself when it registers. */
  terminalMark(said: readonly string[]): string
}

const authCodeLength = 32

export function createDeviceSecrets(keyring: Keyring): DeviceSecrets {
  const hex = (purpose: string, text: string): string =>
    Buffer.from(keyring.hmac({ purpose, text }), 'base64url').toString('hex')
  const deviceSecret = (imei: string): string => hex('device-mqtt-password', imei)
  const authCode = (imei: string): string => hex('device-jt808-code', imei).slice(0, authCodeLength)
  return {
    deviceSecret,
    isDeviceSecret: ({ imei, given }) => isSameText(given, deviceSecret(imei)),
    authCode,
    isAuthCode: ({ imei, given }) => isSameText(given, authCode(imei)),
    terminalMark: (said) => keyring.hmac({ purpose: 'device-jt808-mark', text: said.join('\u0000') }),
  }
}
