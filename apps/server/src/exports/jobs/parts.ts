import { exportLimits } from '@saddle/contract/exports/jobs.ts'
import type { Sink } from '#kit/files/zip.ts'
import type { Kit } from '#kit/kit.ts'
import { partContext, partPurpose } from '../keyed.ts'
import type { MadeFile } from './store.ts'

interface PartWriter {
  readonly sink: Sink
  /** Writes what is left; resolves to what was written altogether. */
  end(): Promise<Omit<MadeFile, 'rows'>>
}

/** Cuts the bytes of a file into sealed parts of equal length. */
export function createParts(
  secrets: Kit['secrets'],
  exportId: string,
  put: (part: number, sealed: Buffer) => Promise<void>,
): PartWriter {
  const buffer = Buffer.allocUnsafe(exportLimits.partBytes)
  let filled = 0
  let parts = 0
  let bytes = 0
  const flush = async (): Promise<void> => {
    const context = partContext(exportId, parts)
    const sealed = secrets.encryptBytes({ purpose: partPurpose, bytes: buffer.subarray(0, filled), context })
    await put(parts, sealed)
    parts += 1
    bytes += filled
    filled = 0
  }
  return {
    sink: async (given) => {
      for (let from = 0; from < given.length;) {
        const taken = given.copy(buffer, filled, from)
        from += taken
        filled += taken
        if (filled === buffer.length) await flush()
      }
    },
    end: async () => {
      if (filled > 0) await flush()
      return { parts, bytes }
    },
  }
}
