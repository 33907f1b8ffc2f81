import { sealedTable, type KeyedValues } from '#kit/keyed.ts'

export const emailPurpose = 'notice email'
export const pendingPurpose = 'notice email pending'
export const webhookPurpose = 'notice webhook'

/** Addresses and keys of notices under the master secret. */
export const noticesKeyed: KeyedValues = {
  tables: [
    sealedTable({
      table: 'notice_address',
      key: ['operator_id', 'bigint'],
      purposes: { email_sealed: emailPurpose, pending_sealed: pendingPurpose },
      context: 'operator_id',
    }),
    sealedTable({
      table: 'notice_setting',
      key: ['agent_id', 'bigint'],
      purposes: { webhook_sealed: webhookPurpose },
      context: 'agent_id',
    }),
  ],
  keptPurposes: [],
}
