import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { OutputOf, RequestOf } from '@saddle/contract/endpoint.ts'
import { commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Answer } from '#sim/riders/api.ts'
import { callAs, logIn, type Session } from './session.ts'

const { listTasks, createTasks, claimTask, startTask, completeTask, reportTask } = taskEndpoints
const { lockVehicle } = commandEndpoints
const { repairConfig } = repairConfigEndpoints
const calls = { listTasks, createTasks, claimTask, startTask, completeTask, reportTask, lockVehicle, repairConfig }
type Calls = typeof calls
export type StaffCall = keyof Calls
type Said<N extends StaffCall> = OutputOf<Calls[N]>['data']

/** Calls of field staff to the platform. Never throws: failures are returned. */
export type StaffApi = {
  /** Whether a staff member is logged in; the others log in one after the other. */
  isOn(phone: string): boolean
  /** A photo as it is sent; undefined without pictures of the demo. */
  photo(number: number): string | undefined
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
  sessions: string
  /** The file with pictures that stand for photos. */
  pictures: string
  now?: () => number
}): StaffApi {
  const { url, outbox, now = Date.now } = options
  const sessions = readSessions(options.sessions)
  const begun: number[] = []
  const restsUntil = new Map<string, number>()
  let isBusy = false
  const pictures = readPictures(options.pictures)
  const begin = async (phone: string): Promise<void> => {
    begun.push(now())
    try {
      sessions.set(phone, await logIn({ url, phone, outbox }))
      writeSessions(options.sessions, sessions)
    } catch (error) {
      process.stderr.write(`simulator: ${phone} could not log in: ${String(error)}\n`)
      restsUntil.set(phone, now() + afterFailureMs)
    }
    isBusy = false
  }
  return {
    isOn(phone) {
      if (sessions.has(phone)) return true
      while (begun[0] !== undefined && begun[0] < now() - hourMs) begun.shift()
      if (!isBusy && begun.length < loginsPerHour && (restsUntil.get(phone) ?? 0) <= now()) {
        isBusy = true
        void begin(phone)
      }
      return false
    },
    photo: (number) => pictures[number % Math.max(1, pictures.length)],
    async ask({ phone, name, input, key = randomUUID() }) {
      const session = sessions.get(phone)
      if (session === undefined) return { ok: false, code: 'away' }
      const answer = await callAs(session, { url, endpoint: calls[name], input, key })
      if (!answer.ok && answer.code === 'unauthorized' && sessions.get(phone) === session) sessions.delete(phone)
      return answer as Answer<Said<typeof name>>
    },
  }
}

/** Without the file nobody takes photos. */
function readPictures(file: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[]
  } catch {
    return []
  }
}

function readSessions(file: string): Map<string, Session> {
  try {
    const list = JSON.parse(readFileSync(file, 'utf8')) as Session[]
    return new Map(list.map((session) => [session.phone, session]))
  } catch {
    // Missing or truncated: all staff log in.
    return new Map()
  }
}

function writeSessions(file: string, sessions: ReadonlyMap<string, Session>): void {
  writeFileSync(`${file}.new`, JSON.stringify([...sessions.values()]), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
