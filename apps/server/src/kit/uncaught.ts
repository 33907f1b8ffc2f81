import type { EventEmitter } from 'node:events'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'

/** What an operating system says of a line that the other side has broken. */
const brokenLine: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'])

/**
 * What to do about an error that nobody caught. A line that its peer broke has ended by itself and nothing else is
 * wrong; after anything else nobody knows what state the process is in, so it stops in order and its supervisor starts
 * it again. A second one during the stop ends it at once.
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
