import type { ReactNode } from 'react'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DemoNote } from '../overview/DemoNote.tsx'

/** Figures are a minute behind at most while the worker keeps up, and a page reads them every minute. */
const behindMs = 2 * minuteMs

interface Props {
  readonly freshAt: number | null
}

/** Says that figures are further behind than usual, not made yet, or of a demo that has just begun; otherwise nothing. */
export function BehindNote({ freshAt }: Props): ReactNode {
  const isBehind = freshAt === null || serverNow() - freshAt > behindMs
  return (
    <>
      <DemoNote />
      {isBehind && (
        <output className="report-behind">
          {freshAt === null ? t('报表正在首次计算，数字还不完整。') : freshText(freshAt)}
        </output>
      )}
    </>
  )
}

/** Until when the figures have every change. */
export const freshText = (freshAt: number): string => t('{{at}} 之前的变动都已计入。', { at: dateTime(freshAt) })
