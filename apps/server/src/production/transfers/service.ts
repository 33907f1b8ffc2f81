import { upgradeTermsSchema, type UpgradeFailure } from '@saddle/contract/production/upgradeWords.ts'
import type { ArtefactKind } from '@saddle/contract/production/artefacts.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Signers } from '../artefacts/signers.ts'
import { productionTopics } from '../messages.ts'
import { createAddresses, type Addresses } from './addresses.ts'
import { createImages, type Image } from './images.ts'
import { downloadWithinMs, hindranceOf, installWithinMs } from './rules.ts'
import {
  addStep,
  begin,
  holdCampaign,
  holdVehicle,
  lockOpen,
  lockOverdue,
  moveAction,
  notePackage,
  noteResume,
  noteWait,
  readFacts,
  readRoom,
  selectOpen,
  type ActionRow,
} from './store.ts'

/** One device's upgrade, as the gateway sends it. */
export type Transfer = {
  readonly actionId: number
  readonly vehicleId: number
  readonly kind: ArtefactKind
  readonly toVersion: string
  readonly minBattery: number
  /** Packages that the device is known to have. */
  readonly package: number
  /** It had begun on an earlier line. */
  readonly isResumed: boolean
  readonly image: Image
}

/** What the gateway does with upgrades; every step is stored before the device hears of it. */
export type Transfers = {
  /**
   * The upgrade of a vehicle whose device has just come on its line or may begin: `send` it, or `ask` the device which version
   * it runs now. Null where there is nothing to do. `packagesOf` says how many packages the protocol makes of an image.
   */
  take(
    vehicleId: number,
    packagesOf: (image: Image) => number,
  ): Promise<{ readonly step: 'send' | 'ask'; readonly transfer: Transfer } | null>
  /** Stores that the device has the packages before this one; false: send nothing more. */
  note(transfer: Transfer, next: number, isRepeat?: boolean): Promise<boolean>
  /** The device has everything and begins to install. */
  installing(transfer: Pick<Transfer, 'actionId' | 'vehicleId'>): Promise<void>
  failed(transfer: Pick<Transfer, 'actionId' | 'vehicleId'>, failure: UpgradeFailure): Promise<void>
  /** The device says which version it runs. */
  reported(device: { readonly vehicleId: number; readonly firmware: string }): Promise<void>
  readonly addresses: Addresses
}

const overdueBatch = 100

const transferOf = (action: ActionRow, image: Image, isResumed = true): Transfer => ({
  isResumed,
  actionId: action.id,
  vehicleId: action.vehicle_id,
  kind: action.kind,
  toVersion: action.to_version,
  minBattery: upgradeTermsSchema.parse(action.terms).minBattery,
  package: action.package,
  image,
})

/** How an upgrade begins and ends, in the caller's transaction. */
function createSteps(kit: Pick<Kit, 'db' | 'clock' | 'bus'>, fleet: Pick<Fleet, 'turnVehicles'>) {
  const now = (): Date => new Date(kit.clock.now())
  const after = (ms: number): Date => new Date(kit.clock.now() + ms)

  const release = (tx: Tx, { vehicle_id: vehicleId, is_held }: Pick<ActionRow, 'vehicle_id' | 'is_held'>) =>
    is_held ? fleet.turnVehicles(tx, [{ vehicleId, event: 'system_resume', to: 'available' }]) : Promise.resolve([])

  /** Ends an upgrade; a vehicle whose device fell silent stays off hire, because nobody can open it. */
  const end = async (
    tx: Tx,
    action: ActionRow,
    outcome: { to: 'finished' | 'error' | 'cancelled'; failure?: UpgradeFailure; detail?: string },
  ): Promise<void> => {
    const { to, failure, detail = '' } = outcome
    const from = ['scheduled', 'downloading', 'downloaded', 'installing'] as const
    const isMoved = await moveAction(tx, {
      id: action.id,
      to,
      from,
      at: now(),
      ...(failure === undefined ? {} : { failure }),
    })
    if (!isMoved) return
    await addStep(tx, { action, step: to, at: now(), detail: failure ?? detail })
    if (failure !== 'silent') await release(tx, action)
    kit.db.afterCommit(tx, () => kit.bus.publish(productionTopics.upgradeHeld, { vehicleId: action.vehicle_id }))
  }

  /** Takes the vehicle off hire and begins; why not where it may not. */
  const tryBegin = async (tx: Tx, action: ActionRow, packages: number): Promise<boolean> => {
    const { id, vehicle_id: vehicleId } = action
    await holdVehicle(tx, vehicleId)
    const facts = await readFacts(tx, vehicleId)
    if (facts === undefined) return false
    const terms = upgradeTermsSchema.parse(action.terms)
    const { locked, signal, state } = facts
    const known = {
      batteryPercent: facts.battery_percent,
      heardAt: facts.heard_at?.getTime() ?? null,
      offlineMinutes: facts.offline_minutes,
      isTaken: facts.is_taken,
    }
    const hindrance = hindranceOf({ state, locked, signal, ...known }, terms, kit.clock.now())
    if (hindrance !== null) {
      await noteWait(tx, id, hindrance)
      return false
    }
    if ((await holdCampaign(tx, action.campaign_id)) !== 'running') return false
    const room = await readRoom(tx, { campaignId: action.campaign_id, nowMs: kit.clock.now() })
    if (room.active >= room.most) {
      await noteWait(tx, id, 'full')
      return false
    }
    const held = await fleet.turnVehicles(tx, [{ vehicleId, event: 'system_suspend', to: 'non_operational' }])
    // Silent just now: the vehicle's state is that of its latest report, and nothing was sent.
    if (held.length === 0) return false
    await begin(tx, id, { packages, at: now(), deadline: after(downloadWithinMs) })
    await addStep(tx, { action, step: 'begun', at: now() })
    return true
  }

  /** Ends upgrades whose time is over; returns how many. */
  const expire = (): Promise<number> =>
    kit.db.system(async (tx) => {
      const overdue = await lockOverdue(tx, now(), overdueBatch)
      for (const action of overdue) {
        await end(tx, action, { to: 'error', failure: action.state === 'installing' ? 'silent' : 'download_timeout' })
      }
      return overdue.length
    })

  return { now, after, end, expire, tryBegin }
}

/** The upgrade as a device on a line of its own sees it; the state is in the database alone. */
export function createTransfers(
  kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log' | 'secrets' | 'config'>,
  { fleet, signers }: { readonly fleet: Pick<Fleet, 'turnVehicles'>; readonly signers: Signers },
) {
  const images = createImages(kit, signers)
  const { now, after, end, expire, tryBegin } = createSteps(kit, fleet)

  const transfers: Transfers = {
    async take(vehicleId, packagesOf) {
      const [seen] = await kit.db.systemRead((k) => selectOpen(vehicleId).compile(k))
      if (seen === undefined) return null
      const isWaiting = seen.state === 'scheduled'
      if (isWaiting && (seen.campaign_state !== 'running' || seen.group_no > seen.campaign_group)) return null
      const image = await images.find(seen.artefact_id)
      return kit.db.system(async (tx) => {
        if (isWaiting) await holdVehicle(tx, vehicleId)
        const action = await lockOpen(tx, vehicleId)
        if (action === undefined || action.id !== seen.id) return null
        if (image === null) {
          await end(tx, action, { to: 'error', failure: 'unsigned' })
          return null
        }
        if (action.state === 'installing') return { step: 'ask' as const, transfer: transferOf(action, image) }
        if (action.state === 'scheduled') {
          const isBegun = await tryBegin(tx, action, packagesOf(image))
          return isBegun ? { step: 'send' as const, transfer: transferOf(action, image, false) } : null
        }
        if (action.campaign_state !== 'running') return null
        await noteResume(tx, action.id, now())
        await addStep(tx, { action, step: 'resumed', at: now() })
        return { step: 'send' as const, transfer: transferOf(action, image) }
      })
    },

    async note(transfer, next, isRepeat = false) {
      const verdict = await kit.db.system(async (tx) => {
        const said = { id: transfer.actionId, next, isRepeat, at: now(), deadline: after(downloadWithinMs) }
        const found = await notePackage(tx, said)
        if (found === 'in_use') {
          const action = await lockOpen(tx, transfer.vehicleId)
          if (action?.id === transfer.actionId) await end(tx, action, { to: 'error', failure: 'in_use' })
        }
        return found
      })
      return verdict === 'sent'
    },

    installing: ({ actionId, vehicleId }) =>
      kit.db.system(async (tx) => {
        const action = await lockOpen(tx, vehicleId)
        if (action?.id !== actionId || action.state === 'installing' || action.state === 'scheduled') return
        const whole = { ...action, package: action.packages }
        await addStep(tx, { action: whole, step: 'downloaded', at: now() })
        // A voice pack takes effect without a restart.
        if (action.kind === 'voice') return end(tx, whole, { to: 'finished' })
        await moveAction(tx, {
          id: actionId,
          to: 'installing',
          from: ['downloading', 'downloaded'],
          at: now(),
          deadline: after(installWithinMs),
        })
        await addStep(tx, { action: whole, step: 'installing', at: now() })
      }),

    failed: ({ actionId, vehicleId }, failure) =>
      kit.db.system(async (tx) => {
        const action = await lockOpen(tx, vehicleId)
        if (action?.id === actionId) await end(tx, action, { to: 'error', failure })
      }),

    async reported({ vehicleId, firmware }) {
      const [seen] = await kit.db.systemRead((k) => selectOpen(vehicleId).compile(k))
      if (seen === undefined || seen.kind !== 'firmware' || seen.state === 'scheduled') return
      await kit.db.system(async (tx) => {
        const action = await lockOpen(tx, vehicleId)
        if (action === undefined || action.id !== seen.id || action.state === 'scheduled') return
        // Also where the line broke before the device could say that it installs.
        if (firmware === action.to_version) await end(tx, action, { to: 'finished', detail: firmware })
        else if (action.state === 'installing') await end(tx, action, { to: 'error', failure: 'kept_version' })
      })
    },

    addresses: createAddresses(kit),
  }

  return {
    transfers,
    images,
    end,
    lockOpen,
    expire,
  }
}
export type TransferService = ReturnType<typeof createTransfers>
