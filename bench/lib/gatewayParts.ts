import { readFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MqttLoadOrder, MqttLoadResult } from './mqttLoad.ts'
import type { ProbeFigures } from './probe.ts'

export type Devices = MqttLoadOrder['devices']
export type Figures = ProbeFigures & {
  readonly cpuMs: number
  readonly rssMb: number
  readonly highestRssMb: number
}

const here = fileURLToPath(new URL('.', import.meta.url))
const children = new Set<ChildProcess>()

interface ChildOptions {
  readonly script: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Processors that it may use, as `taskset -c` takes them; all of them without it. */
  readonly cores?: string
}

/** Starts a script of this folder as a process that talks over IPC. */
export function startChild({ script, args = [], env = {}, cores }: ChildOptions): ChildProcess {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', join(here, script), ...args]
  // taskset replaces itself by the program, so that the signal and the channel reach it.
  const [command = '', ...rest] = cores === undefined ? words : ['taskset', '-c', cores, ...words]
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.add(child)
  return child
}

/** The next message of this type. Throws when the process ends before. */
export function heard<T>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a part ended with ${code}`))
    const onMessage = (message: unknown): void => {
      if ((message as { type?: string }).type !== type) return
      child.off('exit', onExit)
      child.off('message', onMessage)
      resolve(message as T)
    }
    child.on('exit', onExit)
    child.on('message', onMessage)
  })
}

export function stopChild(child: ChildProcess): void {
  child.removeAllListeners()
  child.kill()
  children.delete(child)
}

export function stopChildren(): void {
  for (const child of children) stopChild(child)
}

/** Since the last time: the probe's times; since its start: the processor time. */
export async function figuresOf(child: ChildProcess): Promise<Figures> {
  const answer = heard<Figures>(child, 'figures')
  child.send({ type: 'figures' })
  return answer
}

const tickMs = 10

/** Processor time of a process since its start, whatever it is written in: user and system, of all of its threads. */
export function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Runs a load in a process of its own. */
export async function runLoad(order: Omit<MqttLoadOrder, 'type'>, cores?: string): Promise<MqttLoadResult> {
  const child = startChild({ script: 'mqttLoad.ts', ...(cores !== undefined && { cores }) })
  child.send({ type: 'run', ...order })
  const result = await heard<MqttLoadResult>(child, 'result')
  stopChild(child)
  return result
}
