import {
  deviceProfileSchema,
  orderText,
  profileNameOf,
  type DeviceProfile,
} from '@saddle/contract/fleet/deviceProfiles.ts'
import type { VehicleModel } from '@saddle/contract/fleet/models.ts'
import type { Direction } from '@saddle/contract/list.ts'
import type { ModelRow } from '#fleet/public.ts'
import { modelRow, type CountedModel } from './store.ts'

type Shown = { readonly counted: CountedModel; readonly stored: ModelRow | undefined; readonly isPlatform: boolean }

/** A model as the list shows it; the names of the platform's people are for the platform's people. */
export function modelOf({ counted, stored, isPlatform }: Shown): VehicleModel {
  return {
    ...modelRow.present(counted),
    profile: profileIn(stored),
    version: stored?.version ?? 0,
    changedAt: stored?.changed_at.getTime() ?? null,
    changedBy: isPlatform ? (stored?.changed_by_name ?? null) : null,
    maySet: isPlatform,
  }
}

/** Null also for one that the gateway cannot read. */
export function profileIn(stored: ModelRow | undefined): DeviceProfile | null {
  const profile = deviceProfileSchema.safeParse(stored?.profile).data
  return profile !== undefined && profile.protocol === stored?.protocol ? profile : null
}

/** A profile as the audit line says it. */
export function notedProfile(profile: DeviceProfile | null): Readonly<Record<string, string>> | null {
  if (profile?.protocol === 'omni') return { dialect: profile.dialect }
  if (profile?.protocol !== 'jt808') return null
  const { unlock, lock, ring, open_battery: battery } = profile.orders
  const { lockBit } = profile
  return {
    lockProfile: profileNameOf(profile),
    unlockBy: orderText(unlock),
    lockBy: orderText(lock),
    ringBy: ring === null ? '' : orderText(ring),
    batteryBy: battery === null ? '' : orderText(battery),
    lockProof: profile.proof,
    lockBit: lockBit === null ? '' : `${lockBit.bit} = ${lockBit.lockedWhenSet ? 1 : 0}`,
  }
}

/** In the order that the list is asked for; equal ones by name. */
export function sortedModels(
  rows: readonly VehicleModel[],
  sort: 'vehicles' | 'model',
  direction: Direction,
): readonly VehicleModel[] {
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => {
    const byName = compare(one.model, other.model) || compare(one.protocol, other.protocol)
    return sort === 'model' ? sign * byName : sign * (one.vehicles - other.vehicles) || byName
  })
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)
