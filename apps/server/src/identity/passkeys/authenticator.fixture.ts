import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A device with one passkey, as the standard has it (WebAuthn Level 3, ES256, no attestation). */
export function createAuthenticator({ origin, rpId }: { origin: string; rpId: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const [x, y] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')]
  const cose = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y])
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
  let count = 0

  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const authData = (flags: number, rest: Buffer[] = []): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, ...rest])
  }
  const verified = 0x05
  const withCredential = 0x40

  return {
    id,
    /** Turns the count back, as that of a copied device would be. */
    rewind: () => (count = 0),
    create: (challenge: string, options: { origin?: string; flags?: number } = {}) => {
      const length = Buffer.from([0, credentialId.length])
      const data = authData((options.flags ?? verified) | withCredential, [
        Buffer.alloc(16),
        length,
        credentialId,
        cose,
      ])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, options.origin ?? origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    assert: (challenge: string, options: { origin?: string; flags?: number } = {}) => {
      count += 1
      const data = authData(options.flags ?? verified)
      const client = clientData('webauthn.get', challenge, options.origin ?? origin)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
