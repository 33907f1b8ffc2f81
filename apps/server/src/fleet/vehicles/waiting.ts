import { sql } from 'kysely'
import { computed } from '#kit/db/rows.ts'
import { lowBatteryCondition } from '../states/counted.ts'

/** What of a vehicle waits for somebody, for rows in which `p` names the vehicle by its id and `v` and `s` are its own. */
export const lowBattery = computed('boolean', sql`coalesce(${lowBatteryCondition}, false)`)
/** Kinds of its alarms that are not closed, the oldest first. */
export const openAlarms = computed(
  'text[]',
  sql`array(select a.kind from vehicle_alarm a where a.vehicle_id = p.id and a.closed_at is null order by a.id)`,
)
/** Kinds of its tasks that are not done, the oldest first. */
export const openTasks = computed(
  'text[]',
  sql`array(select t.kind from task t where t.vehicle_id = p.id and t.done_at is null order by t.id)`,
)
