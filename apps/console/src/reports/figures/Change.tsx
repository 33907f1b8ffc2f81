import type { ReactNode } from 'react'
import { signedTenths } from '#kit/number.ts'
import { changeOf } from '#kit/span.ts'

/** Beside next to nothing a percentage says nothing. */
const shownMaxPercent = 999

const changeText = (change: number): string =>
  change > shownMaxPercent ? `>+${shownMaxPercent}%` : `${signedTenths(change)}%`

type Value = number | null | undefined

interface Props {
  readonly title: string
  readonly now: Value
  readonly then: Value
  /** More of it is worse. */
  readonly isBad?: boolean
}

/** How much more than before: `较前一时段 +3.2%`; nothing where there is nothing to compare with. */
export function Change({ title, now, then, isBad = false }: Props): ReactNode {
  if (now === null || now === undefined || then === null || then === undefined) return null
  const change = changeOf(now, then)
  if (change === null) return null
  const isBetter = isBad ? change < 0 : change > 0
  const tone = Math.abs(change) < 0.05 ? undefined : isBetter ? 'good' : 'warn'
  return (
    <span className="report-change" data-tone={tone}>
      {title} {changeText(change)}
    </span>
  )
}
