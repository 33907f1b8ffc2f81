import type { DemoVehicle } from '@saddle/contract/demo/city.ts'
import type { Device, DeviceTiming } from '#sim/device/device.ts'
import { createJt808Device } from '#sim/device/jt808-device.ts'
import { createMqttDevice } from '#sim/device/mqtt-device.ts'
import { createOmniDeviceCore } from '#sim/device/omni-device.ts'
import { createOmniLine } from '#sim/device/omni-line.ts'
import type { VehicleBody } from '#sim/device/vehicle-body.ts'
import type { Random } from '#sim/random.ts'

/** The device of a demo vehicle, by the protocol that it speaks. */
export function makeDevice({
  demo,
  index,
  password,
  ...own
}: {
  demo: DemoVehicle
  index: number
  password: string
  body: VehicleBody
  random: Random
  timing: DeviceTiming
  startMs: number
}): Device {
  const { imei, number, model } = demo
  switch (demo.protocol) {
    case 'omni':
      return createOmniLine(createOmniDeviceCore({ imei, ...own }))
    case 'jt808':
      return createJt808Device({ imei, plate: number, code: password === '' ? null : password, ...own })
    case 'mqtt':
      return createMqttDevice({ imei, password, model, version: index % 2 === 0 ? 4 : 5, ...own })
  }
}
