import type { ReactNode } from 'react'
import type { HelpContent } from '@saddle/contract/marketing/help.ts'
import { t } from '#kit/i18n/index.ts'
import { PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { HelpText } from './HelpText.tsx'

/** An article as riders of each language read it. */
export function HelpPhones({
  content,
}: {
  content: Pick<HelpContent, 'title' | 'body' | 'titleEn' | 'bodyEn'>
}): ReactNode {
  const { title, body, titleEn, bodyEn } = content
  const isMissing = titleEn === '' && bodyEn === ''
  return (
    <div className="content-phones">
      <PhoneFrame label={t('中文预览')} title={title || t('标题')} lang="zh-CN">
        {body === '' ? <p className="help-missing">{t('填写后在此预览')}</p> : <HelpText text={body} />}
      </PhoneFrame>
      <PhoneFrame label={t('英文预览')} title={titleEn || t('缺少英文')} lang={isMissing ? 'zh-CN' : 'en'}>
        {isMissing ? <p className="help-missing">{t('缺少英文，英文用户会看到中文。')}</p> : <HelpText text={bodyEn} />}
      </PhoneFrame>
    </div>
  )
}
