import type { KeyObject } from 'node:crypto'
import { createHash } from 'node:crypto'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { isImage, isSignedBy, openSigned, readImageHeader } from '@saddle/device-protocols/image.ts'
import type { Random } from '#sim/random.ts'
import type { Troubles } from './troubles.ts'
import type { VehicleBody } from './vehicle-body.ts'

/** How long a device is away to flash and restart, and when its power fails in the middle. */
const flashMs = 4_000
const powerLossMs = 12_000
const minBatteryPercent = 20

export type InstallOutcome = 'done' | 'battery' | 'digest' | 'signature'

/** The memory of a device: packages that have arrived, the version that runs, and the one that a restart will bring. */
export type Flasher = {
  /** What runs now. */
  readonly version: string
  /** The voice pack that was installed last, by its digest. */
  readonly voice: string | null
  /** Of the image that is expected. */
  readonly mark: string
  /** Packages of this image, by a mark that tells images apart; those of the same image that are there already are kept. */
  begin(image: { mark: string; total: number }): void
  /** The first package that is missing; null when all are there, or when nothing is expected. */
  missing(): number | null
  /** Stores a package; false when it arrived broken. */
  put(index: number, bytes: Buffer): boolean
  /** Missing packages before this one. */
  gapsBefore(index: number): number[]
  whole(): Buffer | null
  /** Verifies bytes with their signature behind them and installs them. */
  installSigned(signed: Buffer): InstallOutcome
  /** Verifies bytes against size, digest and signature of a manifest and installs them. */
  install(manifest: { content: Buffer; sha256: string; signature: Buffer; minBattery: number }): InstallOutcome
  /** Set once after an installation: how long the device is away. It never comes back from a broken firmware. */
  takeLeave(): number | null
  /** The device has started: what was installed runs. */
  started(): void
}

export function createFlasher(options: {
  version: string
  /** Of those whose firmware the device takes; null: it takes none. */
  key: KeyObject | null
  body: Pick<VehicleBody, 'batteryPercent'>
  troubles: Troubles
  random: Random
}): Flasher {
  const { key, body, troubles, random } = options
  let { version } = options
  let voice: string | null = null
  let mark = ''
  let parts: (Buffer | undefined)[] = []
  let next: { version: string } | null = null
  let leave: number | null = null

  const missing = (): number | null => {
    const at = parts.findIndex((part) => part === undefined)
    return at === -1 ? null : at
  }

  const forget = (): void => {
    mark = ''
    parts = []
  }

  const flash = (content: Buffer): InstallOutcome => {
    if (body.batteryPercent < minBatteryPercent) return 'battery'
    forget()
    if (!isImage(content)) {
      voice = createHash('sha256').update(content).digest('hex')
      return 'done'
    }
    try {
      next = { version: readImageHeader(content).version }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return 'digest'
    }
    // The boot loader begins again where the power failed: that takes longer and breaks nothing.
    leave = random.chance(troubles.powerLossChance) ? powerLossMs : flashMs
    if (random.chance(troubles.brickChance)) leave = Number.POSITIVE_INFINITY
    return 'done'
  }

  return {
    get version() {
      return version
    },
    get voice() {
      return voice
    },
    get mark() {
      return mark
    },
    begin(image) {
      if (image.mark === mark && image.total === parts.length) return
      mark = image.mark
      parts = Array.from({ length: image.total })
    },
    missing,
    put(index, bytes) {
      if (random.chance(troubles.brokenPackageChance)) return false
      if (index >= 0 && index < parts.length) parts[index] = Buffer.from(bytes)
      return true
    },
    gapsBefore: (index) => parts.slice(0, index).flatMap((part, at) => (part === undefined ? [at] : [])),
    whole: () =>
      parts.length === 0 || missing() !== null ? null : Buffer.concat(parts.filter((part) => part !== undefined)),
    installSigned(signed) {
      const content = key === null ? null : openSigned(key, signed)
      if (content !== null) return flash(content)
      forget()
      return 'signature'
    },
    install({ content, sha256, signature, minBattery }) {
      if (body.batteryPercent < minBattery) return 'battery'
      const isWhole = createHash('sha256').update(content).digest('hex') === sha256
      if (!isWhole || key === null || !isSignedBy(key, content, signature)) {
        forget()
        return isWhole ? 'signature' : 'digest'
      }
      return flash(content)
    },
    takeLeave() {
      const asked = leave
      leave = null
      return asked
    },
    started() {
      if (next === null) return
      version = next.version
      next = null
    },
  }
}
