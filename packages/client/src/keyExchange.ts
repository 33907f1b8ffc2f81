import { CipherSuite } from 'hpke'
import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { concatBytes, fromBase64Url, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import {
  decodeSessionKeys,
  encapsulatedLength,
  keyAnswerInfo,
  keyRequestInfo,
  type KeyRequest,
} from '@saddle/contract/wire/keyExchange.ts'

export interface KeyExchange {
  /** What goes up in `params`. */
  readonly params: string
  /** Opens `data.aesKey`; throws when it was not sealed to this exchange. */
  open(aesKey: string): Promise<SessionKeys>
}

export interface KeyExchangeOptions {
  /** The server's public key, base64url. */
  readonly serverKey: string
  readonly sessionHandle: string
  readonly issuedAtMs: number
}

/** Starts one exchange with a key pair of its own, used once. */
export async function beginKeyExchange(options: KeyExchangeOptions): Promise<KeyExchange> {
  const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
  const serverKeyBytes = fromBase64Url(options.serverKey)
  if (serverKeyBytes?.length !== encapsulatedLength) throw new TypeError('the page carries no server key')
  const serverKey = await suite.DeserializePublicKey(serverKeyBytes)
  const pair = await suite.GenerateKeyPair(true)
  const request: KeyRequest = {
    publicKey: toBase64Url(await suite.SerializePublicKey(pair.publicKey)),
    sessionHandle: options.sessionHandle,
    issuedAt: Math.round(options.issuedAtMs),
  }
  const sealed = await suite.Seal(serverKey, utf8(JSON.stringify(request)), { info: keyRequestInfo })
  return {
    params: toBase64Url(concatBytes(sealed.encapsulatedSecret, sealed.ciphertext)),
    async open(aesKey) {
      const bytes = fromBase64Url(aesKey)
      if (bytes === null || bytes.length <= encapsulatedLength) throw new TypeError('no sealed keys in the answer')
      const enc = bytes.subarray(0, encapsulatedLength)
      const sealedKeys = bytes.subarray(encapsulatedLength)
      return decodeSessionKeys(await suite.Open(pair, enc, sealedKeys, { info: keyAnswerInfo }))
    },
  }
}
