/** Which filters are taken out of a statement: those of the areas, or those of the companies as well. */
export type Kind = 'company and area' | 'area'

/**
 * A statement whose filter holds back nothing by itself. Each entry means one statement of one form, which a test
 * checks; the longer checks also find entries that are not needed any more.
 */
export interface SecondNet {
  /** The whole statement with single spaces; ` … ` stands for a part in the middle that no other statement needs. */
  readonly statement: string
  readonly kinds: readonly Kind[]
  /** What holds back instead. */
  readonly because: string
}

const both: readonly Kind[] = ['area', 'company and area']
const area: readonly Kind[] = ['area']
/** Where areas are of one company each, and the areas' own filter stays, or where the thing has no area. */
const company: readonly Kind[] = ['company and area']

const comparedCompany = "the call compares the company's id with the scope's companies before"
const rewardFirst = 'the reward whose coupons or card these are is read within the scope before'
const areaOfCompany = "the areas are the scope's by their own ids, and an area has one company"
const lockedFirst = 'it only locks the row; the next statement reads it within the scope, and finds nothing'

const nothingAsked =
  'it asks for nobody, because the specimen has reached nobody; the test of effects compares the list with its figure'
const namedFirst = 'figures are shown by the names of areas or companies, which are read within the scope'
const channelDays = "the tenants' payments are all of one area; the test of screens compares channels with the report"
const ownOverview =
  "the tenants have no rides on its days; the overview's own test gives an area and a company that are not held"
const areaOfRun = "each run is one area of the scope's, by its id"
const postingRun =
  "each run is one company of the scope's, by its id; the test of reports compares the rows of each area with its figure"

export const secondNets: readonly SecondNet[] = [
  {
    statement:
      'select count(*) as count from (select from ( select k.* from service_area r cross join lateral ( select l.agent_id, l.entry_number, l.day from split_line l where l.agent_id = r.agent_id and l.area_id = r.id limit $1) k where r.id = any ($2::bigint[]) and r.agent_id = any ($3::bigint[]) … ',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement:
      'select web_img, web_title, app_title, brand_company, domain, layout, (api_key_hash is not null)::boolean as has_api_key from agent where id = $1 and agent_id = any ($2::bigint[])',
    kinds: company,
    because: comparedCompany,
  },
  {
    statement:
      'select f.id, f.name, f.for_riders, f.position, f.version from repair_reason f where "f"."agent_id" = any ($1::bigint[]) and "f"."agent_id" = $2 order by f.position, f.id limit 500',
    kinds: company,
    because: comparedCompany,
  },
  {
    statement:
      'select p.id, p.name, p.unit, p.price_cents, p.stock, … from repair_part p where "p"."agent_id" = any ($2::bigint[]) and "p"."agent_id" = $3 and p.removed_at is null order by p.name, p.id limit 1000',
    kinds: company,
    because: comparedCompany,
  },
  {
    statement:
      'select t.kind, t.cents, t.reviewed from task_pay t where "t"."agent_id" = any ($1::bigint[]) and "t"."agent_id" = $2',
    kinds: company,
    because: comparedCompany,
  },
  {
    statement:
      'select s.lat, s.lng from vehicle_status s where s.area_id = $1 and ("s"."agent_id" = any ($2::bigint[]) and "s"."area_id" = any ($3::bigint[])) and s.lat is not null',
    kinds: both,
    because: 'the area is looked up within the scope before its vehicles are counted',
  },
  {
    statement:
      "select v.id, s.lat, s.lng, (not exists (select from task t where t.vehicle_id = v.id and t.done_at is null))::boolean as is_free from vehicle v … where v.area_id = $1 and v.agent_id = any ($2::bigint[]) and v.area_id = any ($3::bigint[]) and v.state = 'available' and s.lat is not null order by coalesce(v.last_ride_at, v.created_at), v.id",
    kinds: both,
    because: 'the area is looked up within the scope before its vehicles',
  },
  {
    statement:
      'select a.agent_id from service_area a where a.id = $1 and a.agent_id = any ($2::bigint[]) and a.id = any ($3::bigint[])',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement:
      'select a.id, a.agent_id, a.name, a.ring from service_area a where a.id = any ($1::bigint[]) and a.agent_id = any ($2::bigint[]) and a.id = any ($3::bigint[])',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement:
      'select r.id, r.agent_id, r.name from service_area r where r.id = any ($1::bigint[]) and r.id = any ($2::bigint[]) and r.agent_id = any ($3::bigint[]) order by r.agent_id, r.id',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement: 'select from role where id = $1 and agent_id = any ($2::bigint[]) for update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement: 'select from operator where id = $1 and agent_id = any ($2::bigint[]) for update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement: 'select from operator where phone_hash = $1 and agent_id = any ($2::bigint[]) for update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement:
      'select v.id from vehicle v where v.id = $1 and ("v"."agent_id" = any ($2::bigint[]) and "v"."area_id" = any ($3::bigint[])) for update',
    kinds: both,
    because: lockedFirst,
  },
  {
    statement:
      'select "v"."id" from "vehicle" as "v" inner join "device" as "d" on "d"."vehicle_id" = "v"."id" where "v"."agent_id" = any ($1::bigint[]) and "v"."area_id" = any ($2::bigint[]) and "v"."number" = $3',
    kinds: both,
    because: 'the vehicle whose id it finds is locked within the scope before its command',
  },
  {
    statement:
      'select "v"."id" from "vehicle" as "v" inner join "device" as "d" on "d"."vehicle_id" = "v"."id" where "v"."agent_id" = any ($1::bigint[]) and "v"."area_id" = any ($2::bigint[]) and "d"."imei" = $3',
    kinds: both,
    because: 'the vehicle whose id it finds is locked within the scope before its command',
  },
  {
    statement:
      'select s.vehicle_id from vehicle_status s where s.vehicle_id in ( select a.vehicle_id from vehicle_alarm a where a.id = any ($1::bigint[]) and a.closed_at is null and ("a"."agent_id" = any ($2::bigint[]) and "a"."area_id" = any ($3::bigint[])) ) order by s.vehicle_id for no key update',
    kinds: both,
    because: 'it only locks the vehicles of the alarms; the alarms are closed within the scope',
  },
  {
    statement:
      'update vehicle_alarm a set closed_at = greatest($1, a.opened_at), … and ("a"."agent_id" = any ($7::bigint[]) and "a"."area_id" = any ($8::bigint[])) returning a.id, a.vehicle_id, a.agent_id, a.area_id, a.kind',
    kinds: both,
    because: 'it names the vehicles that were locked, and these were found within the scope',
  },
  {
    statement:
      'select a.id from service_area a where a.id = any ($1::bigint[]) and a.area_id = any ($2::bigint[]) and a.agent_id in (select agent_and_below($3)) order by a.id',
    kinds: area,
    because:
      "in a call for the company that changes something, a worker of one area is not asked for the other's things here; the people's own test gives an area that is not held",
  },
  {
    statement:
      'select r.name, r.unit, m.cents, (-m.pieces)::bigint as pieces from repair_part_movement m join repair_part r on r.id = m.part_id where m.task_id = $1 and m.agent_id = any ($2::bigint[]) order by m.id',
    kinds: company,
    because: 'the task is looked up within the scope before the parts that were built in',
  },
  {
    statement:
      'select c.id, c.deposit_id, c.cents, c.state from deposit_case c where c.id = $1 and c.agent_id = any ($2::bigint[])',
    kinds: company,
    because: 'the deposit of the case is locked within the scope next',
  },
  {
    statement:
      'select o.agent_id, o.area_id, o.rider_id, o.vehicle_id, o.vehicle_number from ride_order o where o.id = $1 and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[])',
    kinds: area,
    because: 'the ticket that was opened is read within the scope before the commit',
  },
  {
    statement:
      "select o.name from operator o where o.id = $1 and o.agent_id = any ($2::bigint[]) and o.state = 'enabled' and … and $4::bigint in (select agent_and_below(o.agent_id)) and (o.all_areas or $5::bigint is null or exists (select from operator_area h where h.operator_id = o.id and h.area_id = $6::bigint))",
    kinds: company,
    because: "nobody of another tenant is above the ticket's company; the tickets' own test names somebody who is",
  },
  {
    statement:
      'select f.id, f.operator_id, … from operator_device f … where f.operator_id = $1 and f.agent_id = any ($2::bigint[]) order by f.requested_at desc nulls last, f.last_seen_at desc, f.id desc limit $3',
    kinds: company,
    because: 'the person is looked up within the companies before their browsers',
  },
  {
    statement:
      'select f.id, f.operator_id, … from (select f.* from ( select r.* from unnest($1::bigint[]) a (id) cross join lateral ( select f.id as id, f.last_seen_at as key0 from operator_device f where f.agent_id = a.id and f.agent_id = any ($2::bigint[]) … order by p.key0 desc, p.id desc',
    kinds: company,
    because: "each run is one company of the scope's, by its id",
  },
  {
    statement:
      'select count(*) as count from (select from ( select r.* from unnest($1::bigint[]) a (id) cross join lateral ( select f.id as id, f.last_seen_at as key0 from operator_device f where f.agent_id = a.id and f.agent_id = any ($2::bigint[]) … limit $4) c',
    kinds: company,
    because: "each run is one company of the scope's, by its id",
  },
  {
    statement:
      'select s.id, s.agent_id, s.name, s.state, s.centre_lat, s.centre_lng, s.ring, s.created_at, agent.company, … from service_area s join agent on agent.id = s.agent_id where s.id = $1 and (s.agent_id = any ($2::bigint[]) and s.area_id = any ($3::bigint[]))',
    kinds: both,
    because: 'the area was locked within the scope before it was changed; this reads it once more for the answer',
  },
  {
    statement:
      'with cells as materialized ( select k.id, k.agent_id, k.area_id, k.lat, k.lng, k.radius_m, y, x from park_application k … group by c.id',
    kinds: company,
    because: 'the requests are those of a page that was read within the scope',
  },
  {
    statement: 'select from coupon_template t where t.id = $1 and t.agent_id = any ($2::bigint[]) for no key update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement: 'select from activity a where a.id = $1 and a.agent_id = any ($2::bigint[]) for no key update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement: 'select from segment s where s.id = $1 and s.agent_id = any ($2::bigint[]) for no key update',
    kinds: company,
    because: lockedFirst,
  },
  {
    statement:
      'select c.id, c.state, c.ends_at, c.used_at, c.order_id, c.saved_cents, ((select o.placed_at from ride_order o where o.id = c.order_id and o.agent_id = c.agent_id))::timestamptz as placed_at from coupon c where c.id = any ($1::bigint[]) and c.agent_id = any ($2::bigint[]) order by c.id',
    kinds: company,
    because: rewardFirst,
  },
  {
    statement:
      'select c.id, c.state, c.begins_on, c.ends_on from rider_card c where c.id = $1 and c.agent_id = any ($2::bigint[])',
    kinds: company,
    because: rewardFirst,
  },
  {
    statement:
      'select o.area_id, o.rider_id, o.started_at, o.ended_at, o.distance_m, o.return_kind, o.benefits from ride_order o where … order by o.placed_at desc, o.id desc limit $7',
    kinds: both,
    because: 'a ride is priced only where the price card of its area was read within the scope',
  },
  {
    statement:
      'select s.agent_id, s.area_id, s.cents, s.free_students, … and (s.area_id = $3 or s.area_id is null) and s.agent_id = (select o.agent_id from service_area o where o.id = $4) order by s.id desc limit $5',
    kinds: both,
    because: "the call compares the area's id with the scope's areas before, and an area has one company",
  },
  {
    statement:
      "select o.id as operator_id, o.agent_id, o.name, o.phone_sealed, … where h.operator_id = o.id and not o.all_areas and h.area_id = any ($1::bigint[]) and a.agent_id = any ($2::bigint[]) ), '[]'::jsonb) as areas, (o.totp_enabled_at is not null)::boolean as has_totp from operator o join agent on agent.id = o.agent_id left join role r on r.id = o.role_id where o.agent_id = any ($3::bigint[]) and o.state <> 'removed' and o.id = $4",
    kinds: area,
    because: 'the answer about a person has no areas; lists of people, which have them, are another statement',
  },
  {
    statement:
      'select id, agent_id, name, centre_lat, centre_lng from service_area where id = $1 and agent_id = any ($2::bigint[]) and id = any ($3::bigint[])',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement:
      'select m.id, m.conversation_id, m.from_support, m.author_name, m.text, m.sent_at from chat_message m where m.agent_id = any ($1::bigint[]) and m.conversation_id in ( select c.id from chat_conversation c where c.operator_id = $2) and m.id > $3 order by m.id desc limit $4',
    kinds: company,
    because: "the conversation is the caller's own by the caller's id",
  },
  {
    statement:
      'select p.agent_id, p.area_id, p.rules from service_area s cross join lateral ( … ) p where s.agent_id = any ($2::bigint[]) order by s.id',
    kinds: company,
    because: 'prices tell the worth of coupons that were read within the scope, each by those of its own company',
  },
  {
    statement:
      'select (r.vehicle_id)::bigint as vehicle_id, (r.now)::bigint as now, (r.before)::bigint as before, … from ride_order o where o.area_id = $6 and (o.agent_id = any ($7::bigint[]) and o.area_id = any ($8::bigint[])) … and (v.agent_id = any ($13::bigint[]) and v.area_id = any ($14::bigint[])) order by r.now + r.before desc, r.vehicle_id limit $15',
    kinds: both,
    because: 'the area is the one of the scope whose rides have changed most, by figures read within the scope',
  },
  {
    statement:
      "select r.id, r.agent_id, r.phone_sealed, r.phone_hash, r.created_at as registered_at, ((select coalesce(sum(d.rides), 0) from rider_day d where d.rider_id = r.id and d.agent_id = r.agent_id and d.day >= $1::date and d.day >= greatest($2::date, (r.created_at at time zone 'Asia/Shanghai')::date) - $3::integer and d.day < greatest($4::date, (r.created_at at time zone 'Asia/Shanghai')::date)))::bigint as rides_before, ((select coalesce(sum(d.rides), 0) from rider_day d where d.rider_id = r.id and d.agent_id = r.agent_id and d.day >= greatest($5::date, (r.created_at at time zone 'Asia/Shanghai')::date) and d.day < greatest($6::date, (r.created_at at time zone 'Asia/Shanghai')::date) + $7::integer and d.day < $8::date))::bigint as rides, ((select coalesce(sum(d.cents), 0) from rider_day d where d.rider_id = r.id and d.agent_id = r.agent_id and d.day >= greatest($9::date, (r.created_at at time zone 'Asia/Shanghai')::date) and d.day < greatest($10::date, (r.created_at at time zone 'Asia/Shanghai')::date) + $11::integer and d.day < $12::date))::bigint as cents, p.id as key_id, (extract(epoch from p.key0) * 1000000)::bigint as key0 from (select f.* from ( select r.id as id, r.created_at as key0 from rider r where false and r.agent_id = any ($13::bigint[]) order by r.created_at desc, r.id desc limit $14) f order by f.key0 desc, f.id desc limit $15) p join rider r on r.id = p.id order by p.key0 desc, p.id desc",
    kinds: company,
    because: nothingAsked,
  },
  {
    statement:
      'select count(*) as count from (select from ( select r.id as id, r.created_at as key0 from rider r where false and r.agent_id = any ($1::bigint[]) order by r.created_at desc, r.id desc limit $2) f limit $3) c',
    kinds: company,
    because: nothingAsked,
  },
  {
    statement:
      "select coalesce(g.area_id::text, '') as key, g.rides from (select f.area_id, coalesce(sum(f.rides), 0)::bigint as rides from report_ride_day f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date group by f.area_id) g",
    kinds: both,
    because: namedFirst,
  },
  {
    statement:
      "select coalesce(g.area_id::text, '') as key, g.rides from (select f.area_id, coalesce(sum(f.rides), 0)::bigint as rides from report_ride_hour f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date and f.hour < $6 group by f.area_id) g",
    kinds: both,
    because: namedFirst,
  },
  {
    statement:
      "select coalesce(g.area_id::text, '') as key, g.chargedCents, g.refundedCents, g.rides from (select f.area_id, coalesce(sum(f.charged_cents), 0)::bigint as chargedCents, coalesce(sum(f.refunded_cents), 0)::bigint as refundedCents, coalesce(sum(f.rides), 0)::bigint as rides from report_ride_day f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date group by f.area_id) g",
    kinds: both,
    because: namedFirst,
  },
  {
    statement:
      "select coalesce(g.area_id::text, '') as key, g.chargedCents, g.refundedCents from (select f.area_id, coalesce(sum(f.charged_cents), 0)::bigint as chargedCents, coalesce(sum(f.refunded_cents), 0)::bigint as refundedCents from report_ride_hour f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date and f.hour < $6 group by f.area_id) g",
    kinds: both,
    because: namedFirst,
  },
  {
    statement:
      'select g.agent_id::text as key, g.rides from (select f.agent_id, coalesce(sum(f.rides), 0)::bigint as rides from report_ride_company_day f where f.agent_id = any ($1::bigint[]) and f.cut = $2 and f.day between $3::date and $4::date group by f.agent_id) g',
    kinds: company,
    because: namedFirst,
  },
  {
    statement:
      'select g.agent_id::text as key, coalesce(sum(g.credit_cents - g.debit_cents) filter (where g.account = any ($1::text[]) and g.kind <> all ($2::text[])), 0)::bigint as income from ( select f.agent_id, f.account, f.kind, sum(f.credits) as credits, sum(f.debits) as debits, sum(f.credit_cents) as credit_cents, sum(f.debit_cents) as debit_cents from report_money_company_day f where f.agent_id = any ($3::bigint[]) and f.account = any ($4::text[]) and f.day between $5::date and $6::date group by f.agent_id, f.account, f.kind ) g group by 1',
    kinds: company,
    because: namedFirst,
  },
  {
    statement:
      'select g.agent_id::text as key, coalesce(sum(g.credit_cents - g.debit_cents) filter (where g.account = any ($1::text[]) and g.kind <> all ($2::text[])), 0)::bigint as income from ( select f.agent_id, f.account, f.kind, sum(f.credits) as credits, sum(f.debits) as debits, sum(f.credit_cents) as credit_cents, sum(f.debit_cents) as debit_cents from report_money_company_hour f where f.agent_id = any ($3::bigint[]) and f.account = any ($4::text[]) and f.day between $5::date and $6::date and f.hour < $7 group by f.agent_id, f.account, f.kind ) g group by 1',
    kinds: company,
    because: namedFirst,
  },
  {
    statement:
      'select g.channel as key, coalesce(sum(g.debit_cents) filter (where g.account = any ($1::text[]) and g.kind = any ($2::text[]) ), 0)::bigint as channelPaid, coalesce(sum(g.credit_cents) filter (where g.account = any ($3::text[]) and g.kind = any ($4::text[]) ), 0)::bigint as channelRefunded from ( select f.channel, f.account, f.kind, sum(f.credits) as credits, sum(f.debits) as debits, sum(f.credit_cents) as credit_cents, sum(f.debit_cents) as debit_cents from report_money_day f where f.agent_id = any ($5::bigint[]) and (f.area_id is null or f.area_id = any ($6::bigint[])) and f.account = any ($7::text[]) and f.day between $8::date and $9::date group by f.channel, f.account, f.kind ) g group by 1',
    kinds: area,
    because: channelDays,
  },
  {
    statement:
      "select (concat_ws(':', p.key0, p.key1, p.key2))::text as id, (p.at)::timestamptz as at, (p.agent_id)::bigint as agent_id, ((select a.company from agent a where a.id = p.agent_id))::text as company, ((select a.name from service_area a where a.id = p.area_id))::text as area_name, (p.order_id)::bigint as order_id, (p.placed_at)::timestamptz as placed_at, (p.vehicle_number)::text as vehicle_number, (p.model)::text as model, (p.order_state)::text as order_state, (p.entry_number)::bigint as entry_number, (p.entry_kind)::text as entry_kind, (p.account)::text as account, (p.channel)::text as channel, (p.value)::numeric as value, (p.key0)::bigint as key0, (p.key1)::bigint as key1, (p.key2)::bigint as key2 from ( select r.* from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then o.charged_cents else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r order by r.key0 desc, r.key1 desc, r.key2 desc limit $9 ) p order by p.key0 desc, p.key1 desc, p.key2 desc",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as count from (select from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then o.charged_cents else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r limit $9) c",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select (concat_ws(':', p.key0, p.key1, p.key2))::text as id, (p.at)::timestamptz as at, (p.agent_id)::bigint as agent_id, ((select a.company from agent a where a.id = p.agent_id))::text as company, ((select a.name from service_area a where a.id = p.area_id))::text as area_name, (p.order_id)::bigint as order_id, (p.placed_at)::timestamptz as placed_at, (p.vehicle_number)::text as vehicle_number, (p.model)::text as model, (p.order_state)::text as order_state, (p.entry_number)::bigint as entry_number, (p.entry_kind)::text as entry_kind, (p.account)::text as account, (p.channel)::text as channel, (p.value)::numeric as value, (p.key0)::bigint as key0, (p.key1)::bigint as key1, (p.key2)::bigint as key2 from ( select r.* from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.cents < 0 and m.kind = any ($3::text[]) ) then -m.cents else 0 end - case when (m.account = any ($4::text[]) and m.cents > 0 and m.kind = any ($5::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($6::bigint[]) and e.occurred_at >= $7::date and e.occurred_at < $8::date and e.kind = any ($9::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($10::text[]) and m.occurred_at >= $11::date and m.occurred_at < $12::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $13::date and $14::date and (m.area_id is null or m.area_id = any ($15::bigint[])) and ((m.account = any ($16::text[]) and m.cents < 0 and m.kind = any ($17::text[]) ) or (m.account = any ($18::text[]) and m.cents > 0 and m.kind = any ($19::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $20 ) r order by r.key0 desc, r.key1 desc, r.key2 desc limit $21 ) p order by p.key0 desc, p.key1 desc, p.key2 desc",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select count(*) as count from (select from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.cents < 0 and m.kind = any ($3::text[]) ) then -m.cents else 0 end - case when (m.account = any ($4::text[]) and m.cents > 0 and m.kind = any ($5::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($6::bigint[]) and e.occurred_at >= $7::date and e.occurred_at < $8::date and e.kind = any ($9::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($10::text[]) and m.occurred_at >= $11::date and m.occurred_at < $12::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $13::date and $14::date and (m.area_id is null or m.area_id = any ($15::bigint[])) and ((m.account = any ($16::text[]) and m.cents < 0 and m.kind = any ($17::text[]) ) or (m.account = any ($18::text[]) and m.cents > 0 and m.kind = any ($19::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $20 ) r limit $21) c",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select (concat_ws(':', p.key0, p.key1, p.key2))::text as id, (p.at)::timestamptz as at, (p.agent_id)::bigint as agent_id, ((select a.company from agent a where a.id = p.agent_id))::text as company, ((select a.name from service_area a where a.id = p.area_id))::text as area_name, (p.order_id)::bigint as order_id, (p.placed_at)::timestamptz as placed_at, (p.vehicle_number)::text as vehicle_number, (p.model)::text as model, (p.order_state)::text as order_state, (p.entry_number)::bigint as entry_number, (p.entry_kind)::text as entry_kind, (p.account)::text as account, (p.channel)::text as channel, (p.value)::numeric as value, (p.key0)::bigint as key0, (p.key1)::bigint as key1, (p.key2)::bigint as key2 from ( select r.* from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (f.day - date '1970-01-01')::bigint as key0, f.area_id as key1, 0::bigint as key2, f.day::timestamp at time zone 'Asia/Shanghai' as at, f.agent_id, f.area_id, null::bigint as order_id, null::timestamptz as placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ f.vehicles) as value from fleet_day f where f.area_id = s.id and f.area_id = any ($2::bigint[]) and f.agent_id = any ($3::bigint[]) and f.day between $4::date and $5::date) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $6 ) r order by r.key0 desc, r.key1 desc, r.key2 desc limit $7 ) p order by p.key0 desc, p.key1 desc, p.key2 desc",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as count from (select from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (f.day - date '1970-01-01')::bigint as key0, f.area_id as key1, 0::bigint as key2, f.day::timestamp at time zone 'Asia/Shanghai' as at, f.agent_id, f.area_id, null::bigint as order_id, null::timestamptz as placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ f.vehicles) as value from fleet_day f where f.area_id = s.id and f.area_id = any ($2::bigint[]) and f.agent_id = any ($3::bigint[]) and f.day between $4::date and $5::date) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $6 ) r limit $7) c",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select (concat_ws(':', p.key0, p.key1, p.key2))::text as id, (p.at)::timestamptz as at, (p.agent_id)::bigint as agent_id, ((select a.company from agent a where a.id = p.agent_id))::text as company, ((select a.name from service_area a where a.id = p.area_id))::text as area_name, (p.order_id)::bigint as order_id, (p.placed_at)::timestamptz as placed_at, (p.vehicle_number)::text as vehicle_number, (p.model)::text as model, (p.order_state)::text as order_state, (p.entry_number)::bigint as entry_number, (p.entry_kind)::text as entry_kind, (p.account)::text as account, (p.channel)::text as channel, (p.value)::numeric as value, (p.key0)::bigint as key0, (p.key1)::bigint as key1, (p.key2)::bigint as key2 from ( select r.* from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.kind = any ($3::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($4::bigint[]) and e.occurred_at >= $5::date and e.occurred_at < $6::date and e.kind = any ($7::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($8::text[]) and m.occurred_at >= $9::date and m.occurred_at < $10::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $11::date and $12::date and (m.area_id is null or m.area_id = any ($13::bigint[])) and ((m.account = any ($14::text[]) and m.kind = any ($15::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $16 ) r order by r.key0 desc, r.key1 desc, r.key2 desc limit $17 ) p order by p.key0 desc, p.key1 desc, p.key2 desc",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select count(*) as count from (select from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.kind = any ($3::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($4::bigint[]) and e.occurred_at >= $5::date and e.occurred_at < $6::date and e.kind = any ($7::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($8::text[]) and m.occurred_at >= $9::date and m.occurred_at < $10::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $11::date and $12::date and (m.area_id is null or m.area_id = any ($13::bigint[])) and ((m.account = any ($14::text[]) and m.kind = any ($15::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $16 ) r limit $17) c",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select (concat_ws(':', p.key0, p.key1, p.key2))::text as id, (p.at)::timestamptz as at, (p.agent_id)::bigint as agent_id, ((select a.company from agent a where a.id = p.agent_id))::text as company, ((select a.name from service_area a where a.id = p.area_id))::text as area_name, (p.order_id)::bigint as order_id, (p.placed_at)::timestamptz as placed_at, (p.vehicle_number)::text as vehicle_number, (p.model)::text as model, (p.order_state)::text as order_state, (p.entry_number)::bigint as entry_number, (p.entry_kind)::text as entry_kind, (p.account)::text as account, (p.channel)::text as channel, (p.value)::numeric as value, (p.key0)::bigint as key0, (p.key1)::bigint as key1, (p.key2)::bigint as key2 from ( select r.* from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then 1 else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r order by r.key0 desc, r.key1 desc, r.key2 desc limit $9 ) p order by p.key0 desc, p.key1 desc, p.key2 desc",
    kinds: area,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as count from (select from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then 1 else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r limit $9) c",
    kinds: area,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(c.value), 0)::bigint as value from (select r.value from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then o.charged_cents else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r limit $9) c",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(c.value), 0)::bigint as value from (select r.value from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.cents < 0 and m.kind = any ($3::text[]) ) then -m.cents else 0 end - case when (m.account = any ($4::text[]) and m.cents > 0 and m.kind = any ($5::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($6::bigint[]) and e.occurred_at >= $7::date and e.occurred_at < $8::date and e.kind = any ($9::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($10::text[]) and m.occurred_at >= $11::date and m.occurred_at < $12::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $13::date and $14::date and (m.area_id is null or m.area_id = any ($15::bigint[])) and ((m.account = any ($16::text[]) and m.cents < 0 and m.kind = any ($17::text[]) ) or (m.account = any ($18::text[]) and m.cents > 0 and m.kind = any ($19::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $20 ) r limit $21) c",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(c.value), 0)::bigint as value from (select r.value from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (f.day - date '1970-01-01')::bigint as key0, f.area_id as key1, 0::bigint as key2, f.day::timestamp at time zone 'Asia/Shanghai' as at, f.agent_id, f.area_id, null::bigint as order_id, null::timestamptz as placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ f.vehicles) as value from fleet_day f where f.area_id = s.id and f.area_id = any ($2::bigint[]) and f.agent_id = any ($3::bigint[]) and f.day between $4::date and $5::date) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $6 ) r limit $7) c",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(c.value), 0)::bigint as value from (select r.value from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.kind = any ($3::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($4::bigint[]) and e.occurred_at >= $5::date and e.occurred_at < $6::date and e.kind = any ($7::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($8::text[]) and m.occurred_at >= $9::date and m.occurred_at < $10::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $11::date and $12::date and (m.area_id is null or m.area_id = any ($13::bigint[])) and ((m.account = any ($14::text[]) and m.kind = any ($15::text[]) )) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $16 ) r limit $17) c",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(c.value), 0)::bigint as value from (select r.value from (select unnest($1::bigint[]) as id) s cross join lateral ( select r.* from ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then 1 else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null order by r.key0 desc, r.key1 desc, r.key2 desc limit $8 ) r limit $9) c",
    kinds: area,
    because: areaOfRun,
  },
  {
    statement:
      'select f.area_id, f.hour, f.vehicles, f.available, f.on_trip, f.non_operational, f.non_contactable from fleet_hour f where f.hour = any ($1::timestamptz[]) and (f.agent_id = any ($2::bigint[]) and f.area_id = any ($3::bigint[]))',
    kinds: both,
    because: ownOverview,
  },
  {
    statement:
      "select (select to_char(g.hour at time zone coalesce(min(c.zone), 'Asia/Shanghai'), 'HH24') from report_calendar c where c.agent_id = g.agent_id) as key, g.rides, g.chargedCents, g.refundedCents from (select f.agent_id, f.hour, coalesce(sum(f.rides), 0)::bigint as rides, coalesce(sum(f.charged_cents), 0)::bigint as chargedCents, coalesce(sum(f.refunded_cents), 0)::bigint as refundedCents from report_ride_hour f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date group by f.agent_id, f.hour) g",
    kinds: both,
    because: ownOverview,
  },
  {
    statement:
      "select coalesce(g.area_id::text, '') as key, g.rides, g.chargedCents, g.refundedCents, g.failed, g.cancelled from (select f.area_id, coalesce(sum(f.rides), 0)::bigint as rides, coalesce(sum(f.charged_cents), 0)::bigint as chargedCents, coalesce(sum(f.refunded_cents), 0)::bigint as refundedCents, coalesce(sum(f.failed), 0)::bigint as failed, coalesce(sum(f.cancelled), 0)::bigint as cancelled from report_ride_day f where f.area_id = any ($1::bigint[]) and f.agent_id = any ($2::bigint[]) and f.cut = $3 and f.day between $4::date and $5::date group by f.area_id) g",
    kinds: both,
    because: ownOverview,
  },
]

/**
 * Lists read one index run per service area of the scope (`kit/list/tableList.ts`): the run is held to an area by its id,
 * and an area belongs to one company, so the filter by company holds back nothing more.
 */
const areaRun = /unnest\(\$\d+::bigint\[\]\) a \(id\) .*\.area_id = a\.id and \w+\.agent_id = any \(/

export const isAreaRun = (sql: string): boolean => areaRun.test(inOneLine(sql).replaceAll('"', ''))

/** The statement with single spaces, as the entries have it. */
export const inOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim()

/** Whether the entry means the statement; quotes around names do not matter. */
export function isMeant({ statement }: SecondNet, sql: string): boolean {
  const line = inOneLine(sql).replaceAll('"', '')
  const parts = statement.replaceAll('"', '').split(' … ')
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = line.indexOf(part, at)
    if (found === -1 || (index === 0 && found !== 0)) return false
    at = found + part.length
  }
  return parts.length === 1 ? line === parts[0] : line.endsWith(parts.at(-1) ?? '')
}
