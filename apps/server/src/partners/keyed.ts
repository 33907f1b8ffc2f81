import { sealedTable, type KeyedValues } from '#kit/keyed.ts'

export const webhookKeyPurpose = 'partner webhook'

/** Keys that sign webhooks' messages, under the master secret. */
export const partnersKeyed: KeyedValues = {
  tables: [
    sealedTable({
      table: 'webhook',
      key: ['id', 'bigint'],
      purposes: { secret_sealed: webhookKeyPurpose },
      context: 'agent_id',
    }),
  ],
  keptPurposes: [],
}
