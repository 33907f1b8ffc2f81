import { reportNets } from './reportNets.ts'
import { area, both, company, type SecondNet } from './secondNet.ts'

const comparedCompany = "the call compares the company's id with the scope's companies before"
const rewardFirst = 'the reward whose coupons or card these are is read within the scope before'
const areaOfCompany = "the areas are the scope's by their own ids, and an area has one company"
const countUntold = 'the search shows the things that it finds, and tells their number to nobody'
const sameModels = 'the vehicles of a tenant are of one model in both of its areas'
const lockedFirst = 'it only locks the row; the next statement reads it within the scope, and finds nothing'

export const secondNets: readonly SecondNet[] = [
  ...reportNets,
  {
    statement:
      'select a.agent_id, a.name from service_area a where a.id = $1 and a.agent_id = any ($2::bigint[]) and a.id = any ($3::bigint[])',
    kinds: company,
    because: areaOfCompany,
  },
  {
    statement:
      "select (m.value)::text as model from ( select f.value, sum(f.rides) as rides from report_ride_month f where f.agent_id = any ($1::bigint[]) and f.area_id = any ($2::bigint[]) and f.cut = 'model' group by f.value order by 2 desc, 1 limit $3 ) m order by m.rides desc, m.value",
    kinds: area,
    because: sameModels,
  },
  {
    statement: `select "f"."id", … from fence f where f.kind = 'parking' and f.valid_to is null and f.north >= $1 and f.south <= $2 and f.east >= $3 and f.west <= $4 and ("f"."agent_id" = any ($5::bigint[]) and "f"."area_id" = any ($6::bigint[])) order by f.id desc limit $7`,
    kinds: both,
    because: 'all spots of these tests lie at one place, and the newest of them is one that the caller has just made',
  },
  {
    statement:
      'select (array(select distinct model from vehicle where agent_id = any ($1::bigint[]) and area_id = any ($2::bigint[]) order by 1 limit $3))::text[] as "models", … as "alarms"',
    kinds: area,
    because: 'the vehicles of a tenant have one model, one firmware and one kind of alarm in both of its areas',
  },
  {
    statement:
      'select count(*) as count from (select from ( select c.id as id, c.is_done as key0, c.due_at as key1 from ticket c where ( c.agent_id = any ($1::bigint[]) and (c.area_id is null or c.area_id = any ($2::bigint[]))) and c.vehicle_number = $3 order by c.is_done asc, c.due_at asc, c.id asc limit $4) f limit $5) c',
    kinds: both,
    because: countUntold,
  },
  {
    statement:
      'select (count(*))::bigint as count from (select from task t where (t.agent_id = any ($1::bigint[]) and t.area_id = any ($2::bigint[])) and t.vehicle_id in (select n.id from vehicle n where (n.number collate C >= $3 and n.number collate C < $4) and (n.agent_id = any ($5::bigint[]) and n.area_id = any ($6::bigint[]))) and t.done_at is null and t.state = any ($7::text[]) limit $8) c',
    kinds: both,
    because: countUntold,
  },
  {
    statement:
      'select count(*) as count from (select from ( select c.id as id, c.is_done as key0, c.due_at as key1 from ticket c where ( c.agent_id = any ($1::bigint[]) and (c.area_id is null or c.area_id = any ($2::bigint[]))) and c.rider_id = any ($3::bigint[]) order by c.is_done asc, c.due_at asc, c.id asc limit $4) f limit $5) c',
    kinds: both,
    because: countUntold,
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
    isByOrder: true,
  },
  {
    statement:
      'update vehicle_alarm a set closed_at = greatest($1, a.opened_at), … and ("a"."agent_id" = any ($7::bigint[]) and "a"."area_id" = any ($8::bigint[])) returning a.id, a.vehicle_id, a.agent_id, a.area_id, a.kind',
    kinds: both,
    because: 'it names the vehicles that were locked, and these were found within the scope',
  },
  {
    statement:
      'select s.vehicle_id from vehicle_status s where s.vehicle_id in ( select a.vehicle_id from vehicle_alarm a where a.id = any ($1::bigint[]) and ("a"."agent_id" = any ($2::bigint[]) and "a"."area_id" = any ($3::bigint[])) ) order by s.vehicle_id for no key update',
    kinds: both,
    because: 'it only locks the vehicles of the alarms; the alarms are opened again within the scope',
    isByOrder: true,
  },
  {
    statement:
      'update vehicle_alarm a set closed_at = null, … and ("a"."agent_id" = any ($5::bigint[]) and "a"."area_id" = any ($6::bigint[])) and not exists ( select from vehicle_alarm o where o.vehicle_id = a.vehicle_id and o.kind = a.kind and o.closed_at is null ) and a.id = ( select max(m.id) from vehicle_alarm m where m.vehicle_id = a.vehicle_id and m.kind = a.kind and m.id = any ($7::bigint[]) ) returning a.id, a.vehicle_id, a.agent_id, a.area_id, a.kind',
    kinds: both,
    because: 'it names the vehicles that were locked, and opens only what the caller has closed',
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
    statement:
      'select a.jurisdiction_id, … from mds_agency a where a.jurisdiction_id = $1 and a.agent_id = any ($2::bigint[]) for update',
    kinds: company,
    because: 'once a mutant has ended the other company’s jurisdiction, its agency is gone; before that it is noticed',
    isByOrder: true,
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
      'select (r.vehicle_id)::bigint as vehicle_id, (r.now)::bigint as now, (r.before)::bigint as before, … from ride_order o where o.area_id = $7 and (o.agent_id = any ($8::bigint[]) and o.area_id = any ($9::bigint[])) … and (v.agent_id = any ($14::bigint[]) and v.area_id = any ($15::bigint[])) order by r.now + r.before desc, r.vehicle_id limit $16',
    kinds: both,
    because: 'the area is the one of the scope whose rides have changed most, by figures read within the scope',
  },
]

/**
 * Lists read one index run per service area of the scope (`kit/list/tableList.ts`): the run is held to an area by its id,
 * and an area belongs to one company, so the filter by company holds back nothing more.
 */
const areaRun = /unnest\(\$\d+::bigint\[\]\) a \(id\) .*\.area_id = a\.id and \w+\.agent_id = any \(/

/** Lines of splits are read by such runs over the areas themselves (`finance/splitBills/lines.ts`). */
const splitRun = /from service_area r cross join lateral \( select .* l\.agent_id = r\.agent_id and l\.area_id = r\.id /

export const isAreaRun = (sql: string): boolean => {
  const line = inOneLine(sql).replaceAll('"', '')
  return areaRun.test(line) || splitRun.test(line)
}

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
