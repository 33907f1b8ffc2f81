import { useContext, type ReactNode } from 'react'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import type { RevenueScreen as Content } from '@saddle/contract/reports/screens.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { t } from '#kit/i18n/index.ts'
import { HoursChart } from './OperationsScreen.tsx'
import { Change, Dots, Figure, Panel, Ranking } from './parts.tsx'
import { Rolling } from './Rolling.tsx'
import { StageScale } from './stageSize.ts'
import { useTurn } from './useTurn.ts'
import { countText, moneyText, yuanText } from './words.ts'

const rankRows = 7
const rankTurnMs = 24_000
const yuanOf = (cents: number): number => Math.round(cents / 100)

/** What the revenue screen shows of one answer. */
export function RevenueContent({ data }: { readonly data: Content }): ReactNode {
  return (
    <div className="wall-revenue">
      <Headline data={data} />
      <div className="wall-figures wall-figures-row">
        <Figures data={data} />
      </div>
      <Panel title={t('每小时营业收入')} note={t('今日与上周同日，元，空心为本小时')} className="wall-chart wall-hours">
        <HoursChart hours={data.hours} title={t('每小时营业收入')} unit={t('元')} height={250} convert={yuanOf} />
      </Panel>
      <Panel title={t('近 30 天营业收入')} note={t('元，空心为今日')} className="wall-chart wall-days">
        <DaysChart days={data.days} />
      </Panel>
      <Month month={data.month} />
      <Channels channels={data.channels} />
      <Rankings data={data} />
    </div>
  )
}

function Headline({ data: { figures } }: { readonly data: Content }): ReactNode {
  const { today, todayUntil, lastWeekUntil } = figures
  return (
    <section className="wall-headline">
      <h2>{t('今日营业收入（元）')}</h2>
      <strong>
        <Rolling value={today.income} format={moneyText} />
      </strong>
      <p>
        {t('较上周同日同时段')}
        <Change now={todayUntil.income} before={lastWeekUntil.income} />
        <small>{t('上周同时段 {{money}}', { money: moneyText(lastWeekUntil.income ?? null) })}</small>
      </p>
    </section>
  )
}

function Figures({ data: { figures } }: { readonly data: Content }): ReactNode {
  const { today, todayUntil, lastWeekUntil } = figures
  const compared = (name: keyof typeof today) => ({
    value: today[name],
    now: todayUntil[name],
    before: lastWeekUntil[name],
  })
  return (
    <>
      <Figure title={t('订单净额')} format={yuanText} unit={t('元')} {...compared('netCents')} />
      <Figure title={t('骑行次数')} format={countText} {...compared('rides')} />
      <Figure title={t('单均金额')} format={moneyText} unit={t('元')} {...compared('chargePerRide')} />
      <Figure title={t('今日订单退款')} format={yuanText} unit={t('元')} isBad {...compared('refundedCents')} />
      <Figure title={t('售卡金额')} format={yuanText} unit={t('元')} {...compared('cardSales')} />
      <Figure title={t('充值金额')} format={yuanText} unit={t('元')} {...compared('recharged')} />
    </>
  )
}

function DaysChart({ days }: { readonly days: Content['days'] }): ReactNode {
  return (
    <Chart
      isWall
      enlarged={useContext(StageScale)}
      title={t('近 30 天营业收入')}
      height={250}
      labels={days.map(({ day }) => day)}
      openFrom={days.length - 1}
      series={[
        {
          name: t('营业收入'),
          kind: 'area',
          tone: 'good',
          unit: t('元'),
          values: days.map(({ income }) => yuanOf(income)),
        },
      ]}
    />
  )
}

function Month({ month: { now, nowUntil, beforeUntil } }: { readonly month: Content['month'] }): ReactNode {
  const compared = (name: 'income' | 'netCents' | 'rides' | 'cardSales') => ({
    value: now[name],
    now: nowUntil[name],
    before: beforeUntil[name],
  })
  return (
    <Panel title={t('本月累计')} note={t('较上月同期')} className="wall-month">
      <Figure isLarge title={t('营业收入')} format={yuanText} unit={t('元')} {...compared('income')} />
      <div className="wall-figures">
        <Figure title={t('订单净额')} format={yuanText} unit={t('元')} {...compared('netCents')} />
        <Figure title={t('骑行次数')} format={countText} {...compared('rides')} />
      </div>
    </Panel>
  )
}

function Channels({ channels }: { readonly channels: Content['channels'] }): ReactNode {
  const most = Math.max(1, ...channels.map(({ paid }) => paid))
  return (
    <Panel title={t('支付渠道')} note={t('今日收款与退款，元')} className="wall-channels">
      {channels.length === 0 && <p className="wall-none">{t('暂无数据')}</p>}
      <ul>
        {channels.map(({ channel, paid, refunded }) => (
          <li key={channel}>
            <span>{t(paymentChannelLabels[channel])}</span>
            <strong>
              <Rolling value={paid} format={moneyText} />
            </strong>
            <em>{moneyText(refunded === 0 ? 0 : -refunded)}</em>
            <u style={{ transform: `scaleX(${paid / most})` }} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Areas and companies by turns, where there is more than one company. */
function Rankings({ data: { areas, companies } }: { readonly data: Content }): ReactNode {
  const pages = companies.length > 1 ? 2 : 1
  const page = useTurn(pages, rankTurnMs)
  const isAreas = page === 0
  const rows = isAreas
    ? areas.map(({ net: value, netUntil: until, ...row }) => Object.assign(row, { value, until }))
    : companies.map(({ income: value, incomeUntil: until, ...row }) => Object.assign(row, { value, until }))
  return (
    <Panel
      title={isAreas ? t('服务区订单净额排行') : t('加盟商营业收入排行')}
      note={t('今日，元，较上周同时段')}
      className="wall-ranks"
    >
      <Ranking
        key={page}
        size={rankRows}
        format={yuanText}
        rows={rows.map(({ rides, ...row }) => Object.assign(row, { note: t('{{count}} 次骑行', { count: rides }) }))}
      />
      <Dots pages={pages} page={page} />
    </Panel>
  )
}
