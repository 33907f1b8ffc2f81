import {
  createJt808Reassembler,
  createJt808Splitter,
  encodeJt808ToDevice,
  jt808Profiles,
  jt808Result,
  type Jt808CommandBody,
  type Jt808Head,
  type Jt808Profile,
} from '@saddle/device-protocols/jt808/codec.ts'
import { builtInProfiles, type DeviceProfile, type Jt808ModelProfile } from '@saddle/contract/fleet/deviceProfiles.ts'
import { write } from '../backPressure.ts'
import type { Connection } from '../connection.ts'
import type { LastingAlarms } from './alarms.ts'

/** What a JT/T 808 session adds to its connection. */
export type Jt808State = Connection & {
  readonly splitter: ReturnType<typeof createJt808Splitter>
  readonly reassembler: ReturnType<typeof createJt808Reassembler>
  /** Header of the latest packet: answers use the same one. */
  head: Jt808Head | null
  /** Serial number of the platform's packets. */
  serial: number
  commandSentAt: number
  lastingAlarms: LastingAlarms
  /** Serial number of the packet that carried the command under way. */
  commandSerial: number
  /** The upgrade message under way, with the part and serial number that were sent last; -1: answered. */
  upgradeBody: Buffer | null
  upgradePart: number
  upgradeSerial: number
  /** Parts from 0 that the terminal lacks and that are sent next. */
  requestedParts: number[]
  /** How its maker implements the protocol; the platform's extension until the device has signed in. */
  profile: Jt808ModelProfile
  /** The same, as the codec takes it. */
  codecProfile: Jt808Profile
}

export function createState(connection: Connection): Jt808State {
  return Object.assign(connection, {
    splitter: createJt808Splitter(),
    reassembler: createJt808Reassembler(),
    head: null,
    serial: 0,
    commandSentAt: 0,
    lastingAlarms: null,
    commandSerial: -1,
    upgradeBody: null,
    upgradePart: 0,
    upgradeSerial: -1,
    requestedParts: [],
    profile: builtInProfiles.standard,
    codecProfile: jt808Profiles.standard,
  })
}

/** Applies the profile of the device's model. */
export function follow(state: Jt808State, profile: DeviceProfile): void {
  if (profile.protocol !== 'jt808') return
  const { lockBit } = profile
  state.profile = profile
  state.codecProfile = lockBit === null ? jt808Profiles.standard : { ...jt808Profiles.standard, lockBit }
}

/** Sends a message and returns the serial number of its first packet. */
export function send(state: Jt808State, body: Jt808CommandBody): number {
  const { head, serial } = state
  if (head === null) return -1
  const frames = encodeJt808ToDevice({ ...head, serial, ...body })
  state.serial = (serial + frames.length) & 0xffff
  for (const frame of frames) write(state, frame)
  return serial
}

/** The general answer, 0x8001. */
export function answer(
  state: Jt808State,
  said: { serial: number; messageId: number },
  result: number = jt808Result.success,
): void {
  send(state, { message: 'generalAnswer', answeredSerial: said.serial, answeredId: said.messageId, result })
}
