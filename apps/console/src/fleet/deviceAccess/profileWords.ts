import {
  builtInProfileLabels,
  jt808ProofLabels,
  omniDialectLabels,
  orderText,
  profileNameOf,
  profileOf,
  type DeviceProfile,
  type Jt808ModelProfile,
  type Jt808Order,
} from '@saddle/contract/fleet/deviceProfiles.ts'
import type { VehicleModel } from '@saddle/contract/fleet/models.ts'
import { t } from '#kit/i18n/index.ts'

export const orderKinds = ['unlock', 'lock', 'ring', 'open_battery'] as const
export type OrderKind = (typeof orderKinds)[number]
export const orderKindLabels: Readonly<Record<OrderKind, string>> = {
  unlock: '开锁',
  lock: '关锁',
  ring: '寻车铃',
  open_battery: '打开电池仓',
}

/** What the page calls a profile. */
export function profileLabel(profile: DeviceProfile): string {
  if (profile.protocol === 'omni') return t(omniDialectLabels[profile.dialect])
  if (profile.protocol !== 'jt808') return t('平台协议')
  const name = profileNameOf(profile)
  return name === 'custom' || name === 'early' ? t('自定义') : t(builtInProfileLabels[name])
}

/** What the devices of a model follow now: the model's profile, or their own. */
export function followedBy({ profile, protocol, deviceProfiles }: VehicleModel): readonly DeviceProfile[] {
  if (profile !== null) return [profile]
  const own = deviceProfiles.map((name) => profileOf({ protocol, name }))
  return [...new Map(own.map((each) => [JSON.stringify(each), each])).values()]
}

export const orderLabel = (order: Jt808Order | null): string =>
  order === null ? t('不支持，指令立即失败') : orderText(order)

/** Which messages turn the lock: the one that unlocks, and the one that locks. */
export function turnedBy(profile: DeviceProfile): readonly string[] {
  if (profile.protocol === 'omni') return ['L0', 'L1']
  if (profile.protocol !== 'jt808') return profile.protocol === 'mqtt' ? ['down/command'] : []
  const { unlock, lock } = profile.orders
  return [orderText(unlock), orderText(lock)]
}

/** What proves that the lock turned. */
export function provedBy(profile: DeviceProfile): string {
  if (profile.protocol === 'omni') return t('设备的 L0 / L1 结果')
  if (profile.protocol !== 'jt808') return t('设备的应答与上报')
  return t(jt808ProofLabels[profile.proof])
}

export function lockStateFrom({ lockBit }: Jt808ModelProfile): string {
  if (lockBit === null) return t('附加项 F8')
  const { bit, lockedWhenSet } = lockBit
  return lockedWhenSet ? t('状态位 {{bit}}（1 为已锁）', { bit }) : t('状态位 {{bit}}（0 为已锁）', { bit })
}
