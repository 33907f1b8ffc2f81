import type { EventEmitter } from 'node:events'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** Operating system error codes for a connection that the other side broke. */
const brokenLine: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])

/**
 * Handles an uncaught error. A connection broken by its peer has already ended and needs no action. After any other
 * error the state of the process is unknown, so it stops gracefully and its supervisor restarts it. A second error
 * during the stop ends the process at once.
 */
export function stopOnUncaught(options: {
  log: Log
  lifecycle: Pick<Lifecycle, 'stop'>
  exit: (code: number) => void
  source?: Pick<EventEmitter, 'on'>
}): void {
  const { log, lifecycle, exit, source = process } = options
  let isEnding = false
  const end = async (kind: string): Promise<void> => {
    await lifecycle.stop(kind)
    exit(1)
  }
  const onFault = (err: unknown, kind: string): void => {
    if (isPeersDoing(err)) {
      log.error({ err }, 'a line broke and nobody had an ear for it')
      return
    }
    log.fatal({ err: err instanceof Error ? err : new Error(String(err)) }, `${kind}: stopping`)
    if (isEnding) return exit(1)
    isEnding = true
    void end(kind)
  }
  source.on('uncaughtException', (err: unknown) => onFault(err, 'an error that nobody caught'))
  source.on('unhandledRejection', (err: unknown) => onFault(err, 'a rejection that nobody handled'))
}

function isPeersDoing(err: unknown): boolean {
  if (!(err instanceof Error) || !('code' in err) || !('syscall' in err)) return false
  return brokenLine.has(err.code) && (err.syscall === 'read' || err.syscall === 'write')
}
