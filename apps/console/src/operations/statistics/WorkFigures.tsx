import type { ReactNode } from 'react'
import { spreadMinutes, type WorkPage, type WorkSum } from '@saddle/contract/operations/statistics/work.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { versus } from '#kit/charts/versus.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DayCurves } from './DayCurves.tsx'
import { mean, part, questionLink, share, type Figures, type Question } from './question.ts'

interface Props {
  readonly page: WorkPage
  readonly figures: Figures
  readonly question: Question
}

const minuteS = 60
const hourS = 3_600

/** From the opening to the end, in minutes. */
const wholeMinutes = (sum: WorkSum): number => part((sum.waitSeconds + sum.workSeconds) / minuteS, sum.done)
const perHour = (sum: WorkSum): number => part(sum.done, sum.workSeconds / hourS)

/** The whole, its days, and how long it took. */
export function WorkFigures({ page, figures, question }: Props): ReactNode {
  const { total, before } = figures
  const { span, narrow } = question
  const link = (more: Question['narrow']) => questionLink({ span, narrow: { ...narrow, ...more } })
  return (
    <>
      <div className="figures">
        <Figure
          label={t('完成')}
          value={total.done}
          unit={t('个任务')}
          {...versus(total.done, before.done)}
          to={link({})}
        />
        <Figure
          label={t('按时完成率')}
          value={share(total.onTime, total.due)}
          unit="%"
          {...versus(part(total.onTime, total.due), part(before.onTime, before.due))}
          to={link({ isLate: true })}
        />
        <Figure
          label={t('平均用时')}
          value={total.done === 0 ? '--' : wholeMinutes(total).toFixed(0)}
          unit={t('分钟')}
          {...versus(wholeMinutes(total), wholeMinutes(before), true)}
        />
        <Figure
          label={t('每小时完成')}
          value={perHour(total).toFixed(1)}
          unit={t('个任务')}
          {...versus(perHour(total), perHour(before))}
        />
        <OwnFigures page={page} total={total} before={before} link={link} />
        <Figure
          label={t('报酬')}
          value={money(total.payCents)}
          unit={t('元')}
          {...versus(total.payCents, before.payCents)}
        />
      </div>
      <DayCurves
        span={span}
        days={figures.days}
        before={figures.daysBefore}
        curves={[
          { title: t('完成'), value: (sum) => sum.done },
          {
            title: t('平均用时'),
            unit: ` ${t('分钟')}`,
            value: (sum) => (sum.done === 0 ? null : wholeMinutes(sum)),
          },
          { title: t('出勤人数'), value: (sum) => sum.persons },
          {
            title: t('人均完成'),
            digits: 1,
            value: (sum) => (sum.personDays === 0 ? null : sum.done / sum.personDays),
          },
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
            text: `${count} · ${share(count, total.done)}%`,
            to: link({ spread: index }),
          }))}
        />
      </section>
    </>
  )
}

/** What the readers of one page ask besides. */
function OwnFigures({
  page,
  total,
  before,
  link,
}: {
  readonly page: WorkPage
  readonly total: WorkSum
  readonly before: WorkSum
  readonly link: (more: Question['narrow']) => string
}) {
  if (page === 'swap') {
    const gain = (sum: WorkSum) => part(sum.batteryAfter - sum.batteryBefore, sum.measured)
    return (
      <>
        <Figure
          label={t('换前平均电量')}
          value={mean(total.batteryBefore, total.measured, 1)}
          unit="%"
          note={t('{{count}} 次有记录', { count: total.measured })}
        />
        <Figure
          label={t('每次补充电量')}
          value={total.measured === 0 ? '--' : gain(total).toFixed(1)}
          unit="%"
          {...versus(gain(total), before.measured === 0 ? null : gain(before))}
        />
      </>
    )
  }
  if (page === 'repair') {
    return (
      <Figure
        label={t('配件费用')}
        value={money(total.partsCents)}
        unit={t('元')}
        {...versus(total.partsCents, before.partsCents, true)}
      />
    )
  }
  return (
    <Figure
      label={t('有照片')}
      value={share(total.withPhoto, total.done)}
      unit="%"
      {...versus(part(total.withPhoto, total.done), part(before.withPhoto, before.done))}
      to={link({ withPhoto: true })}
    />
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
