import { taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import type { Turn } from '#fleet/public.ts'
import { codeOf } from '#kit/codes.ts'
import type { LockedTask } from './store.ts'

type Step = Pick<Turn, 'event' | 'to'>

const takenAway = (event: Turn['event']): Readonly<Record<'begun' | 'ended', Step>> => ({
  begun: { event, to: 'removed' },
  ended: { event: 'provider_drop_off', to: 'available' },
})
/** Who is mended or carried away cannot be ridden meanwhile. Of the other kinds riders notice nothing. */
const steps: Readonly<Partial<Record<TaskKind, Readonly<Record<'begun' | 'ended', Step>>>>> = {
  repair: { begun: { event: 'maintenance', to: 'non_operational' }, ended: { event: 'maintenance', to: 'available' } },
  move: takenAway('rebalance_pick_up'),
  relocate: takenAway('rebalance_pick_up'),
  retrieve: takenAway('maintenance_pick_up'),
}

/** Begins on the spot, is done, called off while somebody stands there, or left by them to somebody else. */
export type Moment = 'begun' | 'done' | 'cancelled' | 'left'

/** What the state of each vehicle has to follow. */
export function turnsOf(moment: Moment, tasks: readonly Pick<LockedTask, 'vehicle_id' | 'kind' | 'state'>[]): Turn[] {
  return tasks.flatMap(({ vehicle_id: vehicleId, kind: name, state }) => {
    const kind = codeOf(taskKinds, name)
    const step = steps[kind]?.[moment === 'begun' ? 'begun' : 'ended']
    if (step === undefined) return []
    // Who did not come there leaves nothing behind; what is mended is whole, whoever had found it broken.
    const isDue = moment === 'begun' || state === 'on_site' || (moment === 'done' && kind === 'repair')
    // What somebody began to mend is not whole because they go: the next one ends it, or the desk calls it off.
    const isHalfMended = moment === 'left' && kind === 'repair'
    return isDue && !isHalfMended ? [{ vehicleId, ...step }] : []
  })
}
