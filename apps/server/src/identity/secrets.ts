import { hash } from 'node:crypto'
import { decodeSessionKeys, encodeSessionKeys } from '@saddle/contract/wire/keyExchange.ts'
import { fromUtf8, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import type { Keyring } from '#kit/crypto.ts'

/** Sealing and hashing of all identity secrets, each with its own key purpose. */
export interface IdentitySecrets {
  phoneHash(phone: string): string
  /** The user's stable identifier, 24 hex digits, computed alike for registered and unregistered numbers. */
  objectId(phone: string): string
  /** Stands for the opManId of a number without operator: stable, 24 hex digits. */
  standInOpManId(phone: string): string
  codeHash(phone: string, code: string): string
  addressHash(bucket: string): string
  sealPhone(phone: string): string
  openPhone(sealed: string): string
  sealKeys(handle: string, keys: SessionKeys): string
  openKeys(handle: string, sealed: string): SessionKeys
  sealTotp(operatorId: number, secret: string): string
  openTotp(operatorId: number, sealed: string): string
  /** With the current secret first; codes are not stored, so hashes of earlier secrets cannot be recomputed. */
  recoveryHashes(operatorId: number, code: string): readonly [string, ...string[]]
  signOrigin(payload: string): string
  signChallenge(payload: string): string
  /** Of a code on a wall, which is too short for a plain hash. */
  screenCodeHash(code: string): string
  /** Stands in the tokens of a screen, where a person's identifier stands otherwise. */
  screenObjectId(screenId: number): string
  /** Seed of the key pair for the key exchange. */
  exchangeSeed(): Uint8Array
}

const hexLength = 24
export const phonePurpose = 'identity phone'
export const keysPurpose = 'identity session keys'
export const totpPurpose = 'identity second factor'
export const recoveryPurpose = 'identity recovery code'

export function createIdentitySecrets(keyring: Keyring): IdentitySecrets {
  const hmac = (purpose: string, text: string): string => keyring.hmac({ purpose: `identity ${purpose}`, text })
  const hexId = (purpose: string, phone: string): string =>
    Buffer.from(hmac(purpose, phone), 'base64url').toString('hex').slice(0, hexLength)
  return {
    phoneHash: (phone) => hmac('phone', phone),
    objectId: (phone) => hexId('object id', phone),
    standInOpManId: (phone) => hexId('stand-in operator id', phone),
    codeHash: (phone, code) => hmac('sms code', `${phone}:${code}`),
    addressHash: (bucket) => hmac('address', bucket),
    sealPhone: (phone) => keyring.encryptText({ purpose: phonePurpose, text: phone }),
    openPhone: (sealed) => keyring.decryptText({ purpose: phonePurpose, sealed }),
    sealKeys: (handle, keys) =>
      keyring.encryptText({ purpose: keysPurpose, text: fromUtf8(encodeSessionKeys(keys)), context: handle }),
    openKeys: (handle, sealed) =>
      decodeSessionKeys(utf8(keyring.decryptText({ purpose: keysPurpose, sealed, context: handle }))),
    sealTotp: (operatorId, secret) =>
      keyring.encryptText({ purpose: totpPurpose, text: secret, context: String(operatorId) }),
    openTotp: (operatorId, sealed) =>
      keyring.decryptText({ purpose: totpPurpose, sealed, context: String(operatorId) }),
    recoveryHashes: (operatorId, code) => keyring.hmacs({ purpose: recoveryPurpose, text: `${operatorId}:${code}` }),
    signOrigin: (payload) => hmac('quick login', payload),
    signChallenge: (payload) => hmac('passkey challenge', payload),
    screenCodeHash: (code) => hmac('screen code', code),
    screenObjectId: (screenId) => hexId('screen', String(screenId)),
    exchangeSeed: () => keyring.key('identity key exchange'),
  }
}

/** Hash of a cookie's value as it is stored and compared: the values are 256 random bits, so no key is needed. */
export function cookieHash(value: string): string {
  return hash('sha256', value, 'base64url')
}
