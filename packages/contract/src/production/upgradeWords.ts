import { z } from 'zod'

/** States, reasons and terms of upgrades. */

export const upgradeCampaignStates = ['ready', 'running', 'paused', 'stopped', 'finished'] as const
export type UpgradeCampaignState = (typeof upgradeCampaignStates)[number]
export const upgradeCampaignStateLabels: Readonly<Record<UpgradeCampaignState, string>> = {
  ready: '待开始',
  running: '进行中',
  paused: '已暂停',
  stopped: '已中止',
  finished: '已完成',
}

export const upgradeActionStates = [
  'scheduled',
  'downloading',
  'downloaded',
  'installing',
  'finished',
  'error',
  'cancelled',
] as const
export type UpgradeActionState = (typeof upgradeActionStates)[number]
export const upgradeActionStateLabels: Readonly<Record<UpgradeActionState, string>> = {
  scheduled: '等待',
  downloading: '下载中',
  downloaded: '已下载',
  installing: '安装中',
  finished: '成功',
  error: '失败',
  cancelled: '已取消',
}
export const openActionStates = ['scheduled', 'downloading', 'downloaded', 'installing'] as const

/** Cumulative percent of the vehicles after each group. */
export const upgradeGroups = [1, 10, 50, 100] as const

/** Why a vehicle's upgrade has not begun yet. */
export const upgradeWaits = [
  'not_available',
  'not_locked',
  'low_battery',
  'weak_signal',
  'offline',
  'daytime',
  'full',
] as const
export type UpgradeWait = (typeof upgradeWaits)[number]
export const upgradeWaitLabels: Readonly<Record<UpgradeWait, string>> = {
  not_available: '骑行、预约或停用中',
  not_locked: '未关锁',
  low_battery: '电量不足',
  weak_signal: '信号弱',
  offline: '离线',
  daytime: '等待夜间',
  full: '等待其他车辆完成',
}

export const upgradeFailures = [
  'unsigned',
  'refused',
  'digest',
  'signature',
  'battery',
  'download_timeout',
  'kept_version',
  'silent',
  'in_use',
  'broken_packages',
] as const
export type UpgradeFailure = (typeof upgradeFailures)[number]
export const upgradeFailureLabels: Readonly<Record<UpgradeFailure, string>> = {
  unsigned: '签名未通过，未下发',
  refused: '设备拒绝',
  digest: '设备校验摘要不符',
  signature: '设备校验签名不符',
  battery: '设备电量不足',
  download_timeout: '下载超时',
  kept_version: '重启后仍为旧版本',
  silent: '重启后没有上线',
  in_use: '车辆恢复营运，已停止下发',
  broken_packages: '数据包反复出错',
}

/** What stops a campaign. */
export const upgradeGates = ['errors', 'silent', 'success', 'unlock_failures', 'offline', 'battery_drain'] as const
export type UpgradeGate = (typeof upgradeGates)[number]
export const upgradeGateLabels: Readonly<Record<UpgradeGate, string>> = {
  errors: '失败率达到上限',
  silent: '重启后失联的车辆达到上限',
  success: '成功率未达到要求',
  unlock_failures: '开锁失败率高于其他车辆',
  offline: '离线率高于其他车辆',
  battery_drain: '耗电高于其他车辆',
}

const percent = z.int().min(0).max(100)
export const upgradeTermsSchema = z.object({
  /** Of a group's vehicles, before the next group begins. */
  successPercent: percent.min(50).default(95),
  /** Of a group's vehicles: the campaign pauses. */
  errorPercent: percent.min(1).default(5),
  /** Vehicles that did not come back after their restart: the campaign pauses. */
  silentMax: z.int().min(1).max(20).default(1),
  /** How long upgraded vehicles are compared with others before the next group. */
  watchHours: z.int().min(0).max(72).default(2),
  /** Percentage points (battery: per day) by which upgraded vehicles may be worse than others. */
  unlockFailurePoints: percent.default(5),
  offlinePoints: percent.default(5),
  batteryPoints: percent.default(10),
  minBattery: percent.min(20).default(40),
  minSignal: z.int().min(0).max(31).default(10),
  nightOnly: z.boolean().default(true),
})
export type UpgradeTerms = z.output<typeof upgradeTermsSchema>
/** Business hours in which vehicles are upgraded where `nightOnly` is set. */
export const upgradeNight = { fromHour: 23, toHour: 5 } as const

export const upgradeNameMax = 40
export const upgradeReasonMax = 100
export const upgradeVehiclesMax = 100_000
