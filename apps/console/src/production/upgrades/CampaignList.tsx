import type { ReactNode } from 'react'
import { artefactKindLabels } from '@saddle/contract/production/artefacts.ts'
import {
  upgradeCampaignFields,
  upgradeCampaignList,
  upgradeEndpoints,
  type UpgradeCampaign,
} from '@saddle/contract/production/upgrades.ts'
import { upgradeCampaignStateLabels } from '@saddle/contract/production/upgradeWords.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { CampaignPanel } from './CampaignPanel.tsx'
import { Views } from './Views.tsx'
import { campaignTone, groupTitle, progressText, reasonText } from './words.ts'

const refreshEveryMs = 10_000

const campaigns = listOf({
  list: upgradeCampaignList,
  call: upgradeEndpoints.listUpgradeCampaigns,
  file: upgradeEndpoints.exportUpgradeCampaigns,
  fields: upgradeCampaignFields,
})

/** Campaigns: how far they have come, and what stopped those that stand still. */
export function CampaignList(): ReactNode {
  const list = useList(campaigns, { refreshEveryMs })
  return (
    <ListPage
      list={list}
      title={t('设备升级')}
      above={<Views view="campaigns" />}
      actions={
        <ButtonLink look="primary" to="/production/device-upgrade?view=artefacts">
          {t('选择固件，新建活动')}
        </ButtonLink>
      }
      filters={[
        keyword(t('升级名称'), 'name'),
        many('states', t('状态'), upgradeCampaignStateLabels),
        one('kind', t('类型'), artefactKindLabels),
      ]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('还没有升级活动')}
      renderPanel={(row) => <CampaignPanel key={row.id} campaign={row} />}
    />
  )
}

const columns = (): readonly ColumnSpec<UpgradeCampaign>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: (row) => (
      <>
        <Mark tone={campaignTone[row.state]}>{t(upgradeCampaignStateLabels[row.state])}</Mark>
        {row.reason !== '' && <small> {reasonText(row)}</small>}
      </>
    ),
  },
  { key: 'artefact', card: 'wide', render: ({ artefact, version }) => `${artefact} ${version}` },
  { key: 'progress', title: t('进度'), render: progressText },
  {
    key: 'group',
    title: t('当前批次'),
    render: ({ groupNo, state }) => (state === 'ready' ? '--' : groupTitle(groupNo)),
  },
  'active',
  'finished',
  'errors',
  { key: 'kind', isOptional: true },
  { key: 'company', card: 'none' },
  { key: 'startedAt', card: 'none' },
  { key: 'createdAt', isOptional: true },
  { key: 'createdBy', isOptional: true },
  { key: 'finishedAt', isOptional: true },
]
