import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { addDays, minuteMs } from '@saddle/contract/time.ts'
import { statementFile } from '#finance/splitBills/statementRules.ts'
import { createFinance } from '#finance/public.ts'
import { createPhotos } from '#photos/public.ts'
import { createReports, type Reports } from '#reports/public.ts'
import { createAudit } from '#audit/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { addExport } from '#test/exports.ts'
import { addNotices } from '#test/notices.ts'
import type { TestPlatform } from '#test/platform.ts'
import type { TenantFixture } from '#test/tenants.ts'
import { finishedRepairs, pastDays, scheduleIdOf, voltageOf } from './specimens/past.ts'

/**
 * A row in each table that no call of the fixture fills, so that every row policy has something to keep apart. What a
 * domain's own functions can make belongs into the tenants' fixture instead.
 */
export async function addRowsOfAllTables({ owner, kit }: TestPlatform, of: TenantFixture): Promise<void> {
  const at = new Date(kit.clock.now() - 600_000)
  const later = new Date(at.getTime() + minuteMs)
  const day = at.toISOString().slice(0, 10)
  const ids = sql`v.id, v.agent_id, v.area_id`
  const ofTenant = sql`from vehicle v where v.agent_id = ${of.agentId}`
  const operator = sql`from operator o where o.agent_id = ${of.agentId} limit 1`
  const statements = [
    sql`select ensure_device_report_days(${day}::date, ${day}::date), ensure_track_segment_days(${day}::date, ${day}::date)`,
    sql`insert into device_report (vehicle_id, agent_id, area_id, occurred_at, frame_crc, received_at, kind, lat, lng)
      select ${ids}, at, 1, at, 'position', 31.05 + extract(minute from at) / 1e4, 120.05
      from vehicle v cross join (values (${at}::timestamptz), (${later})) as told (at) where v.agent_id = ${of.agentId}`,
    sql`insert into voltage_scheme (id, name, cells, created_at, created_by)
      values (${voltageOf(of.agentId)}, ${`${of.marker} pack`}, 13, ${at}, ${`${of.marker} clerk`})`,
    sql`insert into voltage_version (id, scheme_id, number, points, hysteresis_percent, load_drop_v, charge_rise_v, models,
        changed_at, changed_by)
      select ${voltageOf(of.agentId)}, ${voltageOf(of.agentId)}, 1,
        '[{"voltageV": 40, "percent": 0}, {"voltageV": 50, "percent": 100}]', 2, 1, 1,
        (select jsonb_agg(distinct jsonb_build_object('model', v.model, 'protocol', v.protocol)) ${ofTenant}), ${at}, 'clerk'`,
    sql`insert into voltage_replay (version_id, revision, state, from_at, until_at, started_at, started_by)
      values (${voltageOf(of.agentId)}, 1, 'done', ${at}::timestamptz - interval '7 days', ${later}, ${at}, 'clerk')`,
    sql`insert into voltage_replay_vehicle (version_id, vehicle_id, agent_id, area_id, readings, changed, mean_difference,
        max_difference, alarms_shown, alarms_replayed, last_shown, last_replayed)
      select ${voltageOf(of.agentId)}, ${ids}, 10, 5, 2, 9, 1, 2, 30, 32 ${ofTenant}`,
    sql`update vehicle_status s set battery_version = ${voltageOf(of.agentId)} where s.agent_id = ${of.agentId}`,
    sql`insert into area_weather (agent_id, area_id, hour, weather)
      select a.agent_id, a.id, date_trunc('hour', ${at}::timestamptz), 'rain' from service_area a where a.agent_id = ${of.agentId}`,
    sql`insert into trip (vehicle_id, agent_id, area_id, started_at, start_lat, start_lng)
      select ${ids}, ${at}, 31.05, 120.05 ${ofTenant}`,
    sql`insert into track_segment (vehicle_id, agent_id, area_id, kind, started_at, ended_at, start_lat, start_lng,
        end_lat, end_lng)
      select ${ids}, 'stay', ${at}, ${at}, 31.05, 120.05, 31.05, 120.05 ${ofTenant}`,
    sql`insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, claimed_at, done_at, person_name)
      select ${ids}, 'inspect', 'done', 'manual', ${at}, ${at}, ${later}, ${`${of.marker} person`} ${ofTenant}`,
    // The first repair of each vehicle has a number that a specimen can name.
    sql`insert into task (id, vehicle_id, agent_id, area_id, kind, state, source, opened_at, claimed_at, done_at,
        person_name)
      select made.numbers + v.id, ${ids}, made.kind, 'done', made.source, ${at}::timestamptz - made.open, ${at}::timestamptz - made.open,
        ${at}::timestamptz - made.done, ${`${of.marker} person`}
      from vehicle v cross join (values
        (${finishedRepairs + 1e8}::bigint, 'move', 'manual', interval '1 hour', interval '0'),
        (${finishedRepairs}, 'repair', 'manual', '3 days', '2 days'),
        (${finishedRepairs + 2e8}, 'repair', 'inspection', '1 hour', '0')) made (numbers, kind, source, open, done)
      where v.agent_id = ${of.agentId}`,
    sql`insert into task_result (task_id, agent_id, area_id, note, photo_ids)
      select t.id, t.agent_id, t.area_id, ${`${of.marker} result`}, array[]::text[]
      from task t where t.agent_id = ${of.agentId} and t.state = 'done'`,
    sql`insert into task_review (task_id, agent_id, area_id, state, reviewed_at, reviewer_name, note)
      select t.id, t.agent_id, t.area_id, 'approved', ${later}, ${`${of.marker} reviewer`}, ${`${of.marker} review`}
      from task t where t.agent_id = ${of.agentId} and t.kind = 'repair' and t.state = 'done'`,
    // One that nobody has claimed and no call names, and one in the manager's hands, in each area.
    sql`insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at)
      select ${ids}, 'battery_swap', 'open', 'rule', ${at} ${ofTenant}`,
    sql`insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, claimed_at, assignee_id, person_name)
      select ${ids}, 'relocate', 'claimed', 'manual', ${at}, ${at}, ${of.managerId}, ${`${of.marker} manager`} ${ofTenant}`,
    sql`insert into return_check (order_id, agent_id, area_id, checked_at, lat, lng, kind, fence_id, accepted)
      select o.id, o.agent_id, o.area_id, ${at}, 31.05, 120.05, 'in_place', f.id, true
      from ride_order o join fence f on f.area_id = o.area_id where o.agent_id = ${of.agentId}`,
    sql`insert into repair_part_movement (part_id, agent_id, pieces, task_id, at, operator_name, note)
      select p.id, t.agent_id, -1, t.id, ${at}, ${`${of.marker} person`}, ${of.marker}
      from task t join repair_part p on p.agent_id = t.agent_id
      where t.agent_id = ${of.agentId} and t.kind = 'repair' and t.state = 'done'`,
    sql`insert into fault_report (vehicle_id, agent_id, area_id, source, reason, reported_at)
      select ${ids}, 'inspection', ${`${of.marker} found`}, ${at} ${ofTenant}`,
    sql`insert into fleet_day (area_id, agent_id, day, vehicles, ridden, trips, ride_seconds, distance_m, low_battery, made_at)
      select area_id, ${of.agentId}, (${at}::timestamptz at time zone 'Asia/Shanghai')::date - 1, 1, 1, 1, 60, 100, 1, ${at}
      from unnest(${of.areaIds}::bigint[]) as a (area_id) on conflict do nothing`,
    sql`insert into fleet_hour (agent_id, area_id, hour, vehicles, available, on_trip, non_operational, non_contactable, made_at)
      select ${of.agentId}, area_id, date_trunc('hour', ${at}::timestamptz, 'UTC') - made.ago, 5, 4, 1, 0, 0, ${at}
      from unnest(${of.areaIds}::bigint[]) as a (area_id)
      cross join (values (interval '1 hour'), (interval '25 hours')) made (ago) on conflict do nothing`,
    sql`insert into deposit_setting (agent_id, area_id, cents, free_students, free_card_holders, author_name, created_at)
      values (${of.agentId}, ${of.areaIds[1]}, 0, false, false, ${`${of.marker} clerk`}, ${at})`,
    sql`insert into demand_search (agent_id, area_id, lat_step, lng_step, hour_at, searches, unmet)
      values (${of.agentId}, ${of.areaIds[0]}, 62100, 240100, date_trunc('hour', ${at}::timestamptz, 'UTC'), 2, 1)`,
    sql`insert into rebalance_plan (agent_id, area_id, made_at, hours, minutes, distance_m, expected_gain, author_id, author_name,
        assignee_id, assignee_name, stops)
      select ${of.agentId}, area_id, ${at}, 6, 10, 1000, 1, ${of.managerId}, ${`${of.marker} author`},
        ${of.managerId}, ${`${of.marker} driver`}, '[]'
      from unnest(${of.areaIds}::bigint[]) as a (area_id)`,
    sql`insert into rebalance_vehicle (plan_id, agent_id, area_id, vehicle_id)
      select id, agent_id, area_id, ${of.vehicleIds[0]} from rebalance_plan where agent_id = ${of.agentId}`,
    sql`insert into device_config (vehicle_id, agent_id, area_id, settings, updated_at)
      select ${ids}, '{}', ${at} ${ofTenant}`,
    sql`insert into operator_device (operator_id, agent_id, device_hash, name, user_agent, first_seen_at, last_seen_at)
      select o.id, o.agent_id, 'hash', ${of.marker}, ${of.marker}, ${at}, ${at} ${operator}`,
    sql`insert into operator_passkey (id, operator_id, credential_id, public_key, rp_id, synced, name, created_at)
      overriding system value
      select o.id, o.id, ${of.marker} || o.id, '', 'localhost', false, ${of.marker}, ${at} ${operator}`,
    sql`insert into idempotency (agent_id, operator_id, endpoint, key, input_hash)
      select o.agent_id, o.id, 'endpoint', 'key', 'hash' ${operator}`,
    sql`insert into audit_record (agent_id, at, action, subject_kind, subject_id)
      values (${of.agentId}, ${at}, 'test.fill', 'agent', ${of.marker})`,
    sql`insert into audit_mention (line_id, agent_id, subject_kind, subject_id, at)
      select max(id), agent_id, 'agent', ${of.marker}, ${at} from audit_record where agent_id = ${of.agentId}
      group by agent_id`,
    sql`insert into audit_anchor (agent_id, sequence, hash, made_at)
      values (${of.agentId}, 1, sha256('anchor'), ${at})`,
    sql`insert into marketing_setting (agent_id, control_percent, changed_at, changed_by)
      values (${of.agentId}, 0, ${at}, ${`${of.marker} clerk`})`,
    sql`insert into order_refund (order_id, agent_id, area_id, cents, reason, operator_name, refunded_at)
      select id, agent_id, area_id, 1, ${of.marker}, ${of.marker}, ${at} from ride_order
      where agent_id = ${of.agentId}`,
    sql`insert into rider_app (agent_id, name, key_hash, created_at)
      values (${of.agentId}, ${of.marker}, ${of.marker}, ${at})`,
    sql`insert into payment (agent_id, rider_id, purpose, channel, number, cents, created_at)
      values (${of.agentId}, 1, 'recharge', 'sandbox', md5(${of.marker}), 100, ${at})`,
    sql`insert into payment_refund (agent_id, payment_id, number, cents, reason, created_at)
      select agent_id, id, number, 1, ${of.marker}, ${at} from payment where agent_id = ${of.agentId}`,
    sql`insert into split_terms (agent_id, area_id, version, first_day, terms, reason, made_at, made_by)
      select ${of.agentId}, area_id, 1, ${day}, '{"feeBasisPoints":60,"feeBearer":"company","parties":[]}', ${of.marker}, ${at},
        ${`${of.marker} clerk`} from unnest(${[...of.areaIds, null]}::bigint[]) as a (area_id)`,
    sql`insert into split_cursor (agent_id, open_day) values (${of.agentId}, ${addDays(day, -of.agentId)})`,
    sql`insert into split_bill (id, agent_id, area_id, day, lines, paid_cents, fee_cents, platform_borne_cents, partner_borne_cents,
        owner_cents, parties, closed_at, hash)
      select ${of.agentId} * 10 + n, ${of.agentId}, area_id, ${day}::date - 1, 1, 100, 0, 0, 0, 100, '[]', ${at}, sha256('bill')
      from unnest(${[...of.areaIds, null]}::bigint[]) with ordinality as a (area_id, n)`,
    // A day that is not settled.
    sql`insert into split_bill (id, agent_id, area_id, day, lines, paid_cents, fee_cents, platform_borne_cents, partner_borne_cents,
        owner_cents, parties, closed_at, hash)
      values (${of.agentId} * 10 + 5, ${of.agentId}, ${of.areaIds[0]}, ${day}::date - 3, 1, ${of.agentId}, 0, 0, 0, ${of.agentId}, '[]',
        ${at}, sha256('bill'))`,
    sql`insert into split_line (agent_id, entry_number, kind, area_id, order_id, day, at, paid_cents, fee_cents,
        platform_borne_cents, partner_borne_cents, party_cents, parties_cents, owner_cents)
      select ${of.agentId}, 900000 + n, 'ride_charge', area_id, (${of.orderIds}::bigint[])[n::integer], ${day}::date - 1, ${at}, 100, 0, 0, 0,
        '{}', 0, 100
      from unnest(${[...of.areaIds, null]}::bigint[]) with ordinality as a (area_id, n)`,
    sql`insert into coupon_batch (agent_id, template_id, version, source, note, wanted, issued, made_at, made_by, activity_id)
      select agent_id, template_id, version, 'rewards', '', 1, 0, made_at, made_by, ${of.ridingActivityId}
      from coupon_batch where id = ${of.coupons.batchId}`,
    sql`insert into objection (id, agent_id, split_bill_id, reason, text, disputed_cents, held_paid_cents, transit_cents, submitted_at,
        submitted_by, deadline_at)
      values (${of.agentId} + 500, ${of.agentId}, ${of.agentId} * 10 + 3, 'fee_wrong', ${of.marker}, 3, 0, 3, ${at},
        ${`${of.marker} clerk`}, ${at}::timestamptz + interval '1 day')`,
    sql`insert into objection_split_line (objection_id, agent_id, entry_number, cents)
      values (${of.agentId} + 500, ${of.agentId}, 900003, 3)`,
    sql`insert into split_party (agent_id, name) values (${of.agentId}, ${`${of.marker} party`})`,
    sql`insert into split_reserve (agent_id, cents, reason, made_at, made_by)
      values (${of.agentId}, ${of.agentId}, ${of.marker}, ${at}, ${`${of.marker} clerk`})`,
    sql`insert into split_statement_period (agent_id, period, reason, made_at, made_by)
      values (${of.agentId}, 'day', ${of.marker}, ${at}, ${`${of.marker} clerk`})`,
    sql`insert into split_settlement (agent_id, day, number, owner_cents, held_cents, held_for, repaid_cents, reserved_cents,
        available_cents, parties, settled_at)
      values (${of.agentId}, ${day}::date - 1, 1, 300, 0,
        ${JSON.stringify([{ code: 'objection', ids: [of.agentId + 500], cents: of.agentId }])}::jsonb, 0, 0, 300, '[]', ${at})`,
    sql`insert into split_statement (id, agent_id, first_day, last_day, company, area_names, bills, lines, paid_cents, fee_cents,
        borne_cents, parties_cents, owner_cents, corrections_cents, sealed_at, hash)
      values (${of.agentId}, ${of.agentId}, ${day}::date - 40, ${day}::date - 30, ${of.marker}, '{}', 0, 0, 0, 0, 0, 0, 0, 0, ${at},
        decode(${statementFile({ agentId: of.agentId, company: of.marker, firstDay: addDays(day, -40), lastDay: addDays(day, -30), bills: [], corrections: [], previousHash: null }).hash}, 'hex'))`,
    sql`insert into payment_event (channel, event_id, agent_id, number, kind, received_at)
      values ('sandbox', ${of.marker}, ${of.agentId}, ${of.marker}, 'paid', ${at})`,
  ]
  for (const statement of statements) await statement.execute(owner)
  await kit.db.system(async (tx) => {
    for (const [index, areaId] of of.areaIds.entries()) {
      const photo = { agentId: of.agentId, areaId, purpose: 'return', file: samples.jpeg } as const
      const photoId = await createPhotos(kit).keep(tx, photo)
      const own = { agent_id: of.agentId, area_id: areaId, order_id: of.orderIds[index] ?? 0 }
      await tx
        .insertInto('return_photo')
        .values({ ...own, photo_id: photoId, source: 'return' })
        .execute()
    }
  })
  await addExport(owner, kit.secrets, of, at)
  await addNotices(owner, kit.secrets, of, at)
  await createFinance(kit).ledger.post({
    agentId: of.agentId,
    kind: 'adjustment',
    reference: `agent:${of.agentId}`,
    memo: of.marker,
    lines: [
      { account: { kind: 'agent_available' }, amountCents: 1_000 * of.agentId },
      { account: { kind: 'adjustment' }, amountCents: -1_000 * of.agentId },
    ],
  })
  // Income of an order of each area, in an hour that is over.
  for (const orderId of of.orderIds.slice(0, of.areaIds.length)) {
    await createFinance(kit).ledger.post({
      agentId: of.agentId,
      kind: 'ride_charge',
      reference: `order:${orderId}`,
      memo: of.marker,
      occurredAt: at.getTime(),
      lines: [
        { account: { kind: 'agent_revenue' }, amountCents: 200 },
        { account: { kind: 'adjustment' }, amountCents: -200 },
      ],
    })
  }
  // The figures of all that was added; what waits to be made belongs to hours without orders.
  // Rides have begun and ended somewhere, so that screens have flows.
  await sql`update ride_order set start_lat = 31.05, start_lng = 120.05, end_lat = 31.06, end_lng = 120.06
    where agent_id = ${of.agentId} and charged_cents is not null and start_lat is null`.execute(owner)
  await makeFigures(owner, createReports(kit, { audit: createAudit(kit) }))
  await copyFigures(owner, of.agentId)
  for (const table of ['report_stale', 'report_backlog']) {
    await sql`insert into ${sql.table(table)} (agent_id, area_id, hour) values (${of.agentId}, ${of.areaIds[0]}, '2020-01-01')`.execute(
      owner,
    )
  }
  await sql`insert into report_calendar (agent_id, changed_at, changed_by_id, changed_by)
    values (${of.agentId}, ${at}, ${of.managerId}, ${`${of.marker} manager`})`.execute(owner)
  // Nobody waits for it: its time never comes.
  await sql`
    insert into report_schedule (id, agent_id, name, report, grouped_by, span, frequency, hour, format, receiver_ids, state,
      next_at, created_at, created_by_id, created_by)
    overriding system value
    values (${scheduleIdOf(of.agentId)}, ${of.agentId}, ${`${of.marker} daily`}, 'daily', 'day', 'yesterday', 'daily', 6, 'csv',
      array[${of.managerId}]::bigint[], 'paused', '2999-01-01', ${at}, ${of.managerId}, ${`${of.marker} manager`})`.execute(
    owner,
  )
  await sql`
    insert into report_delivery (agent_id, schedule_id, operator_id, operator_name, due_at, first_day, last_day, state, ended_at)
    values (${of.agentId}, ${scheduleIdOf(of.agentId)}, ${of.managerId}, ${`${of.marker} manager`}, ${at}, '2026-10-01',
      '2026-10-01', 'forbidden', ${at})`.execute(owner)
}

const copiedFigures = [
  'report_ride_hour',
  'report_ride_day',
  'report_ride_company_hour',
  'report_ride_company_day',
  'report_money_hour',
  'report_money_day',
  'report_money_company_hour',
  'report_money_company_day',
] as const

/** The same figures a week and a month before: what screens compare today and the month with. */
async function copyFigures(owner: TestPlatform['owner'], agentId: number): Promise<void> {
  for (const table of copiedFigures) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    `.execute(owner)
    const names = rows.map(({ name }) => name)
    const moved = names.map((name) =>
      name === 'day' ? sql`(day - s.shift)::date` : name === 'hour' ? sql`hour - s.shift` : sql.ref(name),
    )
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(moved)} from ${sql.table(table)}
      cross join (values (interval '7 days'), (interval '1 month'), (interval '1 month 1 day')) as s (shift)
      where agent_id = ${agentId} and day >= ${pastDays.from}::date
      on conflict do nothing`.execute(owner)
  }
}

/** The server's own worker may be at a part of it, which is there once that commits. */
async function makeFigures(owner: TestPlatform['owner'], reports: Reports): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { entries } = await reports.runRollups()
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from report_stale) or exists (select from report_backlog) as waits`.execute(owner)
    if (entries === 0 && rows[0]?.waits === false) return
    await setTimeout(100)
  }
  throw new Error('the figures of reports are not made')
}
