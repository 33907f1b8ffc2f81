import type { Load } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Clock } from '#kit/clock.ts'

export const admissionLimits = {
  /** Calls that run at once. Commands have places of their own, so that lists never hold them up. */
  running: { command: 64, read: 16, file: 3 },
  waiting: { command: 512, read: 256, file: 12 },
  /** Queue limits while crowded: calls above them are refused before anything is computed for them. */
  waitingCrowded: { command: 256, read: 48, file: 6 },
  /** Of one person. A browser has six connections; files are built one after the other. */
  perPerson: { command: 8, read: 8, file: 2 },
  waitingPerPerson: 32,
  /** The longest time that a call waits. */
  waitMs: 2_000,
  /** Maximum wait once a queue was not empty for `waitMs`: some calls are answered soon, instead of all late. */
  crowdedWaitMs: 500,
} as const

interface Asking {
  readonly load: Load
  /** Null where no person is behind the call. */
  readonly person: number | null
}

export interface Admission {
  /** Throws `overloaded` when a call of this load would find no place even to wait: asked before it costs anything. */
  check(load: Load): void
  /** Resolves when the call may run, to what is to be called when it has. Rejects with `overloaded` or the like. */
  enter(asking: Asking): Promise<() => void>
  /** Calls that wait. */
  waiting(): number
}

interface Waiting {
  readonly person: number | null
  readonly sinceMs: number
  readonly start: () => void
  readonly refuse: (error: AppError) => void
}

/** Loads in the order in which they are let in. */
const order = ['command', 'read', 'file'] as const satisfies readonly Load[]

/**
 * Lets so many calls run at once and the others wait, commands before lists and lists before files. A call that would
 * wait too long is refused while its caller still listens, and costs nothing more.
 */
export function createAdmission({ clock }: { clock: Clock }): Admission {
  const lanes = { command: createLane(), read: createLane(), file: createLane() }
  let timer: NodeJS.Timeout | null = null

  const begin = (load: Load, person: number | null): (() => void) => {
    const lane = lanes[load]
    lane.add(person)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      lane.remove(person)
      next()
    }
  }
  const hasRoom = (load: Load, person: number | null): boolean =>
    lanes[load].running < admissionLimits.running[load] && lanes[load].of(person) < admissionLimits.perPerson[load]

  /** Whether something that comes first is waiting for a place. */
  const isHeldUp = (load: Load): boolean =>
    order
      .slice(0, order.indexOf(load))
      .some((before) => lanes[before].queue.size > 0 && lanes[before].running >= admissionLimits.running[before])

  /** Starts waiting calls, the oldest first; skips people who already have their maximum running. */
  const next = (): void => {
    for (const load of order) {
      const lane = lanes[load]
      if (isHeldUp(load)) return
      for (const one of lane.queue) {
        if (lane.running >= admissionLimits.running[load]) break
        if (!hasRoom(load, one.person)) continue
        lane.queue.delete(one)
        one.start()
      }
      if (lane.queue.size === 0) lane.emptyAtMs = clock.now()
    }
  }

  const isCrowded = (load: Load): boolean =>
    lanes[load].queue.size > 0 && clock.now() - lanes[load].emptyAtMs > admissionLimits.waitMs
  const patienceOf = (load: Load): number => (isCrowded(load) ? admissionLimits.crowdedWaitMs : admissionLimits.waitMs)
  const check = (load: Load): void => {
    const most = admissionLimits[isCrowded(load) ? 'waitingCrowded' : 'waiting'][load]
    if (lanes[load].queue.size >= most) throw new AppError('overloaded')
  }
  const sendAway = (): void => {
    timer = null
    for (const load of order) {
      const { queue } = lanes[load]
      const before = clock.now() - patienceOf(load)
      for (const one of queue) {
        if (one.sinceMs > before) break
        queue.delete(one)
        one.refuse(new AppError('overloaded'))
      }
    }
    next()
    watch()
  }
  /** Looks again as long as anybody waits. */
  const watch = (): void => {
    if (timer !== null || order.every((load) => lanes[load].queue.size === 0)) return
    timer = setTimeout(sendAway, sweepMs)
    timer.unref()
  }

  return {
    check,
    waiting: () => order.reduce((sum, load) => sum + lanes[load].queue.size, 0),
    enter: async ({ load, person }) => {
      const lane = lanes[load]
      if (hasRoom(load, person) && !isHeldUp(load)) {
        if (lane.queue.size === 0) lane.emptyAtMs = clock.now()
        return begin(load, person)
      }
      check(load)
      const ownWaiting = person === null ? 0 : countOf(lane.queue, person)
      if (load === 'file' && lane.of(person) + ownWaiting >= admissionLimits.perPerson.file) {
        throw new AppError('too_many_files')
      }
      if (ownWaiting >= admissionLimits.waitingPerPerson) throw new AppError('too_many_requests')
      return await new Promise((resolve, reject) => {
        lane.queue.add({
          person,
          sinceMs: clock.now(),
          start: () => resolve(begin(load, person)),
          refuse: reject,
        })
        watch()
      })
    },
  }
}

const sweepMs = 50

function countOf(queue: ReadonlySet<Waiting>, person: number): number {
  let count = 0
  for (const one of queue) if (one.person === person) count += 1
  return count
}

/** Calls of one load: those that run, by person, and those that wait, oldest first. */
function createLane() {
  const perPerson = new Map<number, number>()
  const lane = {
    running: 0,
    queue: new Set<Waiting>(),
    emptyAtMs: 0,
    of: (person: number | null): number => (person === null ? 0 : (perPerson.get(person) ?? 0)),
    add: (person: number | null): void => {
      lane.running += 1
      if (person !== null) perPerson.set(person, lane.of(person) + 1)
    },
    remove: (person: number | null): void => {
      lane.running -= 1
      if (person === null) return
      const left = lane.of(person) - 1
      if (left > 0) perPerson.set(person, left)
      else perPerson.delete(person)
    },
  }
  return lane
}
