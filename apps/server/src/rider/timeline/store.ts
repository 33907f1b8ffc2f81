import { sql } from 'kysely'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'

const ownEventRow = rowOfValues({
  at: computed('timestamptz', sql`e.at`),
  kind: computed('text', sql`e.kind`),
  code: computed('text', sql`e.code`),
  text: computed('text', sql`e.text`),
  by: computed('text?', sql`e.by`),
})
export type OwnEventRow = RowOf<typeof ownEventRow>

type Own = { readonly id: number; readonly agent_id: number }

/** What happened to a rider's account, newest first; of a rider that was looked up within the scope. */
export function selectAccountEvents({ id, agent_id }: Own, { before, limit }: { before: Date; limit: number }) {
  return ownEventRow.select`
    from (
      select r.created_at as at, 'registered' as kind, '' as code, '' as text, null as by from rider r
        where r.id = ${id} and r.agent_id = ${agent_id}
      union all select r.certified_at, 'certified', '', '', null from rider r
        where r.id = ${id} and r.agent_id = ${agent_id}
      union all select r.closed_at, 'closed', '', '', null from rider r where r.id = ${id} and r.agent_id = ${agent_id}
      union all select f.submitted_at, 'certificate_submitted', f.kind, f.organisation, null from rider_certificate f
        where f.rider_id = ${id} and f.agent_id = ${agent_id}
      union all select f.decided_at, case f.state when 'refused' then 'certificate_refused' else 'certificate_approved' end, f.kind,
        f.reason, f.decided_by from rider_certificate f
        where f.rider_id = ${id} and f.agent_id = ${agent_id} and f.state <> 'waiting'
      union all select w.asked_at, 'rebind_asked', w.kind, w.claim, null from rider_rebind w
        where w.rider_id = ${id} and w.agent_id = ${agent_id}
      union all select w.decided_at, 'rebind_' || w.state, w.kind, w.reason, w.decided_by from rider_rebind w
        where w.rider_id = ${id} and w.agent_id = ${agent_id} and w.state <> 'waiting'
      union all select d.first_seen_at, 'device', '', d.model, null from rider_device d
        where d.rider_id = ${id} and d.agent_id = ${agent_id}
    ) e where e.at < ${before} order by e.at desc limit ${limit}`
}

export function selectSafetyEvents({ id, agent_id }: Own, { before, limit }: { before: Date; limit: number }) {
  return ownEventRow.select`
    from (
      select b.begun_at as at, 'banned' as kind, '' as code, b.reason as text, b.operator_name as by from rider_ban b
        where b.rider_id = ${id} and b.agent_id = ${agent_id}
      union all select b.lifted_at, 'ban_lifted', '', b.lift_reason, b.lifted_by from rider_ban b
        where b.rider_id = ${id} and b.agent_id = ${agent_id}
      union all select v.shown_at, 'revealed', v.field, v.reason, v.operator_name from rider_reveal v
        where v.rider_id = ${id} and v.agent_id = ${agent_id}
    ) e where e.at < ${before} order by e.at desc limit ${limit}`
}
