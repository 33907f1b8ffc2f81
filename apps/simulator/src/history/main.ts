import { parseArgs } from 'node:util'
import { demoVehicleLimit } from '@saddle/contract/demo/city.ts'
import { historyDaysMax } from '@saddle/contract/demo/history.ts'
import { makeCity } from '#sim/city/city.ts'
import { citySeed } from '#sim/city/plan.ts'
import { makeTown } from '#sim/life/town.ts'
import { publishHistory, writeHistory, writeWhole } from './write.ts'

const usage = `usage: npm run history -- --out <directory> [--days 30] [--end <ISO time>] [--vehicles 2000]
         [--seed ${citySeed}] [--faults 0.2] [--state <file for the simulator to go on from>]
`

type Wanted = {
  out: string
  days: number
  endMs: number
  vehicles: number
  seed: number
  faults: number
  state?: string
}

function readWanted(): Wanted | { problem: string } {
  const text = { type: 'string' } as const
  const options = { out: text, days: text, end: text, vehicles: text, seed: text, faults: text, state: text }
  const { values } = parseArgs({ options })
  if (values.out === undefined) return { problem: '--out is missing' }
  const days = Number(values.days ?? 30)
  if (!Number.isInteger(days) || days < 1 || days > historyDaysMax) {
    return { problem: `--days must be a whole number from 1 to ${historyDaysMax}` }
  }
  const endMs = values.end === undefined ? Date.now() : Date.parse(values.end)
  if (Number.isNaN(endMs)) return { problem: '--end must be a time like 2026-11-21T04:00:00Z' }
  const vehicles = Number(values.vehicles ?? 2000)
  if (!Number.isInteger(vehicles) || vehicles < 1 || vehicles > demoVehicleLimit) {
    return { problem: `--vehicles must be a whole number from 1 to ${demoVehicleLimit}` }
  }
  const seed = Number(values.seed ?? citySeed)
  if (!Number.isSafeInteger(seed)) return { problem: '--seed must be a whole number' }
  const faults = Number(values.faults ?? 0.2)
  if (!(faults >= 0 && faults <= 1)) return { problem: '--faults must be from 0 to 1' }
  const state = values.state === undefined ? {} : { state: values.state }
  return { out: values.out, days, endMs, vehicles, seed, faults, ...state }
}

/** Throws nothing: a wrong option is one line and the usage. */
function wanted(): Wanted | { problem: string } {
  try {
    return readWanted()
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const asked = wanted()
if ('problem' in asked) {
  process.stderr.write(`${asked.problem}\n${usage}`)
  process.exitCode = 1
} else {
  // Stop when the parent process has ended.
  const giveUp = () => process.exit(1)
  process.on('disconnect', giveUp)
  const startedMs = performance.now()
  const { state, ...options } = asked
  const { manifest, record } = await writeHistory({ ...options, town: makeTown(makeCity()) })
  if (state !== undefined) await writeWhole(state, JSON.stringify(record))
  await publishHistory(options.out, manifest)
  const trips = manifest.days.reduce((sum, { rows }) => sum + (rows.trip ?? 0), 0)
  const took = ((performance.now() - startedMs) / 1000).toFixed(1)
  process.stdout.write(
    `history: ${manifest.days.length} days, ${options.vehicles} vehicles, ${trips} rides written in ${took} s\n`,
  )
  process.off('disconnect', giveUp)
  if (process.connected) process.disconnect()
}
