import { describe, expect, it, vi } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { createManualClock } from '#kit/clock.ts'
import { admissionLimits, createAdmission } from './admission.ts'

const { running, waiting, perPerson, waitMs, crowdedWaitMs, waitingCrowded, waitingPerPerson } = admissionLimits

type Load = 'command' | 'read' | 'file'

function world() {
  const clock = createManualClock(1_000_000)
  const admission = createAdmission({ clock })
  const told: string[] = []
  const ask = (name: string, load: Load, person: number | null = null): { leave: () => void } => {
    const asked = { leave: (): void => {} }
    const enter = async (): Promise<void> => {
      try {
        asked.leave = await admission.enter({ load, person })
        told.push(name)
      } catch (error) {
        told.push(`${name} ${error instanceof AppError ? error.code : String(error)}`)
      }
    }
    void enter()
    return asked
  }
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
  const fill = async (load: Load): Promise<{ leave: () => void }[]> => {
    const all = Array.from({ length: running[load] }, (_, index) => ask(`${load} ${index}`, load))
    await settle()
    told.length = 0
    return all
  }
  return { clock, admission, told, ask, settle, fill }
}

describe('admission', () => {
  it('lets so many run and the next one when one of them has ended, in their order', async () => {
    const { told, ask, settle, fill } = world()
    const [first] = await fill('read')
    ask('a', 'read')
    ask('b', 'read')
    await settle()
    expect(told).toEqual([])
    first?.leave()
    first?.leave()
    await settle()
    expect(told).toEqual(['a'])
  })

  it('never lets lists or files hold up a command', async () => {
    const { told, ask, settle, fill } = world()
    await fill('read')
    await fill('file')
    ask('unlock', 'command')
    await settle()
    expect(told).toEqual(['unlock'])
  })

  it('starts no list while a command waits for a place', async () => {
    const { told, ask, settle, fill } = world()
    const [first] = await fill('command')
    const command = ask('unlock', 'command')
    ask('list', 'read')
    await settle()
    expect(told).toEqual([])
    first?.leave()
    await settle()
    expect(told).toEqual(['unlock', 'list'])
    command.leave()
  })

  it('refuses at once beyond the calls that may wait', async () => {
    const { told, ask, settle, fill, admission } = world()
    await fill('read')
    for (let index = 0; index < waiting.read; index += 1) ask(`w${index}`, 'read', index)
    ask('late', 'read', 9_999)
    await settle()
    expect(told).toEqual(['late overloaded'])
    expect(admission.waiting()).toBe(waiting.read)
  })

  it('builds a few files of one person at a time, whether they run or wait', async () => {
    for (const isBusy of [false, true]) {
      const { told, ask, settle, fill } = world()
      if (isBusy) await fill('file')
      for (let index = 0; index <= perPerson.file; index += 1) ask(`file ${index}`, 'file', 7)
      await settle()
      expect(told.at(-1)).toBe('file 2 too_many_files')
      expect(told).toHaveLength(isBusy ? 1 : 3)
    }
  })

  it('passes over whoever has as many as one person may, for the others', async () => {
    const { told, ask, settle } = world()
    const own = Array.from({ length: perPerson.read }, (_, index) => ask(`own ${index}`, 'read', 7))
    await settle()
    told.length = 0
    ask('own more', 'read', 7)
    ask('other', 'read', 8)
    await settle()
    expect(told).toEqual(['other'])
    own[0]?.leave()
    await settle()
    expect(told).toEqual(['other', 'own more'])
    for (let index = 0; index <= waitingPerPerson; index += 1) ask(`flood ${index}`, 'read', 7)
    await settle()
    expect(told.at(-1)).toBe(`flood ${waitingPerPerson} too_many_requests`)
  })

  it('lets fewer wait once the queue is crowded', async () => {
    const { admission, ask, fill, clock } = world()
    await fill('read')
    for (let index = 0; index < waitingCrowded.read; index += 1) ask(`w${index}`, 'read', index)
    expect(() => admission.check('read')).not.toThrow()
    clock.advance(waitMs + 1)
    expect(() => admission.check('read')).toThrow(AppError)
    expect(() => admission.check('command')).not.toThrow()
  })

  it('refuses what has waited too long, and sooner once the queue never empties', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { clock, told, ask, settle, fill } = world()
      await fill('read')
      ask('patient', 'read')
      clock.advance(waitMs - 10)
      vi.advanceTimersByTime(60)
      await settle()
      expect(told).toEqual([])
      clock.advance(20)
      ask('second', 'read')
      vi.advanceTimersByTime(60)
      await settle()
      expect(told).toEqual(['patient overloaded'])
      clock.advance(crowdedWaitMs + 1)
      vi.advanceTimersByTime(60)
      await settle()
      expect(told).toEqual(['patient overloaded', 'second overloaded'])
    } finally {
      vi.useRealTimers()
    }
  })
})
