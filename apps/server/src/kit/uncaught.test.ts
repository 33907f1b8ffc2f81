import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { silentLog } from './log.ts'
import { stopOnUncaught } from './uncaught.ts'

function world() {
  const source = new EventEmitter()
  const done: (string | number)[] = []
  let stopped = (): void => {}
  stopOnUncaught({
    log: silentLog,
    source,
    lifecycle: {
      stop: (reason) => {
        done.push(reason)
        return new Promise((resolve) => (stopped = () => resolve(true)))
      },
    },
    exit: (code) => void done.push(code),
  })
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
  return { source, done, settle, stopped: () => stopped() }
}

const lineFault = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall })

it.each([lineFault('ECONNRESET', 'read'), lineFault('EPIPE', 'write')])('lives on after %s of a line', (error) => {
  const { source, done } = world()
  source.emit('uncaughtException', error)
  source.emit('unhandledRejection', error)
  expect(done).toEqual([])
})

it.each([new TypeError('x'), 'text', null, lineFault('ECONNREFUSED', 'connect'), lineFault('EACCES', 'write')])(
  'stops in order after %s, and at once when that does not go well',
  async (error) => {
    const { source, done, settle, stopped } = world()
    source.emit('uncaughtException', error)
    expect(done).toEqual(['an error that nobody caught'])
    stopped()
    await settle()
    expect(done).toEqual(['an error that nobody caught', 1])
    source.emit('unhandledRejection', error)
    expect(done).toEqual(['an error that nobody caught', 1, 1])
  },
)
