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
  /** Fingerprints of what a terminal says of itself when it registers, the present secret's first. */
  terminalMarks(said: readonly string[]): readonly [string, ...string[]]
}

const authCodeLength = 32
const passwordPurpose = 'device-mqtt-password'
const codePurpose = 'device-jt808-code'
const markPurpose = 'device-jt808-mark'
/** What vehicles on the street hold: keys of an earlier master secret stay good until they are given up. */
export const keptDevicePurposes = [passwordPurpose, codePurpose, markPurpose] as const

export function createDeviceSecrets(keyring: Keyring): DeviceSecrets {
  const hex = (hmac: string): string => Buffer.from(hmac, 'base64url').toString('hex')
  // The first secret is derived as it was before secrets were counted: devices on the street have it.
  const nameOf = ({ imei, secretGeneration }: SecretOf): string =>
    secretGeneration === 0 ? imei : `${imei}.${secretGeneration}`
  const passwords = (of: SecretOf): string[] => keyring.hmacs({ purpose: passwordPurpose, text: nameOf(of) }).map(hex)
  const codes = (of: SecretOf): string[] =>
    keyring.hmacs({ purpose: codePurpose, text: nameOf(of) }).map((hmac) => hex(hmac).slice(0, authCodeLength))
  return {
    deviceSecret: (of) => passwords(of)[0] ?? '',
    isDeviceSecret: (of, given) => passwords(of).some((password) => isSameText(given, password)),
    authCode: (of) => codes(of)[0] ?? '',
    isAuthCode: (of, given) => codes(of).some((code) => isSameText(given, code)),
    terminalMarks: (said) => keyring.hmacs({ purpose: markPurpose, text: said.join('\u0000') }),
  }
}
