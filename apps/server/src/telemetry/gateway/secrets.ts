import type { Keyring } from '#kit/crypto.ts'
import { isSameText } from '#kit/crypto.ts'

/** A device and the generation of its secret; the first generation is 0. */
export type SecretOf = { readonly imei: string; readonly secretGeneration: number }

/** What devices show to sign in. Derived from the master secret, so none is stored. */
export type DeviceSecrets = {
  /** The MQTT password of a device, 64 hexadecimal digits. */
  deviceSecret(of: SecretOf): string
  isDeviceSecret(of: SecretOf, given: string): boolean
  /** The code that a JT/T 808 terminal gets when it registers and shows from then on, 32 hexadecimal digits. */
  authCode(of: SecretOf): string
  isAuthCode(of: SecretOf, given: string): boolean
  /** Fingerprints of a terminal's registration data, the one of the present master secret first. */
  terminalMarks(said: readonly string[]): readonly [string, ...string[]]
}

const authCodeLength = 32
const passwordPurpose = 'device-mqtt-password'
const codePurpose = 'device-jt808-code'
const markPurpose = 'device-jt808-mark'
/** Purposes whose keys of an earlier master secret stay valid, because vehicles hold what was derived from them. */
export const keptDevicePurposes = [passwordPurpose, codePurpose, markPurpose] as const

export function createDeviceSecrets(keyring: Keyring): DeviceSecrets {
  const hex = (hmac: string): string => Buffer.from(hmac, 'base64url').toString('hex')
  // The first generation is derived without a number: devices in the field hold that secret.
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
