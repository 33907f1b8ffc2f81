import { createKeyring, type Keyring } from '#kit/crypto.ts'
import type { ConfiguredPlace } from '#kit/db/configured.ts'
import { loadMasterSecret, loadPreviousSecret } from '#kit/secret.ts'

/** The keys of the installation that a command works on. */
export function secretsOfPlace({ config, dataDir }: Pick<ConfiguredPlace, 'config' | 'dataDir'>): Keyring {
  const secret = loadMasterSecret({ given: config.secret, dataDir })
  return createKeyring({ secret, previousSecret: loadPreviousSecret({ given: config.previousSecret, dataDir }) })
}
