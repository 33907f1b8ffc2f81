import { AEAD_AES_256_GCM, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from '@panva/hpke-noble'
import { CipherSuite } from 'hpke'
import { concatBytes, fromBase64Url, fromUtf8, toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { SessionKeys } from '@saddle/contract/wire/crypto.ts'
import {
  encapsulatedLength,
  encodeSessionKeys,
  keyAnswerInfo,
  type KeyRequest,
  keyRequestInfo,
  keyRequestSchema,
} from '@saddle/contract/wire/keyExchange.ts'

export interface KeyExchange {
  /** The server's X25519 public key, base64url; the same on every node that shares the master secret. */
  publicKey(): Promise<string>
  /** Opens a sealed key request. Throws on anything that was not sealed to this server as a key request. */
  openRequest(params: string): Promise<KeyRequest>
  /** Seals the keys to the client's public key, base64url(enc ‖ ciphertext). Throws on an invalid key. */
  sealAnswer(options: { keys: SessionKeys; clientPublicKey: string }): Promise<string>
}

/** Both ways of the signing-key call: HPKE base mode (RFC 9180). The key pair is derived from `seed` alone. */
export function createKeyExchange(seed: Uint8Array): KeyExchange {
  const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
  const pair = suite.DeriveKeyPair(seed, true)
  // The call that awaits it reports the rejection; until then it must not end the process as unhandled.
  pair.catch(() => {})
  return {
    publicKey: async () => toBase64Url(await suite.SerializePublicKey((await pair).publicKey)),
    openRequest: async (params) => {
      const bytes = fromBase64Url(params)
      if (bytes === null || bytes.length <= encapsulatedLength) throw new TypeError('not a sealed key request')
      const [enc, sealed] = [bytes.subarray(0, encapsulatedLength), bytes.subarray(encapsulatedLength)]
      const plaintext = await suite.Open(await pair, enc, sealed, { info: keyRequestInfo })
      return keyRequestSchema.parse(JSON.parse(fromUtf8(plaintext)))
    },
    sealAnswer: async ({ keys, clientPublicKey }) => {
      const bytes = fromBase64Url(clientPublicKey)
      if (bytes?.length !== encapsulatedLength) throw new TypeError('not a public key')
      const recipient = await suite.DeserializePublicKey(bytes)
      const sealed = await suite.Seal(recipient, encodeSessionKeys(keys), { info: keyAnswerInfo })
      return toBase64Url(concatBytes(sealed.encapsulatedSecret, sealed.ciphertext))
    },
  }
}
