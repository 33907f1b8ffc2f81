import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isCrash, restartPause, superviseChild } from './supervisor.mjs'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function fakes({ shouldRestart = () => true } = {}) {
  const children = []
  const said = []
  const gone = []
  let now = 0
  const supervised = superviseChild({
    name: 'It',
    launch: () => {
      const child = Object.assign(new EventEmitter(), { signals: [], kill: (signal) => child.signals.push(signal) })
      children.push(child)
      return child
    },
    shouldRestart,
    onGone: (end) => gone.push(end),
    say: (line) => said.push(line),
    clock: () => now,
  })
  return { supervised, children, said, gone, pass: (ms) => (now += ms) }
}

it('waits longer after every death, up to a minute, and begins anew after a good while', () => {
  const { children, said, pass } = fakes()
  for (let deaths = 0; deaths < 8; deaths += 1) {
    children.at(-1).emit('exit', 1, null)
    expect(children).toHaveLength(deaths + 1)
    vi.advanceTimersByTime(restartPause(deaths))
    expect(children).toHaveLength(deaths + 2)
  }
  expect(said.map((line) => /again in (.*) s/.exec(line)[1])).toEqual(['0.5', '1', '2', '5', '15', '60', '60', '60'])
  pass(61_000)
  children.at(-1).emit('exit', null, 'SIGSEGV')
  expect(said.at(-1)).toBe('It ended (signal SIGSEGV); it starts again in 0.5 s.')
})

it('starts nothing any more once it was stopped, also in the pause before a start', () => {
  const running = fakes()
  running.supervised.stop('SIGTERM')
  expect(running.children[0].signals).toEqual(['SIGTERM'])
  running.children[0].emit('exit', 0, null)
  const pausing = fakes()
  pausing.children[0].emit('exit', 1, null)
  pausing.supervised.stop('SIGTERM')
  pausing.supervised.stop('SIGTERM')
  vi.advanceTimersByTime(120_000)
  for (const { children, gone } of [running, pausing]) {
    expect(children).toHaveLength(1)
    expect(gone).toEqual([{ code: 0, signal: null, error: null }])
  }
})

it('starts again at once when it is asked to, also in the pause before a start', () => {
  const { supervised, children, said } = fakes()
  supervised.restart()
  supervised.restart()
  expect(children[0].signals).toEqual(['SIGTERM'])
  children[0].emit('exit', 0, null)
  expect(children).toHaveLength(2)
  children[1].emit('exit', 1, null)
  supervised.restart()
  expect(children).toHaveLength(3)
  vi.advanceTimersByTime(120_000)
  expect(children).toHaveLength(3)
  expect(said).toHaveLength(1)
})

it('calls only that a crash which nobody asked for, of a server that had come up', () => {
  const crash = { code: null, signal: 'SIGKILL', hasListened: true, isFinal: false }
  expect(isCrash(crash)).toBe(true)
  expect(isCrash({ ...crash, code: 1, signal: null })).toBe(true)
  expect(isCrash({ ...crash, code: 0, signal: null })).toBe(false)
  expect(isCrash({ ...crash, isFinal: true })).toBe(false)
  expect(isCrash({ ...crash, hasListened: false })).toBe(false)
})
