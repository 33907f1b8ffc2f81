import { createHash } from 'node:crypto'
import { crc16 } from '@saddle/device-protocols/crc16.ts'
import { withSignature } from '@saddle/device-protocols/image.ts'
import type { Kit } from '#kit/kit.ts'
import { selectContentAsSystem } from '../artefacts/store.ts'
import type { Signers } from '../artefacts/signers.ts'

/** What is sent of an artefact, once its digest and signature are proved. */
export type Image = {
  readonly artefactId: number
  readonly content: Buffer
  readonly signature: Buffer
  readonly sha256: string
  /** The bytes with the signature behind them, for protocols without a field for it. */
  readonly signed: Buffer
  readonly crc16: number
  readonly version: string
}

/** Images in memory at the same time, of one mebibyte each at most. */
const imagesMax = 8

/**
 * The images of running campaigns. Each is verified when it is read: bytes that the database had from somebody else than the
 * upload never leave the server.
 */
export function createImages(kit: Pick<Kit, 'db' | 'log'>, signers: Signers) {
  const known = new Map<number, Promise<Image | null>>()
  const read = async (artefactId: number): Promise<Image | null> => {
    const [row] = await kit.db.systemRead((k) => selectContentAsSystem(artefactId).compile(k))
    if (row === undefined) return null
    const sha256 = createHash('sha256').update(row.content).digest('hex')
    if (sha256 !== row.sha256 || signers.signerOf(row.content, row.signature) === null) {
      kit.log.error({ artefactId }, 'the signature of an artefact does not hold: it is not sent')
      return null
    }
    const signed = withSignature(row.content, row.signature)
    const { content, signature, version } = row
    return { artefactId, content, signature, sha256, signed, crc16: crc16(signed), version }
  }
  return {
    /** Null where the artefact is gone or its signature does not hold. */
    async find(artefactId: number): Promise<Image | null> {
      const present = known.get(artefactId)
      if (present !== undefined) return present
      const found = read(artefactId)
      known.set(artefactId, found)
      const oldest = known.keys().next().value
      if (known.size > imagesMax && oldest !== undefined) known.delete(oldest)
      // What failed is looked at again: a key may be trusted later.
      const forget = (): void => void known.delete(artefactId)
      found.then((image) => image === null && forget(), forget)
      return found
    },
  }
}
