import { useState, type ReactNode } from 'react'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import {
  riderFilterOf,
  segmentEndpoints,
  segmentRiderFields,
  segmentRiderList,
  type Segment,
  type SegmentRider,
} from '@saddle/contract/marketing/segments.ts'
import { useAction } from '#kit/action/useAction.ts'
import { useAreaNames } from '#kit/areaNames.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { conditionsOf, staleSegments } from './words.ts'

/** One segment: its conditions, its riders now, and how it came to be. */
export function SegmentPanel({ segment }: { readonly segment: Segment }): ReactNode {
  const { id, terms, size, sizedAt } = segment
  const [view, setView] = useState<'riders' | 'versions'>('riders')
  const names = useNames()
  const conditions = conditionsOf(terms, names.areas, names.templates)
  return (
    <DetailPanel label={t('人群详情')} title={<strong>{segment.name}</strong>} foot={<Acts segment={segment} />}>
      <Facts
        facts={[
          [t('人数'), size === null ? '--' : `${number(size)} · ${dateTime(sizedAt)}`],
          ...(conditions.length === 0 ? [[t('条件'), t('全部用户')] as const] : conditions),
          [t('推送次数'), number(segment.campaigns)],
          [t('加盟商'), segment.company],
        ]}
      />
      <p className="form-choices">
        <Button aria-pressed={view === 'riders'} onClick={() => setView('riders')}>
          {t('用户')}
        </Button>
        <Button aria-pressed={view === 'versions'} onClick={() => setView('versions')}>
          {t('历次条件')}
        </Button>
      </p>
      {view === 'riders' ? <Members key={id} segmentId={id} /> : <Versions id={id} names={names} />}
    </DetailPanel>
  )
}

type Names = { readonly areas: ReadonlyMap<number, string>; readonly templates: ReadonlyMap<number, string> }

function useNames(): Names {
  const areas = useAreaNames()
  const templates = useEndpoint(couponEndpoints.listCouponTemplates, { pageSize: 200 }, { quiet: true })
  return {
    areas,
    templates: new Map((templates.data?.data.list ?? []).map(({ id, name }) => [id, name])),
  }
}

function Versions({ id, names }: { readonly id: number; readonly names: Names }) {
  const { data } = useEndpoint(segmentEndpoints.segmentVersions, { id })
  return (
    <Facts
      facts={(data?.data.list ?? []).map(({ version, terms, madeAt, madeBy }) => {
        const lines = conditionsOf(terms, names.areas, names.templates).map(([title, text]) => `${title} ${text}`)
        const told = lines.length === 0 ? t('全部用户') : lines.join(t('；'))
        return [t('版本 {{version}}', { version }), `${told} · ${madeBy} · ${dateTime(madeAt)}`]
      })}
    />
  )
}

const members = listOf({
  list: segmentRiderList,
  call: segmentEndpoints.listSegmentRiders,
  file: segmentEndpoints.exportSegmentRiders,
  fields: segmentRiderFields,
})

function Members({ segmentId }: { readonly segmentId: number }) {
  const list = useList(members, { fixed: { segmentId }, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('人群中的用户')}
      columns={memberColumns}
      rowName={({ id }) => String(id)}
      empty={t('没有符合条件的用户')}
    />
  )
}

const memberColumns = (): readonly ColumnSpec<SegmentRider>[] => [
  { key: 'phone', card: 'head', render: ({ id, phone }) => <RiderLink riderId={id}>{phone}</RiderLink> },
  'rides',
  'spentCents',
  'lastRideAt',
  'registeredAt',
  { key: 'certificateKind', isOptional: true },
]

function Acts({ segment }: { readonly segment: Segment }) {
  const { id, state, terms } = segment
  const riders = riderFilterOf(terms, serverNow())
  const turn = useAction(segmentEndpoints.switchSegment, {
    stale: staleSegments,
    done: ({ data }) => (data.state === 'on' ? t('已恢复人群') : t('已停用人群')),
    undo: (_, input) => ({ id, state: input.state === 'on' ? ('off' as const) : ('on' as const) }),
  })
  return (
    <p className="form-choices">
      <Button busy={turn.isBusy} onClick={() => turn.send({ id, state: state === 'on' ? 'off' : 'on' })}>
        {state === 'on' ? t('停用') : t('恢复')}
      </Button>
      <ButtonLink to={`/marketing/segment-edit?from=${id}`}>{t('复制')}</ButtonLink>
      <ButtonLink to={`/marketing/segment-edit?id=${id}`}>{t('修改')}</ButtonLink>
      {riders !== null && (
        <ButtonLink to={`/user-info?filter=${encodeURIComponent(JSON.stringify(riders))}`}>
          {t('骑行用户列表')}
        </ButtonLink>
      )}
      {state === 'on' && (
        <ButtonLink look="primary" to={`/marketing/campaign-edit?segment=${id}`}>
          {t('推送给这些用户')}
        </ButtonLink>
      )}
    </p>
  )
}
