import { useState, type ReactNode } from 'react'
import {
  adEndpoints,
  adFields,
  adList,
  adSlotLabels,
  adStateLabels,
  type AdPlacement,
} from '@saddle/contract/marketing/ads.ts'
import { areasBrief, useAreaNames, type AreaNames } from '#kit/areaNames.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, many, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { toneOfAd } from './adFields.ts'
import { NewAdForm } from './AdForm.tsx'
import { AdPanel, editors } from './AdPanel.tsx'
import { linkText } from './AdPhone.tsx'

const ads = listOf({ list: adList, call: adEndpoints.listAds, file: adEndpoints.exportAds, fields: adFields })

/** What stands in the slots of the riders' app. */
export default function AdsPage(): ReactNode {
  const list = useList(ads)
  const names = useAreaNames()
  const [isNew, setNew] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('广告配置')}
        actions={
          <Permit action={editors}>
            <Button look="primary" onClick={() => setNew(true)}>
              {t('新增广告')}
            </Button>
          </Permit>
        }
        above={
          <StateTabs list={list} call={adEndpoints.listAds} name="states" title={t('状态')} labels={adStateLabels} />
        }
        filters={[
          tabbed('states'),
          keyword(t('广告名称'), 'name'),
          many('slots', t('广告位'), adSlotLabels),
          areas('areaIds'),
        ]}
        columns={() => columns(names)}
        rowName={({ name }) => name}
        empty={t('还没有广告')}
        renderPanel={(row) => <AdPanel key={row.id} ad={row} />}
      />
      {isNew && <NewAdForm of={null} onClose={() => setNew(false)} />}
    </>
  )
}

const columns = (names: AreaNames): readonly ColumnSpec<AdPlacement>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={toneOfAd[state]}>{t(adStateLabels[state])}</Mark>,
  },
  'slot',
  {
    key: 'areaIds',
    title: t('服务区'),
    render: ({ content }) => areasBrief(content.areaIds, names),
  },
  { key: 'weight', title: t('权重'), numeric: true, render: ({ content }) => content.weight },
  { key: 'targetName', card: 'none', render: ({ content, ...target }) => linkText(content.link, target) },
  'impressions',
  'taps',
  'rate',
  { key: 'riderDays', isOptional: true },
  { key: 'company', card: 'wide' },
  { key: 'createdAt', card: 'none' },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
]
