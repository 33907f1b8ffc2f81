import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { ActionPage } from './ActionList.tsx'
import { ArtefactList } from '../artefacts/ArtefactList.tsx'
import { CampaignList } from './CampaignList.tsx'
import { Views } from './Views.tsx'

/** Upgrades of devices: campaigns, the firmware that they bring, and what became of each device. */
export default function DeviceUpgradePage(): ReactNode {
  const [search] = useSearchParams()
  const view = search.get('view')
  if (view === 'artefacts') {
    return (
      <ArtefactList kind="firmware" title={t('设备升级')} empty={t('还没有固件')} above={<Views view="artefacts" />} />
    )
  }
  return view === 'actions' ? <ActionPage /> : <CampaignList />
}
