import { useMemo, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceDraft, type FenceEffect } from '@saddle/contract/geography/manage.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'
import { kindWord } from '../fences/words.ts'
import { ReturnDots } from './ReturnDots.tsx'
import { ReturnEffect } from './ReturnEffect.tsx'
import { returnOutcomes } from './returnOutcomes.ts'

interface Props {
  readonly kind: FenceKind
  readonly areaId: number
  readonly lineId: number | null
  readonly drafts: readonly FenceDraft[]
  readonly joined: readonly Fence[]
  /** Where the map says it in short, beside the hand that draws. */
  readonly strip: HTMLElement | null
}

const days = 7
const none: FenceEffect['points'] = []

/** What saving would mean: whom the fence meets, and which of last week's returns it would have changed. */
export function ImpactPreview({ kind, areaId, lineId, drafts, joined, strip }: Props): ReactNode {
  const key = JSON.stringify([kind, areaId, lineId, drafts, joined.map((fence) => fence.lineId)])
  const plan = useMemo(
    () => ({
      areaId,
      kind,
      drafts: drafts.map((draft, index) => ({ ...draft, lineId: index === 0 ? lineId : null })),
      removes: joined.map((fence) => fence.lineId),
    }),
    // The text says all that the plan consists of.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  )
  const asked = useLater(plan)
  const isSettled = asked === plan
  const check = useEndpoint(fenceManageEndpoints.checkElectricFences, asked, { quiet: true, keepPrevious: true })
  const effect = useEndpoint(fenceManageEndpoints.fenceEffect, { ...asked, days }, { quiet: true, keepPrevious: true })
  const found = check.data?.data.list ?? []
  const isTaken = found.some(({ nameTaken }) => nameTaken)
  const isOutside = found.some(({ outside }) => outside !== 'none')
  const overlaps = [
    ...new Map(found.flatMap((one) => one.overlaps).map((one) => [`${one.kind} ${one.name}`, one])).values(),
  ]
  const isBusy = !isSettled || check.isFetching || effect.isFetching
  const conflicts = (isTaken ? 1 : 0) + (isOutside ? 1 : 0) + overlaps.length
  return (
    <section className="fences-impact" aria-live="polite" aria-busy={isBusy}>
      <h3>{t('保存前检查')}</h3>
      {isTaken && <Note tone="bad">{t('该服务区已有同名的围栏')}</Note>}
      {isOutside && (
        <Note tone="warn">
          {found.some(({ outside }) => outside === 'all') ? t('在服务区之外') : t('有一部分在服务区之外')}
        </Note>
      )}
      {overlaps.length > 0 && (
        <Note tone="warn">
          {t('与 {{names}} 重叠', { names: overlaps.map((one) => `${kindWord(one.kind)} ${one.name}`).join('、') })}
        </Note>
      )}
      {check.data !== undefined && !isTaken && !isOutside && overlaps.length === 0 && (
        <Note tone="good">{t('没有冲突')}</Note>
      )}
      {effect.data !== undefined && <ReturnEffect effect={effect.data.data} />}
      <ReturnDots points={effect.data?.data.points ?? none} />
      {strip !== null &&
        effect.data !== undefined &&
        createPortal(<Strip effect={effect.data.data} conflicts={conflicts} isBusy={isBusy} />, strip)}
    </section>
  )
}

function Note({ tone, children }: { readonly tone: 'good' | 'warn' | 'bad'; readonly children: ReactNode }): ReactNode {
  return (
    <p className="fences-note" data-tone={tone}>
      {children}
    </p>
  )
}

/** The same in one line; the text beside the map is what is read out. */
function Strip({ effect, conflicts, isBusy }: { effect: FenceEffect; conflicts: number; isBusy: boolean }): ReactNode {
  const counts = returnOutcomes(effect)
  const words = [
    ...(conflicts > 0 ? [t('{{count}} 处冲突', { count: conflicts })] : []),
    ...(effect.returns === 0 ? [] : counts.length === 0 ? [t('近 7 天的还车结果不变')] : counts),
  ]
  if (words.length === 0) return null
  return (
    <p aria-hidden="true" data-busy={isBusy} data-tone={conflicts > 0 || counts.length > 0 ? 'warn' : 'good'}>
      {words.join(' · ')}
    </p>
  )
}
