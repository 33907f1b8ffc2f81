import { parseArgs } from 'node:util'
import { demoVehicleCount, demoVehicleLimit } from '@saddle/contract/demo/city.ts'
import { byProtocol, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { citySeed } from '#sim/city/plan.ts'
import type { Address } from '#sim/simulator.ts'

export type CommandLine = {
  gateways: { [protocol in DeviceProtocol]?: Address }
  vehicles: number
  seed: number
  speed: number
  faults: number
  /** File with the passwords that the platform gave its devices. */
  devices?: string
  /** Address of the rider API, and the file with its key. */
  api?: { url: string; keyFile: string }
  /** The folder of the demo's data, with the SMS outbox that field staff log in with. */
  staff?: string
  /** File of the saved state, which is read at the start and written at the end. */
  state?: string
}

type Parsed = { options: CommandLine } | { problem: string }
type Name = DeviceProtocol | 'vehicles' | 'seed' | 'speed' | 'faults' | 'devices' | 'state' | 'api' | 'riders' | 'staff'

function readAddress(text: string): Address | null {
  const address = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)
  const host = address?.[1] ?? address?.[2]
  const port = Number(address?.[3])
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}

/** Parses the command line; the result names the first invalid option. */
export function readOptions(args: string[]): Parsed {
  const text = { type: 'string' } as const
  let values: { [name in Name]?: string | undefined }
  try {
    const known = { ...byProtocol(() => text), vehicles: text, seed: text, speed: text, faults: text }
    values = parseArgs({
      args,
      options: { ...known, devices: text, state: text, api: text, riders: text, staff: text },
    }).values
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  const gateways: CommandLine['gateways'] = {}
  for (const protocol of deviceProtocols) {
    const given = values[protocol]
    if (given === undefined) continue
    const address = readAddress(given)
    if (address === null) return { problem: `--${protocol} must be host:port` }
    gateways[protocol] = address
  }
  if (Object.keys(gateways).length === 0) {
    const names = deviceProtocols.map((protocol) => `--${protocol}`).join(', ')
    return { problem: `one of ${names} must be host:port` }
  }
  const vehicles = Number(values.vehicles ?? demoVehicleCount)
  if (!Number.isInteger(vehicles) || vehicles < 1 || vehicles > demoVehicleLimit) {
    return { problem: `--vehicles must be a whole number from 1 to ${demoVehicleLimit}` }
  }
  const seed = Number(values.seed ?? citySeed)
  if (!Number.isSafeInteger(seed)) return { problem: '--seed must be a whole number' }
  const speed = Number(values.speed ?? 1)
  if (!(speed >= 0.1 && speed <= 60)) return { problem: '--speed must be from 0.1 to 60' }
  const faults = Number(values.faults ?? 0.2)
  if (!(faults >= 0 && faults <= 1)) return { problem: '--faults must be from 0 to 1' }
  if ((values.api === undefined) !== (values.riders === undefined))
    return { problem: '--api and --riders belong together' }
  if (values.staff !== undefined && values.api === undefined) return { problem: '--staff needs --api' }
  if (values.api !== undefined && !/^https?:\/\/[^/]+$/.test(values.api)) {
    return { problem: '--api must be like http://127.0.0.1:8080' }
  }
  const files = {
    ...(values.api !== undefined &&
      values.riders !== undefined && { api: { url: values.api, keyFile: values.riders } }),
    ...(values.devices === undefined ? {} : { devices: values.devices }),
    ...(values.staff === undefined ? {} : { staff: values.staff }),
    ...(values.state === undefined ? {} : { state: values.state }),
  }
  return { options: { gateways, vehicles, seed, speed, faults, ...files } }
}
