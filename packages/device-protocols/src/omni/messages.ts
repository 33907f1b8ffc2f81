/**
 * `SCOR`/`SCOS` are scooters, `HBCR`/`HBCS` and `CMDR`/`CMDS` the same vendor's bikes and locks. R is device to
 * platform and S platform to device by the book, but both are seen upstream in the field.
 */
export const omniHeaders = ['SCOR', 'SCOS', 'HBCR', 'HBCS', 'CMDR', 'CMDS'] as const
export type OmniHeader = (typeof omniHeaders)[number]

/** 0 unlocks, 1 locks. */
export type OmniOperation = 0 | 1

export const omniResult = { success: 0, failed: 1, keyError: 2, riding: 3 } as const

/** What every frame carries. `sentAt` is only in the CMDR dialect, whose frames have a time before the instruction. */
export type OmniHead = { header: OmniHeader; vendor: string; deviceId: string; sentAt?: number }

/** What a device says, by instruction. `extra` keeps trailing fields that this codec gives no name. */
export type OmniBody =
  | { instruction: 'Q0'; voltageV?: number; batteryPercent?: number; signal?: number }
  | {
      instruction: 'H0'
      locked: boolean
      voltageV?: number
      signal?: number
      batteryPercent?: number
      charging?: boolean
    }
  | {
      instruction: 'D0'
      /** 0: the answer to a request, 1: tracking by interval. */
      trigger: number
      timeUtc: number | null
      located: boolean
      lat?: number
      lng?: number
      satellites?: number
      hdop?: number
      altitudeM?: number
      mode?: string
    }
  | { instruction: 'R0'; operation: OmniOperation; key: number; userId: number; timestamp: number }
  | { instruction: 'L0'; result: number; userId?: number; timestamp?: number }
  | { instruction: 'L1'; result: number; userId?: number; timestamp?: number; ridingTimeMin?: number }
  | {
      instruction: 'S6'
      batteryPercent?: number
      speedMode?: number
      speedKmh?: number
      charging?: boolean
      battery1V?: number
      battery2V?: number
      locked?: boolean
      signal?: number
      tripM?: number
      odometerM?: number
    }
  | {
      instruction: 'S5'
      sensitivity?: number
      uploadWhileUnlocked?: number
      heartbeatS?: number
      uploadIntervalS?: number
    }
  | { instruction: 'S8'; times?: number }
  | { instruction: 'L5'; operation: number; result?: number }
  | { instruction: 'W0'; alarm: number }
  | { instruction: 'E0'; code: number }
  | { instruction: 'G0'; firmware: string; buildDate?: string }
  | { instruction: 'U0'; firmware: string; deviceType?: string }
  | { instruction: 'U1'; packet: number; deviceType?: string }
  | { instruction: 'U2'; deviceType: string; result?: number }
  | { instruction: 'V0'; sound?: number }
  | { instruction: 'D1'; intervalS?: number }
  | { instruction: 'S1'; event?: number }
  | { instruction: 'unknown'; code: string }

export type OmniMessage = OmniHead & OmniBody & { extra?: string[] }

export type OmniMessageOf<I extends OmniBody['instruction']> = Extract<OmniMessage, { instruction: I }>

/** What the platform says. An `ack` is the bare instruction: `L0#` tells the device to stop repeating its result. */
export type OmniCommandBody =
  | { instruction: 'R0'; operation: OmniOperation; keySeconds: number; userId: number; timestamp: number }
  | { instruction: 'L0'; key: number; userId: number; timestamp: number }
  | { instruction: 'L1'; key: number }
  | { instruction: 'ack'; of: 'L0' | 'L1' | 'W0' | 'E0' | 'L5' }
  /** Position now. */
  | { instruction: 'D0' }
  /** Position every so many seconds while unlocked; 0 turns it off. */
  | { instruction: 'D1'; intervalS: number }
  /** Vehicle data now. */
  | { instruction: 'S6' }
  | { instruction: 'G0' }
  | { instruction: 'S8'; times: number }
  | { instruction: 'V0'; sound: number }
  | { instruction: 'L5'; operation: number }
  /** 1 shuts down, 2 restarts. */
  | { instruction: 'S1'; event: number }
  | {
      instruction: 'S5'
      sensitivity: number
      uploadWhileUnlocked: number
      heartbeatS: number
      uploadIntervalS: number
    }
  /** Announces an image: the device answers with its version, pulls each package by U1 and says by U2 how it ended. */
  | { instruction: 'U0'; packages: number; packageBytes: number; crc16: number; deviceType: string; key: string }
  /** A package that the device has pulled, from 0; `crc16` is of its bytes. */
  | { instruction: 'U1'; packet: number; crc16: number; hex: string }
  | { instruction: 'unknown'; code: string; fields: string[] }

export type OmniCommand = OmniHead & OmniCommandBody
