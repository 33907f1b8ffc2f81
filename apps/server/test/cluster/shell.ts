import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs a command to its end. Throws with what it wrote when it fails. */
export function run(command: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1_048_576,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${String(status)}: ${stderr}${stdout}`)
  return stdout
}

/** The same where a failure means nothing. */
export const attempt = (command: string, words: readonly string[]): void => void spawnSync(command, words)

export interface Program {
  readonly name: string
  /** kill -9; it is started again at once, as by systemd. */
  kill(): void
  /** Ends it for good; killed when it takes longer than half a minute. */
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly name: string
  /** The network namespace; the one of this process without it. */
  readonly machine?: string
  readonly account?: string
  readonly command: string
  readonly words: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly logFile: string
  readonly stopSignal?: NodeJS.Signals
}

const againMs = 1_000
const stopMs = 30_000

/** Keeps a program running until it is stopped. */
export function supervise(options: ProgramOptions): Program {
  const { name, machine, account, logFile, stopSignal = 'SIGTERM' } = options
  const log = openSync(logFile, 'a')
  const asAccount =
    account === undefined ? [] : ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--init-groups']
  const inMachine = machine === undefined ? [] : ['ip', 'netns', 'exec', machine]
  const [command = '', ...words] = [...inMachine, ...asAccount, options.command, ...options.words]
  let child: ChildProcess | null = null
  let isStopped = false
  const start = (): void => {
    // None of them is a shell: each replaces the one before, so the signal reaches the program itself.
    const started = spawn(command, words, {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/', LANG: 'C.UTF-8', ...options.env },
      stdio: ['ignore', log, log],
    })
    child = started
    started.once('error', () => {})
    started.once('exit', () => {
      if (!isStopped) setTimeout(() => (isStopped ? undefined : start()), againMs)
    })
  }
  start()
  return {
    name,
    kill: () => void child?.kill('SIGKILL'),
    stop: async () => {
      isStopped = true
      const running = child
      if (running === null || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill(stopSignal)
      const late = sleep(stopMs, undefined, { ref: false }).then(() => running.kill('SIGKILL'))
      await Promise.race([ended, late])
      await ended
    },
  }
}

/** Asks until the answer is neither undefined nor false. Throws after the bound, naming what was waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  { withinMs = 180_000, everyMs = 500 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs / 1_000} s`)
    await sleep(everyMs)
  }
}

/** The status of an answer; undefined while nobody answers. */
export async function statusOf(url: string): Promise<number | undefined> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).status
  } catch {
    return undefined
  }
}
