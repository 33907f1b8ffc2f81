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
}

const deviceProtocols: Readonly<Record<DeviceProtocol, (options: DeviceOptions) => Device>> = {
  omni: ({ demo: { imei }, body, random, timing, startMs }) =>
    createOmniLine(createOmniDeviceCore({ imei, body, random, timing, startMs })),
  jt808: ({ demo: { imei, number: plate }, password, body, random, timing, startMs }) =>
    createJt808Device({ imei, plate, code: password === '' ? null : password, body, random, timing, startMs }),
  // Half of the devices speak 3.1.1, the others 5.
  mqtt: ({ demo: { imei, model }, index, password, body, random, timing, startMs }) =>
    createMqttDevice({ imei, password, model, version: index % 2 === 0 ? 4 : 5, body, random, timing, startMs }),
}

/** The device of a demo vehicle, for the protocol that it speaks. */
export const makeDevice = (options: DeviceOptions): Device => deviceProtocols[options.demo.protocol](options)
