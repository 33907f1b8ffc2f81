import type { ArtefactFormat, ArtefactUpload } from '@saddle/contract/production/artefacts.ts'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { isImage, readImageHeader } from '@saddle/device-protocols/image.ts'

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** What a file is by its first bytes; null where it is none of the formats. */
export function formatOf(bytes: Buffer): ArtefactFormat | null {
  if (isImage(bytes)) return 'sdfw'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WAVE', 8)) return 'wav'
  if (startsWith(bytes, '#!AMR')) return 'amr'
  if (startsWith(bytes, 'ID3')) return 'mp3'
  // The synchronisation of an MPEG audio frame, layer 3.
  const [first = 0, second = 0] = bytes
  return first === 0xff && (second & 0xe6) === 0xe2 ? 'mp3' : null
}

/** Whether the header of an image says what was typed beside it. */
export function isImageOf(
  bytes: Buffer,
  { version, protocol, models }: Pick<ArtefactUpload, 'version' | 'protocol' | 'models'>,
): boolean {
  try {
    const header = readImageHeader(bytes)
    const isForModels =
      header.models.length === 0 || (models.length > 0 && models.every((one) => header.models.includes(one)))
    return header.version === version && header.protocol === protocol && isForModels
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}
