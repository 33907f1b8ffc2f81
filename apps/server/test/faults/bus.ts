import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePorts } from './nodes.ts'

/** A NATS server that carries the bus of the cluster. It keeps nothing: one that was killed begins empty. */
export interface BusServer {
  readonly port: number
  /** kill -9, and a new start after the pause. */
  kill(pauseMs: number): Promise<boolean>
  stop(): Promise<void>
}

export const isNatsInstalled = (): boolean => spawnSync('nats-server', ['--version']).status === 0

export async function startBusServer(): Promise<BusServer> {
  const [port = 0] = await freePorts(1)
  let child: ChildProcess | null = null
  let isStopped = false
  let ended: ChildProcess | null = null
  const start = (): void => {
    child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  }
  start()
  const end = async (): Promise<boolean> => {
    const running = child
    // Of two faults at once only one kills it, and only one starts it again.
    if (running === null || running === ended || running.exitCode !== null || running.signalCode !== null) return false
    ended = running
    const gone = once(running, 'exit')
    running.kill('SIGKILL')
    await gone
    return true
  }
  return {
    port,
    kill: async (pauseMs) => {
      if (!(await end())) return false
      setTimeout(() => (isStopped ? undefined : start()), pauseMs)
      return true
    },
    stop: async () => {
      isStopped = true
      await end()
    },
  }
}
