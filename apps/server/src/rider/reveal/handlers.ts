import { sql } from 'kysely'
import { revealsPerHour, type riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import type { RiderParts } from '../parts/parts.ts'
import { lockRider, type RiderRow } from '../parts/rider.ts'

/** Whole numbers: shown to those who may, for a reason, so many in an hour, and never without a line that says so. */
export function createRevealHandlers(
  parts: RiderParts,
): Pick<Handlers<typeof riderPeopleEndpoints>, 'revealPhone' | 'revealCertificate'> {
  const { kit, seals } = parts
  return {
    revealPhone: async (asked, call) => {
      const phone = await kit.db.withScope(call.scope, async (tx) =>
        seals.openPhone(await reveal(parts, tx, call, { ...asked, field: 'phone' })),
      )
      return { suc: true, data: { phone } }
    },

    revealCertificate: async (asked, call) => {
      const data = await kit.db.withScope(call.scope, async (tx) => {
        const row = await reveal(parts, tx, call, { ...asked, field: 'certificate' })
        const { cert_hash, cert_sealed, name_sealed, phone_hash } = row
        if (cert_hash === null || cert_sealed === null) throw new AppError('not_found')
        return {
          certNumber: seals.openIdNumber({ cert_hash, cert_sealed }),
          name: name_sealed === null ? null : seals.openName({ name_sealed, phone_hash }),
        }
      })
      return { suc: true, data }
    },
  }
}

type Asked = { readonly riderId: number; readonly reason: string; readonly field: 'phone' | 'certificate' }

/** Writes down that the number is shown, and hands out the row that has it; both or neither. */
async function reveal(
  { kit, audit }: RiderParts,
  tx: Tx,
  call: SessionCall,
  { riderId, reason, field }: Asked,
): Promise<RiderRow> {
  const { operatorId, name } = call.caller
  const now = kit.clock.now()
  const rider = await lockRider(tx, { riderId, scope: call.scope })
  // The person's other askings wait, so that two of them are not both the last one.
  await sql`select pg_advisory_xact_lock(hashtextextended('rider_reveal', ${operatorId}))`.execute(tx)
  const { rows } = await countRow.select`
    from rider_reveal v
    where v.operator_id = ${operatorId} and v.shown_at > ${new Date(now - hourMs)}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= revealsPerHour) throw new AppError('too_many_requests')
  await sql`
    insert into rider_reveal (agent_id, rider_id, field, reason, operator_id, operator_name, shown_at)
    values (${rider.agent_id}, ${rider.id}, ${field}, ${reason}, ${operatorId}, ${name}, ${new Date(now)})`.execute(tx)
  await audit.act(tx, call, {
    agentId: rider.agent_id,
    action: field === 'phone' ? 'rider.show_phone' : 'rider.show_certificate',
    subjectKind: 'rider',
    subjectId: rider.id,
    after: { reason },
  })
  return rider
}
