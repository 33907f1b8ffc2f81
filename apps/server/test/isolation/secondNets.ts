/**
 * Statements whose filter may hold back nothing by itself: a statement before them looked the thing up within the scope
 * and is checked like all others, the next one filters again, or the same filter stands in another form of the same
 * question, where it is noticed.
 */
export const secondNets: readonly RegExp[] = [
  // The company is compared with the scope's before its reasons, parts and pay.
  /^\s*select f\.id, f\.name, f\.for_riders/,
  /^\s*select p\.id, p\.name, p\.unit, p\.price_cents/,
  /^\s*select t\.kind, t\.cents, t\.reviewed from task_pay/,
  // Rules, people and load stand beside the areas of the scope.
  /^\s*select distinct on \(r\.area_id\) r\.id/,
  /^\s*select p\.area_id, p\.operator_id, o\.name/,
  /^\s*select t\.area_id, t\.kind, count/,
  // Nobody is sent to the areas of another company; how much somebody has in hand is counted within the scope.
  /^\s*select o\.name from operator o\s+where o\.id = /,
  /^\s*select o\.id, o\.name, o\.agent_id, \(\s+select count/,
  // The vehicles are looked up before the place that they are to go to.
  /^\s*select f\.id, f\.name, f\.centre_lat, f\.centre_lng from fence f/,
  // The task is looked up before what was built in.
  /^\s*select r\.name, r\.unit, -m\.pieces/,
  // The area is compared with the scope's before its past is read.
  /^\s*select g\.vehicle_id, g\.kind, g\.started_at, g\.ended_at, g\.end_lat/,
  /^\s*select v\.id, v\.number, coalesce\(v\.last_ride_at/,
  /^\s*select a\.vehicle_id, a\.kind, a\.opened_at, a\.closed_at from vehicle_alarm/,
  /^\s*select f\.vehicle_id, f\.reported_at, f\.settled_at/,
  /^\s*select t\.vehicle_id, t\.kind, t\.done_at from task t/,
  // The area is looked up within the scope's areas before its rides and vehicles are read.
  /^\s*select id, agent_id, name, centre_lat, centre_lng from service_area/,
  /^\s*select lat_step, lng_step, hour, sum\(rides\)/,
  /^\s*select t\.started_at as at from trip t/,
  /^\s*select v\.id, s\.lat, s\.lng,\s+not exists \(select from task t/,
  // The vehicle is looked up, then locked.
  /^select "v"\."id" from "vehicle" as "v" inner join "device"/,
  // The role or person is locked, then read within the scope.
  /^select from role where id = \$1 and .* for update$/,
  /^\s*select from operator\s+where (?:id|phone_hash) = \$1 and .* for update$/,
  // The alarms' vehicles are locked within the scope, then the alarms are closed within it.
  /^\s*update vehicle_alarm a set closed_at/,
  /^\s*select s\.vehicle_id from vehicle_status s\s+where s\.vehicle_id in/,
  // The area is looked up, or its id is compared with the scope's, before its vehicles and people are counted.
  /^\s*select s\.lat, s\.lng from vehicle_status s\s+where s\.area_id = /,
  /^\s*select a\.id from service_area a\s+where a\.id = any \(\$1/,
  // The company is compared with the scope's before.
  /from role r\s+where r\.agent_id = \$1 and /,
  // Forms of the list of people, of the tree of companies and of the review that show none who is held to another area.
  /^\s*select\s+o\.id as "operatorId", o\.(?:agent_id|name)/,
  /^\s*with areas as \(select agent_id/,
  // The person is looked up before.
  /^\s*select\s+\(select count\(\*\) from screening s where s\.operator_id = \$1/,
  // The areas that are gone through are the scope's.
  /from ride_order o where o\.area_id = a\.id/,
  // The invoice is looked up within the scope before its items.
  /from invoice_item t\s+where t\.invoice_id = /,
  // The ticket is looked up, or locked, within the scope before its history, its order and its rider's other tickets.
  /from complaint_event e where e\.complaint_id = /,
  /charged_cents, o\.refunded_cents from ride_order o\s+where o\.id = /,
  /where c\.rider_id = \$1 and c\.id <> /,
  // The rider is looked up within the scope before the area where they rode last.
  /^\s*select r\.id, r\.agent_id, \(\s+select o\.area_id from ride_order/,
  // The list of tasks by distance has the filter of the list by time.
  /sqrt\(power\(\(coalesce\(s\.lat, t\.from_lat\)/,
  // The places are those of the scope, and a vehicle stands only at places of its own area.
  /^\s*select v\.area_id, s\.lat, s\.lng from vehicle v join vehicle_status/,
  // The order is looked up before the photos of its return, and what names a photo before the photo.
  /^\s*select p\.photo_id from return_photo/,
  /^\s*select p\.id, p\.kind, p\.width, p\.height, p\.sealed/,
  // The fences are looked up before their returns are counted.
  /^\s*select b\.line_id, count\(\*\) as count from return_check/,
  // The areas are the scope's by their own ids; the company is asked beside.
  /^\s*select a\.agent_id from service_area a/,
  /^\s*select (?:a|r)\.id, (?:a|r)\.agent_id, (?:a|r)\.name(?:, a\.ring)? from service_area/,
  // The deposit of the case, and the ticket that was opened, are read within the scope once more.
  /^\s*select c\.deposit_id from deposit_case/,
  /^\s*select o\.agent_id, o\.area_id, o\.rider_id, o\.vehicle_id/,
  // The order is looked up before its lines in the ledger.
  /from ledger_entry e, lateral/,
]
