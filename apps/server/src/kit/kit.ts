import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Keyring } from './crypto.ts'
import type { Database } from './db/pool.ts'
import type { Log } from './log.ts'
import type { Random } from './random.ts'

/** What every domain is built with. */
export type Kit = {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly bus: Bus
  readonly secrets: Keyring
}
