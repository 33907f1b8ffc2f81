import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'

/**
 * Loaded before a process of the cluster: its clock shows the time that the file says, in milliseconds off the machine's, and steps
 * whenever the file is written. The monotonic clock goes on as it is.
 */
const lookEveryMs = 50
const keepCompiledAfterMs = 6_000
const file = process.env['STEPPED_CLOCK_FILE'] ?? ''
const RealDate = Date
let offsetMs = 0
const look = (): void => {
  try {
    offsetMs = Number(readFileSync(file, 'utf8'))
  } catch {
    offsetMs = 0
  }
}
const now = (): number => RealDate.now() + offsetMs
const SteppedDate = new Proxy(RealDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})
RealDate.prototype.constructor = SteppedDate
globalThis.Date = SteppedDate
look()
// A process that is killed would leave nothing for the next start, which takes twice as long without it.
setTimeout(flushCompileCache, keepCompiledAfterMs).unref()
setInterval(look, lookEveryMs).unref()
