import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '@saddle/contract/time.ts'
import type { BusServer } from './bus.ts'
import type { Disk } from './disk.ts'
import type { Node } from './nodes.ts'
import { withOwner } from './world.ts'

interface Span {
  readonly least: number
  readonly most: number
}

/** Longer than the 5 s after which the leader of the jobs gives up its database, in some of the partitions. */
const cutMs: Span = { least: 1_000, most: 8_000 }
const hinderedMs: Span = { least: 2_000, most: 8_000 }
const steppedMs: Span = { least: 2_000, most: 6_000 }
const fullMs: Span = { least: 1_000, most: 5_000 }
const slowMs: Span = { least: 2_000, most: 6_000 }
const busAwayMs: Span = { least: 0, most: 3_000 }
const stepMs = 10 * minuteMs
const hindrance = { delayMs: 40, jitterMs: 60, lossShare: 0.1 }

/** What can be struck. */
export interface Target {
  readonly nodes: readonly Node[]
  readonly databaseUrl: string
  readonly bus: BusServer | null
  readonly disk: Disk | null
  readonly fraction: () => number
  /** Main processes of PostgreSQL that were killed: of two faults at once only one counts. */
  readonly killedPids: Set<number>
}

/** Whose process was killed. */
export type Killed = Node['service'] | 'PostgreSQL' | 'bus'

export interface Struck {
  readonly kills: readonly Killed[]
  readonly partitions: number
  /** Resolves when it is over: what was killed is started again at once and not waited for. */
  readonly over?: Promise<void>
}

const nothing: Struck = { kills: [], partitions: 0 }
const between = ({ fraction }: Target, { least, most }: Span): number => least + fraction() * (most - least)
const oneOf = <T>({ fraction }: Target, all: readonly T[]): T | undefined => all[Math.floor(fraction() * all.length)]

/** Each fault by its name, with how often it happens in proportion to the others. */
const faults: Readonly<Record<string, readonly [weight: number, strike: (target: Target) => Promise<Struck>]>> = {
  'kill -9 of a process': [30, (target) => killNodes(target, 1)],
  'kill -9 of two processes': [15, (target) => killNodes(target, 2)],
  'kill -9 of PostgreSQL': [14, killPostgres],
  'a process cut off from the database': [14, (target) => cut(target, ({ database }) => database)],
  'a process cut off from the bus': [8, (target) => cut(target, ({ bus }) => bus)],
  'kill -9 of the bus, which begins empty': [14, killBus],
  'a process stopped in order': [6, stopInOrder],
  'delay and loss': [5, hinder],
  'a clock that steps': [5, stepClock],
  'a full disk': [2, fillDisk],
  'a slow disk': [3, slowDisk],
  'two faults at once': [8, twoAtOnce],
}

type Named = Struck & { readonly names: readonly string[] }

/** One fault, chosen by the seed; its name and what it did. */
export async function strike(target: Target, isOnly = false): Promise<Named> {
  const all = Object.entries(faults).filter(([, [, make]]) => !isOnly || make !== twoAtOnce)
  const total = all.reduce((sum, [, [weight]]) => sum + weight, 0)
  let left = target.fraction() * total
  for (const [name, [weight, make]] of all) {
    left -= weight
    if (left < 0) return { names: [name], ...(await make(target)) }
  }
  return { names: [], ...nothing }
}

async function twoAtOnce(target: Target): Promise<Named> {
  const [one, other] = await Promise.all([strike(target, true), strike(target, true)])
  const bothOver = async (): Promise<void> => void (await Promise.all([one.over, other.over]))
  return {
    names: ['two faults at once', ...one.names, ...other.names],
    kills: [...one.kills, ...other.kills],
    partitions: one.partitions + other.partitions,
    over: bothOver(),
  }
}

/** Only processes that are ready are struck: a start that is killed again and again proves little. */
async function killNodes(target: Target, count: number): Promise<Struck> {
  const ready = await Promise.all(target.nodes.map((node) => node.isReady()))
  const struck = target.nodes
    .filter((_, at) => ready[at])
    .map((node) => ({ node, place: target.fraction() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
  const killed = await Promise.all(struck.map(({ node }) => node.kill()))
  return { ...nothing, kills: struck.filter((_, at) => killed[at]).map(({ node }) => node.service) }
}

/** kill -9 of the server process; its supervisor, which is this process, starts it again. */
async function killPostgres({ databaseUrl, killedPids }: Target): Promise<Struck> {
  try {
    const folder = await withOwner(databaseUrl, async (owner) => {
      const { rows } = await owner.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
      return rows[0]?.folder ?? ''
    })
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    if (!Number.isSafeInteger(pid) || pid <= 1 || killedPids.has(pid)) return nothing
    process.kill(pid, 'SIGKILL')
    killedPids.add(pid)
    return { ...nothing, kills: ['PostgreSQL'] }
  } catch {
    // It is being started again just now.
    return nothing
  }
}

function cut(target: Target, linkOf: (node: Node) => Node['bus']): Promise<Struck> {
  const node = oneOf(target, target.nodes)
  // Without a bus of its own the way to the database is also that of the bus.
  const link = node === undefined ? null : (linkOf(node) ?? node.database)
  if (link === null) return Promise.resolve(nothing)
  link.cut()
  return Promise.resolve({ ...nothing, partitions: 1, over: sleep(between(target, cutMs)).then(() => link.heal()) })
}

async function killBus(target: Target): Promise<Struck> {
  const isKilled = await target.bus?.kill(between(target, busAwayMs))
  return { ...nothing, kills: isKilled === true ? ['bus'] : [] }
}

function stopInOrder(target: Target): Promise<Struck> {
  const over = async (): Promise<void> => void (await oneOf(target, target.nodes)?.restart())
  return Promise.resolve({ ...nothing, over: over() })
}

function hinder(target: Target): Promise<Struck> {
  const node = oneOf(target, target.nodes)
  const links = [node?.database, node?.bus].filter((link) => link !== undefined && link !== null)
  for (const link of links) link.hinder(hindrance)
  const heal = (): void => links.forEach((link) => link.heal())
  return Promise.resolve({ ...nothing, over: sleep(between(target, hinderedMs)).then(heal) })
}

function stepClock(target: Target): Promise<Struck> {
  const node = oneOf(target, target.nodes)
  node?.stepClock(target.fraction() < 0.5 ? stepMs : -stepMs)
  return Promise.resolve({ ...nothing, over: sleep(between(target, steppedMs)).then(() => node?.stepClock(0)) })
}

function fillDisk(target: Target): Promise<Struck> {
  target.disk?.fill()
  return Promise.resolve({ ...nothing, over: sleep(between(target, fullMs)).then(() => target.disk?.empty()) })
}

function slowDisk(target: Target): Promise<Struck> {
  return Promise.resolve({ ...nothing, over: target.disk?.slowDown(between(target, slowMs)) ?? Promise.resolve() })
}
