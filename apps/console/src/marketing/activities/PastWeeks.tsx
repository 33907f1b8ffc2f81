import { useState, type ReactNode } from 'react'
import {
  activityPreviewWeeks,
  type ActivityCommon,
  type ActivityPreview,
} from '@saddle/contract/marketing/activities.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import type { AnyKindUi } from './kind.ts'

interface Props {
  readonly of: AnyKindUi
  /** Null while it is not whole. */
  readonly activity: { readonly agentId: number; readonly common: ActivityCommon; readonly terms: object } | null
}

/** What an activity would have done over the last weeks, by the platform's own records. */
export function PastWeeks({ of, activity }: Props): ReactNode {
  const [weeks, setWeeks] = useState<(typeof activityPreviewWeeks)[number]>(4)
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: ActivityPreview } | null>(null)
  const asked = JSON.stringify([activity, weeks])
  const trial = useAction(of.calls.preview, {
    onDone: ({ data }, { weeks: triedWeeks, ...input }) =>
      setAnswer({ of: JSON.stringify([input, triedWeeks]), preview: data }),
  })
  const shown = answer?.of === asked ? answer.preview : null
  return (
    <section className="activity-past" aria-label={t('历史试算')}>
      <p className="form-choices">
        {activityPreviewWeeks.map((count) => (
          <Button key={count} aria-pressed={weeks === count} onClick={() => setWeeks(count)}>
            {t('过去 {{count}} 周', { count })}
          </Button>
        ))}
        <Button
          look="primary"
          busy={trial.isBusy}
          disabled={activity === null}
          onClick={() => activity !== null && trial.send({ ...activity, weeks })}
        >
          {t('试算')}
        </Button>
      </p>
      {shown === null ? (
        <p>{activity === null ? t('填写完整后可以试算') : t('按过去几周的真实数据试算，不影响任何用户')}</p>
      ) : (
        <PreviewResult titles={of.previewTitles()} preview={shown}>
          {activity !== null && of.renderPreview?.(shown, activity.terms)}
        </PreviewResult>
      )}
    </section>
  )
}

interface ResultProps {
  /** Of what was looked at, and of what would have been reached. */
  readonly titles: readonly [string, string]
  readonly preview: ActivityPreview
  readonly children?: ReactNode
}

/** The figures of a preview, in all and by area. */
export function PreviewResult({ titles: [considered, reached], preview, children }: ResultProps): ReactNode {
  const { dryAt, byArea } = preview
  return (
    <>
      <Facts
        facts={[
          [
            considered,
            preview.isCut ? t('最近 {{count}} 笔', { count: preview.considered }) : number(preview.considered),
          ],
          [reached, number(preview.reached)],
          [t('涉及用户'), number(preview.riders)],
          [t('活动成本'), t('{{yuan}} 元', { yuan: money(preview.costCents) })],
          [t('预算'), dryAt === null ? t('足够') : t('{{time}} 用完', { time: dateTime(dryAt).slice(0, 16) })],
        ]}
      />
      {children}
      {byArea.length > 1 && (
        <Facts
          facts={byArea.map(({ area, reached: count, costCents }) => [
            area,
            t('{{count}} 次，{{yuan}} 元', { count, yuan: money(costCents) }),
          ])}
        />
      )}
    </>
  )
}
