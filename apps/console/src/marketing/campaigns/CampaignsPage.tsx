import { useState, type ReactNode } from 'react'
import {
  campaignChannelLabels,
  campaignEndpoints,
  campaignFields,
  campaignHaltLabels,
  campaignList,
  campaignStateLabels,
  type Campaign,
} from '@saddle/contract/marketing/campaigns.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { CampaignPanel } from './CampaignPanel.tsx'
import { SettingDialog } from './SettingDialog.tsx'
import { progressText, toneOf } from './words.ts'

const campaigns = listOf({
  list: campaignList,
  call: campaignEndpoints.listCampaigns,
  file: campaignEndpoints.exportCampaigns,
  fields: campaignFields,
})

/** Campaigns: to whom, how far they have come, and what became of each rider. */
export default function CampaignsPage(): ReactNode {
  const list = useList(campaigns)
  const [isSetting, setSetting] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('精准推送')}
        actions={
          <>
            <Button onClick={() => setSetting(true)}>{t('对照组与触达上限')}</Button>
            <ButtonLink look="primary" to="/marketing/campaign-edit">
              {t('新增推送')}
            </ButtonLink>
          </>
        }
        filters={[
          keyword(t('推送名称'), 'name'),
          many('states', t('状态'), campaignStateLabels),
          one('channel', t('方式'), campaignChannelLabels),
        ]}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('还没有推送')}
        renderPanel={(row) => <CampaignPanel key={row.id} campaign={row} />}
      />
      {isSetting && <SettingDialog onClose={() => setSetting(false)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<Campaign>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state, halt }) => (
      <>
        <Mark tone={toneOf[state]}>{t(campaignStateLabels[state])}</Mark>
        {halt !== null && <small> {t(campaignHaltLabels[halt])}</small>}
      </>
    ),
  },
  {
    key: 'channel',
    render: ({ channel, templateName }) => templateName ?? t(campaignChannelLabels[channel]),
  },
  'segmentName',
  { key: 'progress', title: t('进度'), render: progressText },
  'sent',
  'heldOut',
  { key: 'audience', isOptional: true },
  { key: 'control', isOptional: true },
  { key: 'weekly', isOptional: true },
  { key: 'capped', isOptional: true },
  'startsAt',
  { key: 'startedAt', isOptional: true },
  { key: 'endedAt', card: 'none' },
  { key: 'company', card: 'wide' },
  { key: 'createdBy', isOptional: true },
]
