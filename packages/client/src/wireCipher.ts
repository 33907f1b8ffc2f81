import type { SessionKeys, WireCrypto } from '@saddle/contract/wire/crypto.ts'
import { openEnvelope, sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import { hashOfParams, signCallToken } from '@saddle/contract/wire/token.ts'
import type { SessionCipher } from './cipher.ts'

/** A cipher over keys that are bytes and primitives that answer at once. */
export function wireCipher(primitives: WireCrypto, { encryptionKey, signingKey }: SessionKeys): SessionCipher {
  return {
    hashOfParams: async (params) => hashOfParams(primitives, params),
    signToken: async (sessionHandle, payload) =>
      signCallToken({ crypto: primitives, signingKey, sessionHandle, payload }),
    seal: async (binding, value) => sealEnvelope(primitives, encryptionKey, binding, value),
    open: async (binding, params) => openEnvelope(primitives, encryptionKey, binding, params),
  }
}
