import { sql, type Kysely } from 'kysely'
import { hourMs } from '@saddle/contract/time.ts'
import { partContext, partPurpose, questionPurpose } from '#exports/keyed.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { DB } from '#kit/db/types.ts'
import { exportIdOf } from './isolation/specimens/past.ts'
import type { TenantFixture } from './tenants.ts'

/** A file of a list that the manager of a company took out. */
export async function addExport(owner: Kysely<DB>, secrets: Keyring, of: TenantFixture, at: Date): Promise<void> {
  const exportId = exportIdOf(of.agentId)
  const part = Buffer.from(of.marker)
  const question = secrets.encryptBytes({ purpose: questionPurpose, bytes: Buffer.from('{}'), context: exportId })
  const sealed = secrets.encryptBytes({ purpose: partPurpose, bytes: part, context: partContext(exportId, 0) })
  await sql`
    insert into export_job (export_id, agent_id, operator_id, operator_name, call, action, file_name, format, state,
      question_sealed, agent_ids, area_ids, rows, parts, bytes, created_at, finished_at, expires_at)
    values (${exportId}, ${of.agentId}, ${of.managerId}, ${`${of.marker} manager`}, 'exportOrders', 'service.export',
      ${`${of.marker}.csv`}, 'csv', 'done', ${question}, ${[of.agentId]}::bigint[], ${of.areaIds}::bigint[], 1, 1,
      ${part.length}, ${at}, ${at}, ${new Date(at.getTime() + hourMs)})`.execute(owner)
  await sql`
    insert into export_part (export_id, agent_id, part, sealed)
    values (${exportId}, ${of.agentId}, 0, ${sealed})`.execute(owner)
}
