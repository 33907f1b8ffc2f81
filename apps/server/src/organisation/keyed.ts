import { sealedTable, withHash, type KeyedValues } from '#kit/keyed.ts'
import { contactPurpose, phoneLookUpPurpose, phonePurpose } from './applications/submit.ts'
import { allyLookUpPurpose, allyPhonePurpose } from './allies/handlers.ts'

/** What companies keep under the master secret. */
export const organisationKeyed: KeyedValues = {
  tables: [
    withHash(sealedTable({ table: 'ally', key: ['id', 'bigint'], purposes: { phone_sealed: allyPhonePurpose } }), {
      column: 'phone_hash',
      of: 'phone_sealed',
      purpose: allyLookUpPurpose,
    }),
    withHash(
      sealedTable({
        table: 'franchise_application',
        key: ['id', 'bigint'],
        purposes: { contact_sealed: contactPurpose, phone_sealed: phonePurpose },
        context: 'number',
      }),
      { column: 'phone_hash', of: 'phone_sealed', purpose: phoneLookUpPurpose, context: 'number' },
    ),
  ],
  keptPurposes: [],
}
