import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Clock } from '#kit/clock.ts'
import type { Log } from '#kit/log.ts'
import { StartRefusal } from '#kit/start/refusal.ts'

/** A renewed certificate is in force after so long, without a restart. */
export const lookEveryMs = 10_000

export type Certificate = {
  current(): SecureContextOptions
  /** Reads the files again when they have changed; true when there is a new certificate. */
  refresh(): Promise<boolean>
}

type Read = { readonly options: SecureContextOptions; readonly stamp: string }

/** The certificate of the TLS ports. Throws StartRefusal when its files make none. */
export async function readCertificate(options: {
  certFile: string
  keyFile: string
  clock: Clock
  log: Log
}): Promise<Certificate> {
  const { certFile, keyFile, clock, log } = options
  const stampOf = async (): Promise<string> => {
    const files = await Promise.all([stat(certFile), stat(keyFile)])
    return files.map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`).join()
  }
  const read = async (): Promise<Read> => {
    const stamp = await stampOf()
    const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)])
    const made: SecureContextOptions = { cert, key, minVersion: 'TLSv1.2' }
    // Throws unless the key is that of the certificate.
    createSecureContext(made)
    return { options: made, stamp }
  }
  let now: Read
  try {
    now = await read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefusal(
      `The certificate of the vehicles' TLS ports (${certFile}, ${keyFile}) is of no use: ${reason}.`,
    )
  }
  let lookedAt = clock.now()
  let failed = ''
  return {
    current: () => now.options,
    async refresh() {
      if (clock.now() - lookedAt < lookEveryMs) return false
      lookedAt = clock.now()
      let stamp = ''
      try {
        stamp = await stampOf()
        if (stamp === now.stamp || stamp === failed) return false
        now = await read()
        log.info({ certFile }, "the certificate of the vehicles' TLS ports was renewed")
        return true
      } catch (err) {
        // The old one stays in force; the same fault is told once.
        if (failed !== stamp || stamp === '') log.error({ err, certFile }, 'a new certificate is of no use')
        failed = stamp
        return false
      }
    },
  }
}
