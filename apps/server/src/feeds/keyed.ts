import { sealedTable, type KeyedValues } from '#kit/keyed.ts'

export const idKeyPurpose = 'public vehicle ids'
export const mdsTokenPurpose = 'mds agency token'

/** What the open interfaces keep under the master secret. */
export const feedsKeyed: KeyedValues = {
  tables: [
    sealedTable({
      table: 'gbfs_setting',
      key: ['agent_id', 'bigint'],
      purposes: { id_key_sealed: idKeyPurpose },
      context: 'agent_id',
    }),
    sealedTable({
      table: 'mds_agency',
      key: ['jurisdiction_id', 'bigint'],
      purposes: { token_sealed: mdsTokenPurpose },
      context: 'jurisdiction_id',
    }),
  ],
  keptPurposes: [],
}
