import { area, both, company, type SecondNet } from './secondNet.ts'

const nothingAsked =
  'it asks for nobody, because the specimen has reached nobody; the test of effects compares the list with its figure'
const namedFirst = 'figures are shown by the names of areas or companies, which are read within the scope'
const channelDays = "the tenants' payments are all of one area; the test of screens compares channels with the report"
const ownOverview =
  "the tenants have no rides on its days; the overview's own test gives an area and a company that are not held"
const areaOfRun = "each run is one area of the scope's, by its id"
const postingRun =
  "each run is one company of the scope's, by its id; the test of reports compares the rows of each area with its figure"

/** Statements of reports, screens on walls, the overview and effects. */
export const reportNets: readonly SecondNet[] = [
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
      "select count(*) as rows, coalesce(sum(r.value), 0)::bigint as value from (select unnest($1::bigint[]) as id) s cross join lateral ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then o.charged_cents else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(r.value), 0)::bigint as value from (select unnest($1::bigint[]) as id) s cross join lateral ( select m.agent_id as key0, m.number as key1, m.n::bigint as key2, m.occurred_at as at, m.agent_id, m.area_id, m.order_id, m.placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, m.number as entry_number, m.kind as entry_kind, m.account, m.channel, (+ case when (m.account = any ($2::text[]) and m.cents < 0 and m.kind = any ($3::text[]) ) then -m.cents else 0 end - case when (m.account = any ($4::text[]) and m.cents > 0 and m.kind = any ($5::text[]) ) then m.cents else 0 end) as value from ( select e.agent_id, e.number, l.n, e.occurred_at, o.id as order_id, o.placed_at, o.area_id, a.kind as account, e.kind, coalesce(h.channel, '') as channel, coalesce(k.kind, '') as card_kind, date_trunc('hour', e.occurred_at, 'UTC') as hour, l.cents from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) with ordinality as l (account_id, cents, n) join ledger_account a on a.id = l.account_id left join ride_order o on o.id = case when e.reference like 'order:%' then substr(e.reference, 7)::bigint end and o.agent_id = e.agent_id left join rider_card k on k.id = case when e.reference like 'card:%' then substr(e.reference, 6)::bigint end and k.agent_id = e.agent_id left join lateral ( select substr(min(b.kind), 10) as channel from ledger_account b where b.id = any (e.account_ids) and b.owner_id = 0 and b.kind like 'clearing\\_%' ) h on true where e.agent_id = s.id and e.agent_id = any ($6::bigint[]) and e.occurred_at >= $7::date and e.occurred_at < $8::date and e.kind = any ($9::text[])) m left join report_calendar c on c.agent_id = m.agent_id where m.account = any ($10::text[]) and m.occurred_at >= $11::date and m.occurred_at < $12::date and report_day(date_trunc('hour', m.occurred_at, 'UTC'), c.zone, c.day_starts_at) between $13::date and $14::date and (m.area_id is null or m.area_id = any ($15::bigint[])) and ((m.account = any ($16::text[]) and m.cents < 0 and m.kind = any ($17::text[]) ) or (m.account = any ($18::text[]) and m.cents > 0 and m.kind = any ($19::text[]) )) ) r where r.value is not null",
    kinds: both,
    because: postingRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(r.value), 0)::bigint as value from (select unnest($1::bigint[]) as id) s cross join lateral ( select (f.day - date '1970-01-01')::bigint as key0, f.area_id as key1, 0::bigint as key2, f.day::timestamp at time zone 'Asia/Shanghai' as at, f.agent_id, f.area_id, null::bigint as order_id, null::timestamptz as placed_at, null::text as vehicle_number, null::text as model, null::text as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ f.vehicles) as value from fleet_day f where f.area_id = s.id and f.area_id = any ($2::bigint[]) and f.agent_id = any ($3::bigint[]) and f.day between $4::date and $5::date) r where r.value is not null",
    kinds: both,
    because: areaOfRun,
  },
  {
    statement:
      "select count(*) as rows, coalesce(sum(r.value), 0)::bigint as value from (select unnest($1::bigint[]) as id) s cross join lateral ( select (extract(epoch from o.placed_at) * 1000000)::bigint as key0, o.id as key1, 0::bigint as key2, o.placed_at as at, o.agent_id, o.area_id, o.id as order_id, o.placed_at, o.vehicle_number, v.model, o.state as order_state, null::bigint as entry_number, null::text as entry_kind, null::text as account, null::text as channel, (+ case when o.charged_cents is not null then 1 else 0 end) as value from ride_order o join vehicle v on v.id = o.vehicle_id left join report_calendar c on c.agent_id = o.agent_id where o.area_id = s.id and o.agent_id = any ($2::bigint[]) and o.area_id = any ($3::bigint[]) and (o.charged_cents is not null or o.state in ('cancelled', 'failed')) and o.placed_at >= $4::date and o.placed_at < $5::date and report_day(date_trunc('hour', o.placed_at, 'UTC'), c.zone, c.day_starts_at) between $6::date and $7::date and (o.charged_cents is not null) ) r where r.value is not null",
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
