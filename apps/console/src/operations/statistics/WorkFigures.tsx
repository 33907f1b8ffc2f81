import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { spreadMinutes, type WorkPage } from '@saddle/contract/operations/statistics/work.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DayCurves } from './DayCurves.tsx'
import { questionLink, share, type Figures, type Question } from './question.ts'
import { StatisticsFigure, statisticsCurve } from './StatisticsFigure.tsx'

interface Props {
  readonly page: WorkPage
  readonly figures: Figures
  readonly question: Question
}

/** The whole, its days, and how long it took. */
export function WorkFigures({ page, figures, question }: Props): ReactNode {
  const { total, before } = figures
  const { span, narrow } = question
  const navigate = useNavigate()
  const link = (more: Question['narrow']) => questionLink({ span, narrow: { ...narrow, ...more } })
  const sums = { total, before }
  return (
    <>
      <div className="figures">
        <StatisticsFigure name="workDone" {...sums} unit={t('个任务')} to={link({})} />
        <StatisticsFigure name="workOnTimePercent" {...sums} to={link({ isLate: true })} />
        <StatisticsFigure name="workMinutes" {...sums} />
        <StatisticsFigure name="workPerHour" {...sums} unit={t('个任务')} />
        {page === 'swap' && (
          <>
            <StatisticsFigure
              name="batteryBeforePercent"
              {...sums}
              note={t('{{count}} 次有记录', { count: total.measured })}
            />
            <StatisticsFigure name="batteryGainPercent" {...sums} />
          </>
        )}
        {page === 'repair' && <StatisticsFigure name="partsCents" {...sums} />}
        {(page === 'inspection' || page === 'move') && (
          <StatisticsFigure name="workPhotoPercent" {...sums} to={link({ withPhoto: true })} />
        )}
        <StatisticsFigure name="workPayCents" {...sums} />
      </div>
      <DayCurves
        span={span}
        days={figures.days}
        before={figures.daysBefore}
        onDay={(day) => void navigate(questionLink({ span: { from: day, to: day }, narrow }))}
        curves={[
          statisticsCurve('workDone'),
          statisticsCurve('workMinutes'),
          statisticsCurve('workPersons'),
          statisticsCurve('workPerPersonDay'),
        ]}
      />
      <section className="page-card">
        <h2>{t('用时分布')}</h2>
        <p className="work-hint">{t('从创建到完成；点选查看这些任务')}</p>
        <Bars
          label={t('用时分布')}
          bars={figures.spread.map((count, index) => ({
            key: String(index),
            label: spreadLabel(index),
            value: count,
            text: `${number(count)} · ${share(count, total.done)}%`,
            to: link({ spread: index }),
          }))}
        />
      </section>
    </>
  )
}

/** `30–60 分钟`, `2–4 小时`; the first and last are open. */
export function spreadLabel(index: number): string {
  const from = spreadMinutes[index - 1]
  const to = spreadMinutes[index]
  const words = (minutes: number): string =>
    minutes < 60 ? t('{{count}} 分钟', { count: minutes }) : t('{{count}} 小时', { count: minutes / 60 })
  if (from === undefined) return t('{{span}}以内', { span: words(to ?? 0) })
  if (to === undefined) return t('{{span}}以上', { span: words(from) })
  return `${words(from)} – ${words(to)}`
}
