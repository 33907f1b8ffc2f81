import type { ReactNode } from 'react'
import { adPageLabels, adSlotLabels, type AdContent, type AdSlot } from '@saddle/contract/marketing/ads.ts'
import { t } from '#kit/i18n/index.ts'
import { PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { AdPicture } from './PictureField.tsx'
import './ads.css'

type Shown = Pick<AdContent, 'name' | 'photoId' | 'text' | 'link'> & LinkTarget

/** The one thing that a link opens, where there is one. */
interface LinkTarget {
  readonly targetName: string | null
  readonly isTargetOver?: boolean
}

/** What a tap opens. */
export function linkText(link: AdContent['link'], { targetName, isTargetOver = false }: LinkTarget): string {
  if (link.to === 'none') return t('点击没有反应')
  if (link.to === 'web') return link.url
  const page = t(adPageLabels[link.page])
  if (targetName === null) return page
  const name = isTargetOver ? t('{{name}}（已结束）', { name: targetName }) : targetName
  return t('{{page}}：{{name}}', { page, name })
}

/** Blocks of the page above and below the slot. */
const scenes: Readonly<Record<AdSlot, readonly [above: number, below: number]>> = {
  popup: [0, 1],
  banner: [0, 3],
  scan: [1, 1],
  ride_end: [2, 1],
  mine: [2, 2],
}

/** A placement in its slot, on a phone. */
export function AdPhone({ slot, content }: { slot: AdSlot; content: Shown }): ReactNode {
  const { name, photoId, text, link } = content
  const [above, below] = scenes[slot]
  const blocks = (count: number, key: string) =>
    Array.from({ length: count }, (_, index) => (
      <span key={`${key}${index}`} className="ad-scene-block" data-tall={slot === 'scan' || undefined} />
    ))
  return (
    <PhoneFrame label={t('广告预览')} title={t(adSlotLabels[slot])}>
      <div className="ad-scene">
        {blocks(above, 'above')}
        <div className="ad-box" data-popup={slot === 'popup' || undefined}>
          {photoId !== null && <AdPicture photoId={photoId} alt={text || name} />}
          {text !== '' && <p>{text}</p>}
          {photoId === null && text === '' && <p>{t('填写后在此预览')}</p>}
          <small>{linkText(link, content)}</small>
        </div>
        {blocks(below, 'below')}
      </div>
    </PhoneFrame>
  )
}
