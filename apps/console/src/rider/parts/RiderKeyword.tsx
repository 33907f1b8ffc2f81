import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Keyword } from '#kit/list/FilterBar.tsx'
import { readWord, wordOf } from './word.ts'

interface Props {
  readonly filter: { readonly phone?: string | undefined; readonly riderId?: number | undefined }
  readonly onChange: (part: { phone: string | undefined; riderId: number | undefined }) => void
}

/** Whose: a phone number or a rider's own. */
export function RiderKeyword({ filter, onChange }: Props): ReactNode {
  return (
    <Keyword
      label={t('手机号或用户编号')}
      value={wordOf(filter)}
      onChange={(text) => {
        const { phone, riderId } = readWord(text)
        onChange({ phone, riderId })
      }}
    />
  )
}
