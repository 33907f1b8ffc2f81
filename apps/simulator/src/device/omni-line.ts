import { encodeOmniToPlatform } from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import { omniProfiles } from '@saddle/device-protocols/omni/profile.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import { restartMs, type Device } from './device.ts'
import type { OmniDeviceCore } from './omni-device.ts'

/** The numbers of the alarms that a lock of the standard profile has. */
const alarmCodes = new Map<DeviceAlarm, number>(
  Object.entries(omniProfiles.standard.alarms).map(([code, alarm]) => [alarm, Number(code)]),
)

/** An Omni lock as its line and its vehicle see it. */
export function createOmniLine(core: OmniDeviceCore): Device {
  const head = { header: 'SCOR', vendor: 'OM', deviceId: core.imei } as const
  let splitter = createOmniSplitter()
  return {
    imei: core.imei,
    body: core.body,
    troubles: core.troubles,
    flasher: core.flasher,
    alarm(name) {
      const code = alarmCodes.get(name)
      if (code !== undefined) core.alarm(code)
    },
    report(nowMs) {
      core.heartbeat()
      core.position(nowMs)
    },
    connected(nowMs) {
      splitter = createOmniSplitter()
      core.connected(nowMs)
    },
    disconnected: () => core.disconnected(),
    receive(chunk, nowMs) {
      for (const frame of splitter.push(chunk)) core.receive(frame, nowMs)
    },
    tick: (nowMs) => core.tick(nowMs),
    take: (limit) => core.take(limit).map((message) => encodeOmniToPlatform({ ...head, ...message })),
    takeLeave: () => core.flasher.takeLeave() ?? (core.takeRestart() ? restartMs : null),
  }
}
