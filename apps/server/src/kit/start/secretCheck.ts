import { sql } from 'kysely'
import { createKeyring } from '../crypto.ts'
import type { Database } from '../db/pool.ts'
import { StartRefusal } from './refusal.ts'

/** Tells one master secret from another and gives none away. */
export const secretDigest = (secret: string): string =>
  createKeyring({ secret }).hmac({ purpose: 'secret-check', text: 'the master secret of this database' })

interface SecretCheckOptions {
  readonly db: Pick<Database, 'system'>
  readonly secret: string
  readonly previousSecret: string | undefined
  /** The source of the secret for the message: a setting or a file. */
  readonly source: string
  /** Whether the secret was made at this start because there was none. */
  readonly isNew: boolean
  readonly now: number
}

/**
 * Throws StartRefusal unless the secret is the one that this database was first started with. The previous secret
 * counts too: its database goes on under the present one, which is noted.
 */
export async function assertSecret(options: SecretCheckOptions): Promise<void> {
  const { db, secret, previousSecret } = options
  const present = secretDigest(secret)
  const known = await db.system(async (tx) => {
    await sql`insert into secret_check (digest, written_at) values (${present}, ${new Date(options.now)})
      on conflict do nothing`.execute(tx)
    const { digest } = await tx.selectFrom('secret_check').select('digest').forUpdate().executeTakeFirstOrThrow()
    const isPrevious = previousSecret !== undefined && digest === secretDigest(previousSecret)
    if (isPrevious) {
      await tx
        .updateTable('secret_check')
        .set({ digest: present, written_at: new Date(options.now) })
        .execute()
    }
    return isPrevious || digest === present
  })
  if (!known) throw new StartRefusal(sentence(options))
}

const sentence = ({ isNew, source }: SecretCheckOptions): string =>
  isNew
    ? `The master secret of this database is missing: ${source} does not exist. Put it back from its backup, or set SADDLE_SECRET.`
    : `The master secret (${source}) is not the one that this database was made with. Set the right one; after a change set the former one as SADDLE_PREVIOUS_SECRET.`
