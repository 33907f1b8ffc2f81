import { parseArgs } from 'node:util'
import { demoVehicleLimit } from '@saddle/contract/demo/city.ts'
import { citySeed } from '#sim/city/plan.ts'
import type { SimulatorOptions } from '#sim/simulator.ts'

type Parsed = { options: SimulatorOptions } | { problem: string }

/** The command line; the answer names the first option that makes no sense. */
export function readOptions(args: string[]): Parsed {
  const text = { type: 'string' } as const
  let values: { [name in 'omni' | 'vehicles' | 'seed' | 'speed' | 'faults']?: string | undefined }
  try {
    values = parseArgs({ args, options: { omni: text, vehicles: text, seed: text, speed: text, faults: text } }).values
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const address = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(values.omni ?? '')
  const host = address?.[1] ?? address?.[2]
  const port = Number(address?.[3])
  if (host === undefined || port < 1 || port > 65_535) return { problem: '--omni must be host:port' }
  const vehicles = Number(values.vehicles ?? 48)
  if (!Number.isInteger(vehicles) || vehicles < 1 || vehicles > demoVehicleLimit) {
    return { problem: `--vehicles must be a whole number from 1 to ${demoVehicleLimit}` }
  }
  const seed = Number(values.seed ?? citySeed)
  if (!Number.isSafeInteger(seed)) return { problem: '--seed must be a whole number' }
  const speed = Number(values.speed ?? 1)
  if (!(speed >= 0.1 && speed <= 60)) return { problem: '--speed must be from 0.1 to 60' }
  const faults = Number(values.faults ?? 0.2)
  if (!(faults >= 0 && faults <= 1)) return { problem: '--faults must be from 0 to 1' }
  return { options: { host, port, vehicles, seed, speed, faults } }
}
