import { artefactEndpoints } from '@saddle/contract/production/artefacts.ts'
import { upgradeEndpoints, type UpgradeCampaign } from '@saddle/contract/production/upgrades.ts'
import {
  upgradeGateLabels,
  upgradeGroups,
  type UpgradeActionState,
  type UpgradeCampaignState,
} from '@saddle/contract/production/upgradeWords.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on artefacts or campaigns makes stale. */
export const staleUpgrades = [
  artefactEndpoints.listArtefacts,
  upgradeEndpoints.listUpgradeCampaigns,
  upgradeEndpoints.upgradeCampaignDetail,
  upgradeEndpoints.listUpgradeActions,
]

export const campaignTone: Readonly<Record<UpgradeCampaignState, Tone>> = {
  ready: 'off',
  running: 'info',
  paused: 'warn',
  stopped: 'off',
  finished: 'good',
}

export const actionTone: Readonly<Record<UpgradeActionState, Tone>> = {
  scheduled: 'off',
  downloading: 'info',
  downloaded: 'info',
  installing: 'info',
  finished: 'good',
  error: 'bad',
  cancelled: 'off',
}

export const groupTitle = (groupNo: number): string =>
  groupNo === 0
    ? t('首批（{{percent}}%）', { percent: upgradeGroups[0] })
    : t('第 {{no}} 批（至 {{percent}}%）', { no: groupNo + 1, percent: upgradeGroups[groupNo] ?? 100 })

export const reasonText = ({ gate, reason }: Pick<UpgradeCampaign, 'gate' | 'reason'>): string =>
  gate === null ? reason : t(upgradeGateLabels[gate])

export const progressText = ({ finished, errors, cancelled, total }: UpgradeCampaign): string =>
  `${number(finished + errors + cancelled)} / ${number(total)}`

const kib = 1024

export const sizeText = (bytes: number): string => `${number(Math.ceil(bytes / kib))} KB`
