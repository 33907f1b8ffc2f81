import {
  deviceProfileSchema,
  orderText,
  profileNameOf,
  type DeviceProfile,
} from '@saddle/contract/fleet/deviceProfiles.ts'
import type { VehicleModel } from '@saddle/contract/fleet/models.ts'
import type { ModelRow } from '#fleet/public.ts'
import { protocolOf } from './rules.ts'

export type CountedModel = { model: string; protocol: string; vehicles: number; device_profiles: string[] }

type Shown = { readonly counted: CountedModel; readonly stored: ModelRow | undefined; readonly isPlatform: boolean }

/** A model as the list shows it; the names of the platform's people are for the platform's people. */
export function modelOf({ counted, stored, isPlatform }: Shown): VehicleModel {
  return {
    model: counted.model,
    protocol: protocolOf(counted.protocol),
    vehicles: counted.vehicles,
    profile: profileIn(stored),
    deviceProfiles: counted.device_profiles,
    version: stored?.version ?? 0,
    changedAt: stored?.changed_at.getTime() ?? null,
    changedBy: isPlatform ? (stored?.changed_by_name ?? null) : null,
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
