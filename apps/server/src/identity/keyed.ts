import { sealedTable, withHash, type KeyedTable, type KeyedValues } from '#kit/keyed.ts'
import { keysPurpose, phonePurpose, recoveryPurpose, totpPurpose } from './secrets.ts'

const withPhone = (table: string): KeyedTable =>
  withHash(sealedTable({ table, key: ['id', 'bigint'], purposes: { phone_sealed: phonePurpose } }), {
    column: 'phone_hash',
    of: 'phone_sealed',
    purpose: phonePurpose,
  })

/** Identity's values under the master secret. */
export const identityKeyed: KeyedValues = {
  tables: [
    withPhone('operator'),
    withPhone('login_ticket'),
    sealedTable({
      table: 'session',
      key: ['id', 'bigint'],
      purposes: { keys_sealed: keysPurpose },
      context: 'handle',
    }),
    sealedTable({
      table: 'operator_totp',
      key: ['operator_id', 'bigint'],
      purposes: { secret_sealed: totpPurpose },
      context: 'operator_id',
    }),
  ],
  keptPurposes: [recoveryPurpose],
}
