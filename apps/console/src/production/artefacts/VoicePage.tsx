import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ArtefactList } from './ArtefactList.tsx'

/** Voice packs: what vehicles say, listened to here and brought to them by a campaign. */
export default function VoicePage(): ReactNode {
  return <ArtefactList kind="voice" title={t('语音定制')} empty={t('还没有语音包')} />
}
