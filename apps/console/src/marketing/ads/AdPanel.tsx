import { useState, type ReactNode } from 'react'
import {
  adDayFields,
  adDayList,
  adEditors,
  adEndpoints,
  adSlotLabels,
  type AdDay,
  type AdPlacement,
} from '@saddle/contract/marketing/ads.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasText, useAreaNames } from '#kit/areaNames.ts'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { serverNow } from '#kit/clock.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { areas } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { clockText } from '../telephones/telephoneFields.tsx'
import { ChangeAdForm, NewAdForm } from './AdForm.tsx'
import { staleAds } from './adFields.ts'
import { AdPhone, linkText } from './AdPhone.tsx'

export const editors = adEditors.join('||')

/** One placement: how it looks, how it does, and what can be done with it. */
export function AdPanel({ ad }: { ad: AdPlacement }): ReactNode {
  const { id, slot, content, impressions, taps, rate } = ad
  const [view, setView] = useState<'preview' | 'days' | 'versions'>('preview')
  const names = useAreaNames()
  const { startsAt, endsAt, hours, weight, riderDayCap, areaIds } = content
  const tab = (name: typeof view, label: string) => (
    <Button aria-pressed={view === name} onClick={() => setView(name)}>
      {label}
    </Button>
  )
  return (
    <DetailPanel
      label={t('广告详情')}
      title={<strong>{ad.name}</strong>}
      foot={
        <Permit action={editors}>
          <Acts ad={ad} />
        </Permit>
      }
    >
      <Facts
        facts={[
          [t('广告位'), t(adSlotLabels[slot])],
          [
            t('时间'),
            endsAt === null
              ? t('{{from}} 起长期', { from: dateTime(startsAt).slice(0, 16) })
              : t('{{from}} 至 {{to}}', { from: dateTime(startsAt).slice(0, 16), to: dateTime(endsAt).slice(0, 16) }),
          ],
          [t('每日时段'), hours === null ? t('全天') : `${clockText(hours.from)}–${clockText(hours.to)}`],
          [t('服务区'), areasText(areaIds, names)],
          [t('点击后打开'), linkText(content.link, ad)],
          [t('权重'), number(weight)],
          [
            t('每人每日展示上限'),
            riderDayCap === null ? t('不限', { context: 'limit' }) : t('{{count}} 次', { count: riderDayCap }),
          ],
          [t('点击率'), rate === null ? '--' : `${rate}%`],
          [t('加盟商'), ad.company],
        ]}
      />
      <p className="content-figures">
        {tab('preview', t('预览'))}
        {tab(
          'days',
          t('展示 {{impressions}}，点击 {{taps}}', { impressions: number(impressions), taps: number(taps) }),
        )}
        {tab('versions', t('历次版本'))}
      </p>
      {view === 'preview' && (
        <AdPhone slot={slot} content={{ ...content, targetName: ad.targetName, isTargetOver: ad.isTargetOver }} />
      )}
      {view === 'days' && (
        <>
          <Charts id={id} />
          <Days placementId={id} />
        </>
      )}
      {view === 'versions' && <Versions ad={ad} />}
    </DetailPanel>
  )
}

const chartDays = 30

function Charts({ id }: { id: number }) {
  const { data } = useEndpoint(adEndpoints.adTrend, { id, days: chartDays })
  if (data === undefined) return <Loading />
  const today = businessDayOf(serverNow())
  const days = Array.from({ length: chartDays }, (_, index) => addDays(today, index + 1 - chartDays))
  const found = new Map(data.data.list.map((row) => [row.day, row]))
  const labels = days.map((day) => day.slice(5))
  return (
    <div className="ad-charts">
      <LineChart
        title={t('每日展示')}
        unit=""
        labels={labels}
        openFrom={chartDays - 1}
        values={days.map((day) => found.get(day)?.impressions ?? 0)}
      />
      <LineChart
        title={t('每日点击')}
        unit=""
        labels={labels}
        openFrom={chartDays - 1}
        values={days.map((day) => found.get(day)?.taps ?? 0)}
      />
    </div>
  )
}

const adDays = listOf({
  list: adDayList,
  call: adEndpoints.listAdDays,
  file: adEndpoints.exportAdDays,
  fields: adDayFields,
})

function Days({ placementId }: { placementId: number }) {
  const list = useList(adDays, { fixed: { placementId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('每日展示与点击')}
      filters={[areas('areaIds')]}
      columns={dayColumns}
      rowName={({ id }) => id}
      empty={t('还没有展示')}
    />
  )
}

const dayColumns = (): readonly ColumnSpec<AdDay>[] => [
  { key: 'day', card: 'head' },
  { key: 'area', card: 'head' },
  'impressions',
  'taps',
  'rate',
  'riders',
]

function Versions({ ad }: { ad: AdPlacement }) {
  const { id, version: latest, state } = ad
  const { data } = useEndpoint(adEndpoints.adVersions, { id })
  const restore = useAction(adEndpoints.saveAd, {
    stale: staleAds,
    done: ({ data: { version } }) => t('已恢复为版本 {{version}}', { version }),
  })
  if (data === undefined) return <Loading />
  return (
    <ol className="help-versions" aria-label={t('历次版本')}>
      {data.data.list.map(({ version, content, madeAt, madeBy, ...target }) => (
        <li key={version}>
          <header>
            <span>
              {t('版本 {{version}}', { version })} · {madeBy} · {dateTime(madeAt)}
            </span>
            {version !== latest && state !== 'ended' && (
              <Permit action={editors}>
                <Button busy={restore.isBusy} onClick={() => restore.send({ id, version: latest, content })}>
                  {t('恢复此版本')}
                </Button>
              </Permit>
            )}
          </header>
          <span>
            {content.name} · {content.text} · {linkText(content.link, target)} · {t('权重')} {content.weight}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Acts({ ad }: { ad: AdPlacement }) {
  const { id, slot, state, content, name, targetName } = ad
  const [open, setOpen] = useState<'change' | 'copy' | 'end' | null>(null)
  const close = () => setOpen(null)
  const turn = useAction(adEndpoints.switchAd, {
    stale: staleAds,
    done: (_, { step }) => (step === 'start' ? t('已投放') : t('已暂停投放')),
    undo: ({ data: { before } }, { step }) => {
      if (step === 'pause') return { id, step: 'start' as const }
      return step === 'start' && before !== 'ended' ? { id, step: 'pause' as const } : null
    },
  })
  const canPause = state === 'on' || state === 'scheduled'
  return (
    <p className="form-choices">
      <Button onClick={() => setOpen('copy')}>{t('复制')}</Button>
      {state !== 'ended' && (
        <>
          <Button onClick={() => setOpen('end')}>{t('结束')}</Button>
          <Button onClick={() => setOpen('change')}>{t('修改')}</Button>
          <Button
            look={canPause ? 'outline' : 'primary'}
            busy={turn.isBusy}
            onClick={() => turn.send({ id, step: canPause ? 'pause' : 'start' })}
          >
            {canPause ? t('暂停') : t('投放', { context: 'ad' })}
          </Button>
        </>
      )}
      {open === 'change' && <ChangeAdForm ad={ad} of={ad} onClose={close} />}
      {open === 'copy' && (
        <NewAdForm
          of={{ slot, targetName, content: { ...content, name: t('{{name}} 副本', { name }).slice(0, 40) } }}
          onClose={close}
        />
      )}
      {open === 'end' && (
        <FormDialog
          title={t('结束“{{name}}”', { name })}
          call={adEndpoints.switchAd}
          about={id}
          fields={{}}
          input={() => ({ id, step: 'end' as const })}
          submit={t('结束广告')}
          stale={staleAds}
          done={() => t('已结束')}
          onClose={close}
        >
          <p>{t('结束后不能再投放，只能复制。展示与点击会保留。')}</p>
        </FormDialog>
      )}
    </p>
  )
}
