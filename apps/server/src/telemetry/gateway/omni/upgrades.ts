import { crc16 } from '@saddle/device-protocols/crc16.ts'
import type { OmniMessageOf } from '@saddle/device-protocols/omni/codec.ts'
import type { Transfer } from '#production/public.ts'
import { inOrder } from '../commandSteps.ts'
import { gatewayLimits } from '../limits.ts'
import { notePackage, takeUpgrade } from '../upgrades.ts'
import type { UpgradeUnderWay } from '../upgradeUnderWay.ts'
import { send, type SessionState } from './state.ts'

/** Bytes of one package; as hexadecimal digits they stay well below the longest frame. */
const packageBytes = 256
/** What an image is for, as the device names its parts: the main board, and the speaker. */
const deviceTypes = { firmware: '8A', voice: 'VP' } as const
const success = 0
/** Results of U2 other than success. */
const failures = { 1: 'refused', 2: 'digest', 3: 'signature', 4: 'battery' } as const

const packagesOf = ({ signed }: Transfer['image']): number => Math.ceil(signed.length / packageBytes)

export function upgrade(session: SessionState): void {
  takeUpgrade(session, {
    packagesOf,
    ask: () => send(session, [{ instruction: 'G0' }]),
    send: (own) => announce(session, own),
  })
}

/** Says what there is; the device begins to pull, or goes on where it was. */
function announce(session: SessionState, { transfer }: UpgradeUnderWay): void {
  const { image, kind } = transfer
  send(session, [
    {
      instruction: 'U0',
      packages: packagesOf(image),
      packageBytes,
      crc16: image.crc16,
      deviceType: deviceTypes[kind],
      key: image.sha256.slice(0, 8),
    },
  ])
}

/** The device pulls a package: by that it says that it has those before. */
export function onPull(session: SessionState, { packet }: OmniMessageOf<'U1'>): void {
  const { upgrade: own } = session
  if (own === null || packet < 0 || packet >= packagesOf(own.transfer.image)) return
  own.waiting = packet
  own.tries = 0
  serve(session, own)
}

/** Sends the package that was pulled, as soon as the pace allows. */
function serve(session: SessionState, own: UpgradeUnderWay): void {
  if (own.waiting === null || !own.bucket.take()) return
  const packet = own.waiting
  own.waiting = null
  inOrder(session, async () => {
    if (!(await notePackage(session, own, packet))) return
    const bytes = own.transfer.image.signed.subarray(packet * packageBytes, (packet + 1) * packageBytes)
    send(session, [{ instruction: 'U1', packet, crc16: crc16(bytes), hex: bytes.toString('hex') }])
  })
}

/** A device says its version only when it is asked: without an answer nobody knows what it may be upgraded to. */
export function askVersion(session: SessionState): void {
  const { device, deps, openedAt } = session
  const isSettled = deps.kit.clock.now() - openedAt >= gatewayLimits.versionAfterMs
  if (device === null || session.hasAskedVersion || session.firmware !== null || !isSettled) return
  if (session.command !== null || session.upgrade !== null) return
  session.hasAskedVersion = true
  send(session, [{ instruction: 'G0' }])
}

/** Called every second: packages that wait for their turn, and devices that stopped pulling. */
export function tickUpgrade(session: SessionState): void {
  const { upgrade: own, deps } = session
  if (own === null) return
  if (own.waiting !== null) return serve(session, own)
  const nowMs = deps.kit.clock.now()
  if (nowMs - own.sentAt < gatewayLimits.packageWithinMs) return
  own.tries += 1
  own.sentAt = nowMs
  // It waits for the next line: the device does not hear this one.
  if (own.tries > gatewayLimits.packageTriesMax) session.upgrade = null
  else announce(session, own)
}

/** The device says how the upgrade ended: it installs now, or it does not. */
export function onUpgraded(session: SessionState, { result = success }: OmniMessageOf<'U2'>): void {
  const { upgrade: own, deps } = session
  if (own === null) return
  session.upgrade = null
  inOrder(session, () =>
    result === success
      ? deps.transfers.installing(own.transfer)
      : deps.transfers.failed(own.transfer, failures[result as keyof typeof failures] ?? 'refused'),
  )
}
