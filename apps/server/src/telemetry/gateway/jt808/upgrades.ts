import {
  jt808DownIds,
  jt808Result,
  jt808UpgradeResult,
  jt808UpgradeType,
  writeJt808Part,
  writeJt808Upgrade,
  type Jt808MessageOf,
} from '@saddle/device-protocols/jt808/codec.ts'
import type { Transfer } from '#production/public.ts'
import { write } from '../backPressure.ts'
import { inOrder } from '../commandSteps.ts'
import { gatewayLimits } from '../limits.ts'
import { notePackage, takeUpgrade } from '../upgrades.ts'
import type { UpgradeUnderWay } from '../upgradeUnderWay.ts'
import { send, type Jt808State } from './state.ts'

/** Bytes of one part; with its header it stays below the longest frame. */
const partBytes = 1_000
const manufacturer = 'SADDLE'
/** Parts that one request of the terminal may name. */
const requestedMax = 32
/** In the place of the serial number of a part that is about to be sent. */
const unsentSerial = -2
const results = { [jt808UpgradeResult.failed]: 'refused', [jt808UpgradeResult.cancelled]: 'refused' } as const

const types = { firmware: jt808UpgradeType.terminal, voice: jt808UpgradeType.voice } as const

/** The message 0x8108 before it is cut; its manufacturer makes it five bytes or eleven longer than the image. */
function bodyOf(
  { head }: Jt808State,
  { kind, toVersion, image }: Pick<Transfer, 'kind' | 'toVersion' | 'image'>,
): Buffer {
  const headerVersion = head?.headerVersion ?? 2019
  return writeJt808Upgrade(headerVersion, {
    type: types[kind],
    manufacturer: manufacturer.slice(0, headerVersion === 2019 ? 11 : 5),
    version: toVersion,
    data: image.signed,
  })
}

const partsOf = (body: Buffer): number => Math.ceil(body.length / partBytes)

export function upgrade(state: Jt808State): void {
  takeUpgrade(state, {
    packagesOf: (image) => partsOf(bodyOf(state, { kind: 'firmware', toVersion: image.version, image })),
    ask: () => void send(state, { message: 'queryAttributes' }),
    send: async (own) => {
      state.upgradeBody = bodyOf(state, own.transfer)
      state.requestedParts = []
      await sendPart(state, own, own.transfer.package)
    },
  })
}

/** Sends one part, from 0, after it is stored that the terminal has those before. */
async function sendPart(state: Jt808State, own: UpgradeUnderWay, part: number): Promise<void> {
  const { head, upgradeBody: body } = state
  if (head === null || body === null || !(await notePackage(state, own, part))) return
  const bytes = body.subarray(part * partBytes, (part + 1) * partBytes)
  const of = { total: partsOf(body), index: part + 1 }
  const { serial } = state
  state.serial = (serial + 1) & 0xffff
  state.upgradeSerial = serial
  state.upgradePart = part
  write(state, writeJt808Part({ head: { ...head, serial }, messageId: jt808DownIds.upgrade, part: of, body: bytes }))
}

/** The terminal has a part, or could not read it. One part is under way at a time, so that a new line repeats one at most. */
export function onPartAnswered(
  state: Jt808State,
  { answeredSerial, answeredId, result }: Jt808MessageOf<'generalAnswer'>,
): boolean {
  const { upgrade: own } = state
  if (answeredId !== jt808DownIds.upgrade) return false
  if (own === null || answeredSerial !== state.upgradeSerial) return true
  state.upgradeSerial = -1
  const isRead = result === jt808Result.success
  if (result === jt808Result.unsupported) {
    state.upgrade = null
    inOrder(state, () => state.deps.transfers.failed(own.transfer, 'refused'))
    return true
  }
  const total = state.upgradeBody === null ? 0 : partsOf(state.upgradeBody)
  // What the terminal lacks comes first, then the parts that were never sent.
  const next = isRead ? (state.requestedParts.shift() ?? own.lastSent + 1) : state.upgradePart
  own.tries = isRead ? 0 : own.tries + 1
  if (own.tries > gatewayLimits.packageTriesMax) {
    state.upgrade = null
    inOrder(state, () => state.deps.transfers.failed(own.transfer, 'broken_packages'))
    return true
  }
  // After the last part the terminal says by 0x0108 how it ended.
  if (next >= total) {
    own.sentAt = state.deps.kit.clock.now()
    return true
  }
  own.waiting = next
  serve(state, own)
  return true
}

function serve(state: Jt808State, own: UpgradeUnderWay): void {
  if (own.waiting === null || !own.bucket.take()) return
  const part = own.waiting
  own.waiting = null
  state.upgradePart = part
  state.upgradeSerial = unsentSerial
  inOrder(state, () => sendPart(state, own, part))
}

/** Called every second: parts that wait for their turn, and those that were never answered. */
export function tickUpgrade(state: Jt808State): void {
  const { upgrade: own, deps } = state
  if (own === null) return
  if (own.waiting !== null) return serve(state, own)
  if (deps.kit.clock.now() - own.sentAt < gatewayLimits.packageWithinMs) return
  own.tries += 1
  own.sentAt = deps.kit.clock.now()
  // It waits for the next line: this one carries nothing more to the terminal.
  if (own.tries > gatewayLimits.packageTriesMax) state.upgrade = null
  else if (state.upgradeSerial !== -1) inOrder(state, () => sendPart(state, own, state.upgradePart))
}

/** The terminal names parts that it lacks (0x0005): only they are sent again, the earliest first. */
export function onPartsRequested(state: Jt808State, { parts }: Jt808MessageOf<'packetRequest'>): void {
  const { upgrade: own, upgradeBody: body } = state
  if (own === null || body === null) return
  const isUnderWay = state.upgradeSerial !== -1
  state.requestedParts = [...new Set(parts)]
    .filter((part) => part >= 1 && part <= partsOf(body))
    .map((part) => part - 1)
    .filter((part) => !(isUnderWay && part === state.upgradePart))
    .toSorted((a, b) => a - b)
    .slice(0, requestedMax)
  // Parts are sent one at a time: these follow when the one under way is answered.
  if (isUnderWay) return
  const first = state.requestedParts.shift()
  if (first === undefined) return
  own.waiting = first
  serve(state, own)
}

/** How the upgrade ended (0x0108): the terminal installs now, or it does not. */
export function onUpgraded(state: Jt808State, { result }: Jt808MessageOf<'upgradeResult'>): void {
  const { upgrade: own, deps } = state
  if (own === null) return
  state.upgrade = null
  state.upgradeBody = null
  inOrder(state, () =>
    result === jt808UpgradeResult.done
      ? deps.transfers.installing(own.transfer)
      : deps.transfers.failed(own.transfer, results[result as keyof typeof results] ?? 'refused'),
  )
}
