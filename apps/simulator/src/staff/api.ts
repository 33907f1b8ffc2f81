import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { OutputOf, RequestOf } from '@saddle/contract/endpoint.ts'
import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'
import { taskEndpoints } from '@saddle/contract/operations/taskCalls.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Answer } from '#sim/riders/api.ts'
import { callFrom, takeSeat, type Seat } from './seat.ts'

const { listTasks, createTasks, claimTask, startTask, completeTask } = taskEndpoints
const { repairConfig } = repairConfigEndpoints
const calls = { listTasks, createTasks, claimTask, startTask, completeTask, repairConfig }
type Calls = typeof calls
export type StaffCall = keyof Calls
type Said<N extends StaffCall> = OutputOf<Calls[N]>['data']

/** Calls of field staff to the platform. Never throws: failures are returned. */
export type StaffApi = {
  /** Whether a staff member is logged in; the others log in one after the other. */
  isOn(phone: string): boolean
  /** Calls with the same key are executed once. */
  ask<N extends StaffCall>(asked: {
    readonly phone: string
    readonly name: N
    readonly input: RequestOf<Calls[N]>
    readonly key?: string
  }): Promise<Answer<Said<N>>>
}

/** Few SMS per address are allowed, and users of the demo need some. */
const loginsPerHour = 8
/** A failed login does not block the others. */
const afterFailureMs = 20 * minuteMs

/** Sessions are saved to a file, so that a restarted simulator needs no new codes. */
export function createStaffApi(options: {
  url: string
  /** The outbox of the demo. */
  outbox: string
  /** The file of the sessions. */
  seats: string
  now?: () => number
}): StaffApi {
  const { url, outbox, now = Date.now } = options
  const seats = readSeats(options.seats)
  const begun: number[] = []
  const restsUntil = new Map<string, number>()
  let isBusy = false
  const logIn = async (phone: string): Promise<void> => {
    begun.push(now())
    try {
      seats.set(phone, await takeSeat({ url, phone, outbox }))
      writeSeats(options.seats, seats)
    } catch (error) {
      process.stderr.write(`simulator: ${phone} could not log in: ${String(error)}\n`)
      restsUntil.set(phone, now() + afterFailureMs)
    }
    isBusy = false
  }
  return {
    isOn(phone) {
      if (seats.has(phone)) return true
      while (begun[0] !== undefined && begun[0] < now() - hourMs) begun.shift()
      if (!isBusy && begun.length < loginsPerHour && (restsUntil.get(phone) ?? 0) <= now()) {
        isBusy = true
        void logIn(phone)
      }
      return false
    },
    async ask({ phone, name, input, key = randomUUID() }) {
      const seat = seats.get(phone)
      if (seat === undefined) return { ok: false, code: 'away' }
      const answer = await callFrom(seat, { url, endpoint: calls[name], input, key })
      if (!answer.ok && answer.code === 'unauthorized' && seats.get(phone) === seat) seats.delete(phone)
      return answer as Answer<Said<typeof name>>
    },
  }
}

function readSeats(file: string): Map<string, Seat> {
  try {
    const list = JSON.parse(readFileSync(file, 'utf8')) as Seat[]
    return new Map(list.map((seat) => [seat.phone, seat]))
  } catch {
    // Missing or truncated: all staff log in.
    return new Map()
  }
}

function writeSeats(file: string, seats: ReadonlyMap<string, Seat>): void {
  writeFileSync(`${file}.new`, JSON.stringify([...seats.values()]), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
