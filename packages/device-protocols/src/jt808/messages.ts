import type { Jt808Head } from './packets.ts'

export const jt808UpIds = {
  generalAnswer: 0x0001,
  heartbeat: 0x0002,
  logout: 0x0003,
  timeQuery: 0x0004,
  packetRequest: 0x0005,
  register: 0x0100,
  authenticate: 0x0102,
  parameters: 0x0104,
  attributes: 0x0107,
  upgradeResult: 0x0108,
  position: 0x0200,
  positionAnswer: 0x0201,
  vehicleControlAnswer: 0x0500,
  positionBatch: 0x0704,
} as const

export const jt808DownIds = {
  generalAnswer: 0x8001,
  serverTime: 0x8004,
  registerAnswer: 0x8100,
  setParameters: 0x8103,
  queryParameters: 0x8104,
  control: 0x8105,
  queryAttributes: 0x8107,
  upgrade: 0x8108,
  queryPosition: 0x8201,
  text: 0x8300,
  vehicleControl: 0x8500,
  passthrough: 0x8900,
} as const

/** Results of a general answer, both ways; `alarmConfirmed` is the platform's only. */
export const jt808Result = { success: 0, failed: 1, malformed: 2, unsupported: 3, alarmConfirmed: 4 } as const

/** Results of a registration. */
export const jt808Registration = {
  success: 0,
  vehicleTaken: 1,
  vehicleUnknown: 2,
  terminalTaken: 3,
  terminalUnknown: 4,
} as const

/** What an upgrade package (0x8108) is for; voice is of the range that the standard leaves to makers. */
export const jt808UpgradeType = { terminal: 0, voice: 0xf0 } as const

/** How an upgrade ended (0x0108). */
export const jt808UpgradeResult = { done: 0, failed: 1, cancelled: 2 } as const

/** Commands of terminal control (0x8105). */
export const jt808Control = {
  upgrade: 1,
  connect: 2,
  powerOff: 3,
  restart: 4,
  factoryReset: 5,
  stopData: 6,
  stopRadio: 7,
} as const

/**
 * Commands of terminal control that a bike needs and the standard (made for lorries) lacks, in its range for makers. The
 * terminal sends a general answer; its next position reports the lock.
 */
export const jt808BikeControl = { unlock: 0xf0, lock: 0xf1, ring: 0xf2, openCompartment: 0xf3 } as const

/** One control of vehicle control since 2019; types from 0xF001 on are the makers'. */
export type Jt808VehicleControl = { type: number; value: number }

/** Bits of `statusBits`. */
export const jt808Status = { acc: 1 << 0, located: 1 << 1, south: 1 << 2, west: 1 << 3, doorsLocked: 1 << 12 } as const

/** The platform's own additional item (0xF8, of the range free for users), for facts of e-bikes that the standard lacks. */
export type Jt808BikeItem = {
  batteryPercent: number
  /** In hundredths of a volt on the wire. */
  voltageV: number
  locked: boolean
  charging: boolean
  compartmentOpen: boolean
}

/** An additional item that this codec gives no name, as it came. */
export type Jt808Item = { id: number; hex: string }

export type Jt808Position = {
  /** 32 bits; see `jt808Profiles` for what they mean. */
  alarmBits: number
  /** 32 bits; see `jt808Status`. On the way out, south and west are set by the signs of `lat` and `lng`. */
  statusBits: number
  lat: number
  lng: number
  altitudeM: number
  speedKmh: number
  headingDeg: number
  /** Null when the terminal has no time (all zeros). */
  timeUtc: number | null
  odometerM?: number
  fuelL?: number
  recorderSpeedKmh?: number
  /** Serial number of an alarm that a person must confirm. */
  alarmEvent?: number
  vehicleSignalBits?: number
  ioBits?: number
  /** Two analogue inputs of 16 bits, the first in the low half. */
  analogBits?: number
  signal?: number
  satellites?: number
  bike?: Jt808BikeItem
  items?: Jt808Item[]
  /** Bytes behind the last item that make no item. */
  trailingHex?: string
}

/** A number or a text where the standard fixes the kind of the parameter, else the bytes. */
export type Jt808Parameter = { id: number } & ({ number: number } | { text: string } | { hex: string })

export type Jt808GeneralAnswer = { answeredSerial: number; answeredId: number; result: number }

export type Jt808Registering = {
  /** The field widths differ by generation; 2011's are still met under the header of 2013. */
  layout: 2011 | 2013 | 2019
  provinceId: number
  cityId: number
  manufacturer: string
  model: string
  terminalId: string
  plateColour: number
  /** The plate, or the frame number of a vehicle without one. */
  plate: string
}

/** What a terminal says. */
export type Jt808Body =
  | ({ message: 'generalAnswer' } & Jt808GeneralAnswer)
  | { message: 'heartbeat' }
  | { message: 'logout' }
  /** Since 2019; it has no body. */
  | { message: 'timeQuery' }
  /** Parts of a message of the platform that did not arrive; `firstSerial` is that of its first part. */
  | { message: 'packetRequest'; firstSerial: number; parts: number[] }
  /** `result`: see `jt808UpgradeResult`. */
  | { message: 'upgradeResult'; type: number; result: number }
  | ({ message: 'register' } & Jt808Registering)
  /** IMEI and firmware are in it since 2019. */
  | { message: 'authenticate'; code: string; imei?: string; firmware?: string }
  | { message: 'parameters'; answeredSerial: number; parameters: Jt808Parameter[] }
  | {
      message: 'attributes'
      terminalType: number
      manufacturer: string
      model: string
      terminalId: string
      iccid: string
      hardware: string
      firmware: string
      satelliteSystems: number
      networks: number
    }
  | ({ message: 'position' } & Jt808Position)
  | { message: 'positionAnswer'; answeredSerial: number; position: Jt808Position }
  /** What vehicle control was, and how the vehicle is after it. */
  | { message: 'vehicleControlAnswer'; answeredSerial: number; position: Jt808Position }
  /** `blindArea`: kept while there was no network, and sent later. */
  | { message: 'positionBatch'; blindArea: boolean; positions: Jt808Position[] }
  | { message: 'unknown'; messageId: number; hex: string }

/** Bytes behind the last field of a body. */
type Extra = { extraHex?: string }

export type Jt808Message = Jt808Head & Jt808Body & Extra
export type Jt808MessageOf<M extends Jt808Body['message']> = Extract<Jt808Message, { message: M }>

/** What the platform says. */
export type Jt808CommandBody =
  | ({ message: 'generalAnswer' } & Jt808GeneralAnswer)
  /** UTC, where every other time of the standard is China's. */
  | { message: 'serverTime'; timeUtc: number | null }
  /** The code is there only after a success. */
  | { message: 'registerAnswer'; answeredSerial: number; result: number; code?: string }
  | { message: 'setParameters'; parameters: Jt808Parameter[] }
  | { message: 'queryParameters' }
  /** `command`: see `jt808Control`; `argument` holds what upgrade and connect need, separated by semicolons. */
  | { message: 'control'; command: number; argument?: string }
  | { message: 'queryAttributes' }
  | { message: 'queryPosition' }
  /** `flags`: bit 0 urgent, 2 display, 3 read aloud. `kind`, since 2019: 1 notice, 2 service. */
  | { message: 'text'; flags: number; kind?: number; text: string }
  /** One byte of flags until 2013, a list of controls since 2019. Bit 0 of the flags locks the doors; so does control 1 with value 0, and value 1 unlocks them. */
  | { message: 'vehicleControl'; flags: number }
  | { message: 'vehicleControl'; controls: readonly Jt808VehicleControl[] }
  | { message: 'passthrough'; type: number; hex: string }
  | { message: 'unknown'; messageId: number; hex: string }

export type Jt808Command = Jt808Head & Jt808CommandBody & Extra
export type Jt808CommandOf<M extends Jt808CommandBody['message']> = Extract<Jt808Command, { message: M }>
