import { createKeyring, type Keyring } from '#kit/crypto.ts'
import { countLeft, isForeignSecret, loadKeptKeys, rekey } from '#kit/db/rekey.ts'
import type { Log } from '#kit/log.ts'
import { StartRefusal } from '#kit/start/refusal.ts'
import { keyedValues } from './keyed.ts'

interface SecretOptions {
  readonly secret: string
  readonly previousSecret: string | undefined
  /** Address as the owner of a migrated database. */
  readonly url: string
  readonly log: Log
}

export interface MasterSecret {
  readonly secrets: Keyring
  /** Makes the large values anew while the server runs; resolves at once when there is no previous secret. */
  readonly finish: (signal: AbortSignal) => Promise<void>
}

/**
 * The keys of the platform. With a previous secret, all values that are looked up by a hash are rehashed first: until
 * then a known number would not be found, and its owner would be treated as new. Throws StartRefusal when the
 * database belongs to another secret.
 */
export async function prepareSecrets({ secret, previousSecret, url, log }: SecretOptions): Promise<MasterSecret> {
  const known = createKeyring({ secret, previousSecret })
  await assertOwnDatabase(url, known)
  const isRotating = previousSecret !== undefined && previousSecret !== secret
  if (isRotating) await rekey({ url, secrets: known, values: keyedValues, log, isLater: false })
  const kept = await loadKeptKeys({ url, secrets: known })
  const finish = async (signal: AbortSignal): Promise<void> => {
    if (!isRotating) return
    await rekey({ url, secrets: known, values: keyedValues, log, isLater: true, signal })
    if (!signal.aborted) await sayWhatIsLeft({ url, secrets: known, log })
  }
  return { secrets: createKeyring({ secret, previousSecret, kept }), finish }
}

/** The same keys for a finance host beside the server, which alone makes values anew. */
export async function joinSecrets({ secret, previousSecret, url }: SecretOptions): Promise<MasterSecret> {
  const known = createKeyring({ secret, previousSecret })
  await assertOwnDatabase(url, known)
  const kept = await loadKeptKeys({ url, secrets: known })
  return { secrets: createKeyring({ secret, previousSecret, kept }), finish: () => Promise.resolve() }
}

async function assertOwnDatabase(url: string, secrets: Keyring): Promise<void> {
  for (const table of keyedValues.tables.filter(({ table: name }) => name === 'operator' || name === 'rider')) {
    if (await isForeignSecret({ url, secrets, table })) {
      throw new StartRefusal(
        'The database was filled under another master secret. Put back DATA_DIR/secret or SADDLE_SECRET, or give the earlier one as SADDLE_PREVIOUS_SECRET.',
      )
    }
  }
}

async function sayWhatIsLeft(options: { url: string; secrets: Keyring; log: Log }): Promise<void> {
  const left = (await countLeft({ ...options, values: keyedValues })).filter(({ rows }) => rows > 0)
  if (left.length > 0) options.log.warn({ left }, 'some rows are still under an earlier secret: keep it')
  else {
    options.log.info(
      'everything is under the present secret: forget the previous one (npm run secret:rotate -- --forget, or take SADDLE_PREVIOUS_SECRET out)',
    )
  }
}
