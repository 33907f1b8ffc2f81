import { expect, test } from 'vitest'
import { factoryStepMs, usualFactoryTerms } from '@saddle/contract/production/factoryWords.ts'
import { deviceClockSkewMs, judgeStep, type Seen } from './rules.ts'

const begun = 1_000_000
const nothing: Seen = {
  heardAt: null,
  factsAt: null,
  positionAt: null,
  lat: null,
  lng: null,
  batteryPercent: null,
  voltageV: null,
  locked: null,
  firmware: null,
  movedAt: null,
  command: null,
}
const terms = { ...usualFactoryTerms, firmware: '2.0', batteryMinPercent: 40, voltageMinV: 42, voltageMaxV: 55 }
const judge = (step: Parameters<typeof judgeStep>[0]['step'], seen: Partial<Seen>, nowMs = begun + 1_000) =>
  judgeStep({ step, terms, testBegunAt: begun, stepBegunAt: begun, nowMs }, { ...nothing, ...seen })
const late = (step: Parameters<typeof judgeStep>[0]['step']) => begun + factoryStepMs[step]

test('what was said before the test does not count', () => {
  expect(judge('online', { heardAt: begun - 1 }).state).toBe('running')
  expect(judge('online', { heardAt: begun })).toEqual({ state: 'passed', measured: '' })
  expect(judge('position', { positionAt: begun - deviceClockSkewMs - 1, lat: 31, lng: 121 }).state).toBe('running')
  expect(judge('position', { positionAt: begun, lat: 31.2, lng: 121.4 })).toEqual({
    state: 'passed',
    measured: '31.20000, 121.40000',
  })
  expect(judge('movement', { movedAt: begun - 1 }).state).toBe('running')
  expect(judge('movement', { movedAt: begun }).state).toBe('passed')
})

test('a step that takes too long fails with its reason', () => {
  expect(judge('online', {}, late('online') - 1).state).toBe('running')
  expect(judge('online', {}, late('online'))).toMatchObject({ state: 'failed', failure: 'not_online' })
  expect(judge('firmware', {}, late('firmware'))).toMatchObject({ failure: 'firmware_unknown' })
  expect(judge('movement', {}, late('movement'))).toMatchObject({ failure: 'no_alarm' })
})

test('a version counts once the device was asked for it', () => {
  const known = { firmware: '2.0' }
  expect(judge('firmware', known).state).toBe('running')
  expect(judge('firmware', known, late('firmware'))).toMatchObject({ failure: 'firmware_unknown' })
  expect(judge('firmware', { ...known, command: { state: 'expired' } })).toMatchObject({ failure: 'firmware_unknown' })
  expect(judge('firmware', { ...known, command: { state: 'confirmed' } })).toEqual({ state: 'passed', measured: '2.0' })
  expect(judge('firmware', { firmware: '1.0', command: { state: 'confirmed' } })).toEqual({
    state: 'failed',
    failure: 'firmware_other',
    measured: '1.0',
  })
})

test('battery and voltage have to be within their range', () => {
  const said = { factsAt: begun, batteryPercent: 80, voltageV: 50 }
  expect(judge('battery', said)).toEqual({ state: 'passed', measured: '80% · 50.0 V' })
  expect(judge('battery', { ...said, factsAt: begun - deviceClockSkewMs - 1 }).state).toBe('running')
  expect(judge('battery', { ...said, batteryPercent: 39 })).toMatchObject({ failure: 'battery_low' })
  expect(judge('battery', { ...said, voltageV: 41.9 })).toMatchObject({ failure: 'voltage_range' })
  expect(judge('battery', { ...said, voltageV: null })).toMatchObject({ failure: 'voltage_range' })
})

test('a lock counts when it is confirmed and reported', () => {
  const said = { factsAt: begun, locked: false }
  expect(judge('unlock', { ...said, command: { state: 'acknowledged' } }).state).toBe('running')
  expect(judge('unlock', { ...said, command: { state: 'confirmed' } }).state).toBe('passed')
  expect(judge('lock', { ...said, command: { state: 'confirmed' } }).state).toBe('running')
  expect(judge('lock', { ...said, command: { state: 'confirmed' } }, late('lock'))).toMatchObject({
    failure: 'lock_not_seen',
  })
  expect(judge('unlock', { ...said, command: { state: 'failed' } })).toMatchObject({ failure: 'not_done' })
  expect(judge('ring', { command: { state: 'expired' } })).toMatchObject({ failure: 'not_done' })
})
