import { sql } from 'kysely'
import { artefactFormats, artefactKinds, artefactList, artefactStates } from '@saddle/contract/production/artefacts.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'

const codes = {
  kind: artefactKinds,
  state: artefactStates,
  protocol: deviceProtocols,
  format: artefactFormats,
} as const

export const artefactColumns = rowsOf(
  rowOf('device_artefact', 't', [
    'id',
    'agent_id',
    'kind',
    'state',
    'name',
    'version',
    'protocol',
    'models',
    'follows',
    'format',
    'bytes',
    'sha256',
    'signer',
    'note',
    'created_at',
    'created_by',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    installed: computed(
      'bigint',
      sql`(select count(*) from upgrade_action a join upgrade_campaign c on c.id = a.campaign_id
        where c.artefact_id = t.id and a.state = 'finished')`,
    ),
    campaigns: computed(
      'bigint',
      sql`(select count(*) from upgrade_campaign c where c.artefact_id = t.id and c.state in ('ready', 'running', 'paused'))`,
    ),
  }),
).codes(codes)

export const artefactRows = tableList(artefactList, {
  table: 'device_artefact',
  alias: 't',
  tenant: 'agent',
  columns: artefactColumns,
  joins: sql`join agent on agent.id = t.agent_id`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ kind, states = artefactStates, protocol, text, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`t.id = ${id}`],
    where: [
      kind !== undefined && sql`t.kind = ${kind}`,
      protocol !== undefined && sql`t.protocol = ${protocol}`,
      text !== undefined && sql`strpos(lower(t.name || ' ' || t.version), lower(${text})) > 0`,
    ],
  }),
})
export const presentArtefact = artefactColumns.present

const artefactRow = rowOf('device_artefact', 't', [
  'id',
  'agent_id',
  'kind',
  'state',
  'name',
  'version',
  'protocol',
  'models',
  'follows',
  'format',
  'bytes',
  'sha256',
  'signature',
]).codes(codes)
export type ArtefactRow = RowOf<typeof artefactRow>

/** The artefact when one of the scope's companies has it. */
export async function findArtefact(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<ArtefactRow | undefined> {
  const { rows } = await artefactRow.select`
    from device_artefact t where t.id = ${id} and t.agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
  return rows[0]
}

const contentRow = rowsOf(artefactRow, rowOf('device_artefact_content', 'c', ['content']))

/** The artefact with its bytes. */
export const selectContent = (id: number, scope: Pick<Scope, 'agentIds'>) => contentRow.select`
  from device_artefact t join device_artefact_content c on c.artefact_id = t.id
  where t.id = ${id} and t.agent_id = any (${scope.agentIds}::bigint[])`

/** The same for the gateway, which serves every company. */
export const selectContentAsSystem = (id: number) => contentRow.select`
  from device_artefact t join device_artefact_content c on c.artefact_id = t.id where t.id = ${id}`
