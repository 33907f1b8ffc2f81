import type { KeyObject } from 'node:crypto'
import type { DemoVehicle } from '@saddle/contract/demo/city.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Random } from '#sim/random.ts'
import type { Device, DeviceTiming } from './device.ts'
import { createJt808Device } from './jt808-device.ts'
import { createMqttDevice } from './mqtt-device.ts'
import { createOmniDeviceCore } from './omni-device.ts'
import { createOmniLine } from './omni-line.ts'
import type { VehicleBody } from './vehicle-body.ts'

type DeviceOptions = {
  readonly demo: DemoVehicle
  readonly index: number
  readonly password: string
  readonly body: VehicleBody
  readonly random: Random
  readonly timing: DeviceTiming
  readonly startMs: number
  /** What it runs; absent: what it was made with. */
  readonly firmware?: string | undefined
  /** Of those whose firmware it takes. */
  readonly artefactKey?: KeyObject | null | undefined
}

const deviceOf = ({
  body,
  random,
  timing,
  startMs,
  firmware,
  artefactKey,
}: Omit<DeviceOptions, 'demo' | 'index' | 'password'>) => ({
  body,
  random,
  timing,
  startMs,
  firmware,
  artefactKey,
})

const deviceProtocols: Readonly<Record<DeviceProtocol, (options: DeviceOptions) => Device>> = {
  omni: ({ demo: { imei }, body, random, timing, startMs, firmware, artefactKey }) =>
    createOmniLine(createOmniDeviceCore({ imei, body, random, timing, startMs, firmware, artefactKey })),
  jt808: ({ demo: { imei, number: plate }, index: _index, password, ...rest }) =>
    createJt808Device({ imei, plate, code: password === '' ? null : password, ...deviceOf(rest) }),
  // Half of the devices speak 3.1.1, the others 5.
  mqtt: ({ demo: { imei, model }, index, password, ...rest }) =>
    createMqttDevice({ imei, password, model, version: index % 2 === 0 ? 4 : 5, ...deviceOf(rest) }),
}

/** The device of a demo vehicle, for the protocol that it speaks. */
export const makeDevice = (options: DeviceOptions): Device => deviceProtocols[options.demo.protocol](options)
