import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { certificateKindLabels } from '@saddle/contract/rider/certificates.ts'
import { riderPeopleEndpoints, riderStateLabels, type RiderDetail } from '@saddle/contract/rider/riders.ts'
import { RiderMoney } from '#finance/public.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { PageBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { useLift } from '../bans/useLift.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderInvites } from '#marketing/public.ts'
import { RiderTickets } from '#support/public.ts'
import { Orders } from './Orders.tsx'
import { Records } from './Records.tsx'
import { Reveal } from './Reveal.tsx'
import { pathOfRider, riders } from '../riders/list.ts'
import { Timeline } from '../timeline/Timeline.tsx'
import './detail.css'

const BanDialog = lazy(() => loadChunk(() => import('../bans/BanDialog.tsx')))

/** Everything about one rider. The address names them: `?rider=1042`. */
export default function RiderPage(): ReactNode {
  const [params] = useSearchParams()
  const id = Number(params.get('rider'))
  if (!Number.isSafeInteger(id) || id <= 0) {
    return (
      <Empty
        size="page"
        isHeading
        title={t('还没有选择用户')}
        action={<ButtonLink to="/user-info">{t('去用户信息')}</ButtonLink>}
      />
    )
  }
  return <Whole key={id} id={id} />
}

function Whole({ id }: { id: number }) {
  // Said on the page itself.
  const { data, error, refetch } = useEndpoint(riderPeopleEndpoints.riderDetail, { riderId: id }, { quiet: true })
  const detail = data?.data
  if (detail === undefined) {
    if (error === null) return <PageBones />
    if (error.code === 'not_found') {
      return (
        <Empty
          size="page"
          title={t('没有第 {{id}} 号用户', { id })}
          text={t('可能不在您的数据范围内，或编号有误。')}
          action={<ButtonLink to="/user-info">{t('去用户信息')}</ButtonLink>}
        />
      )
    }
    return <ErrorState size="page" error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className="page">
      <Permit action="070101">
        <ListTrail
          list={riders}
          path="/user-info"
          title={t('用户信息')}
          isShown={(row) => row.id === id}
          toRow={pathOfRider}
        />
      </Permit>
      <Head detail={detail} />
      {detail.ban !== null && <BanNotice detail={detail} />}
      <div className="rider-columns">
        <div className="rider-column">
          <Profile detail={detail} />
          <Permit action="070101">
            <RiderMoney riderId={id} />
          </Permit>
          <Permit action="1601||070101">
            <Orders riderId={id} />
          </Permit>
          <Permit action="0401">
            <RiderTickets riderId={id} />
          </Permit>
        </div>
        <div className="rider-column">
          <Permit action="070101">
            <Timeline riderId={id} />
          </Permit>
          <Permit action="yqyl">
            <RiderInvites riderId={id} />
          </Permit>
          <Records detail={detail} />
        </div>
      </div>
    </div>
  )
}

function Head({ detail }: { detail: RiderDetail }) {
  const { rider } = detail
  const [banning, setBanning] = useState(false)
  const { lift, busy } = useLift()
  return (
    <header className="page-head">
      <h1 className="rider-title">
        {rider.name ?? t('未登记姓名')} {rider.phone}
        <span className="rider-marks">
          {rider.state === 'closed' && <Mark tone="off">{t(riderStateLabels.closed)}</Mark>}
          {rider.certified ? <Mark tone="good">{t('已实名')}</Mark> : <Mark tone="off">{t('未实名')}</Mark>}
          {rider.certificateKind !== null && <Mark tone="info">{t(certificateKindLabels[rider.certificateKind])}</Mark>}
          {detail.ban !== null && <Mark tone="bad">{t('黑名单')}</Mark>}
          {detail.dueOrders > 0 && <Mark tone="warn">{t('{{count}} 单待支付', { count: detail.dueOrders })}</Mark>}
        </span>
      </h1>
      <Reveal detail={detail} />
      <Permit action="08">
        {detail.ban === null ? (
          <Button onClick={() => setBanning(true)}>{t('加入黑名单')}</Button>
        ) : (
          <Button busy={busy} onClick={() => lift([rider.id])}>
            {t('移出黑名单')}
          </Button>
        )}
      </Permit>
      {banning && (
        <Suspense fallback={null}>
          <BanDialog riderIds={[rider.id]} onClose={() => setBanning(false)} />
        </Suspense>
      )}
    </header>
  )
}

function BanNotice({ detail: { ban } }: { detail: RiderDetail }) {
  if (ban === null) return null
  const until = ban.until === null ? t('永久') : t('到 {{time}}', { time: dateTime(ban.until) })
  return (
    <p className="rider-ban" role="note">
      <strong>{t('不能预约和开锁：{{reason}}', { reason: ban.reason })}</strong>
      <span>{`${until} · ${ban.by} · ${dateTime(ban.begunAt)}`}</span>
    </p>
  )
}

function Profile({ detail }: { detail: RiderDetail }) {
  const { rider, elsewhere } = detail
  const others =
    elsewhere.length === 0
      ? []
      : [
          [
            t('同一手机号的其他账号'),
            <span key="others" className="rider-elsewhere">
              {elsewhere.map((other) => (
                <Link key={other.id} to={`/user-info-detail?rider=${other.id}`}>
                  {other.company} {other.id}
                  {other.banned && ` (${t('黑名单')})`}
                </Link>
              ))}
            </span>,
          ] as const,
        ]
  return (
    <section className="page-card">
      <h2>{t('资料')}</h2>
      <div className="rider-body">
        <Facts
          facts={[
            [t('用户编号'), rider.id],
            [t('加盟商'), rider.company],
            [t('证件号'), detail.certNumber ?? '--'],
            [t('实名时间'), dateTime(detail.certifiedAt)],
            [t('注册时间'), dateTime(rider.registeredAt)],
            [t('最近活跃'), <Ago key="active" at={rider.lastActiveAt} />],
            ...(detail.closedAt === null ? [] : [[t('注销时间'), dateTime(detail.closedAt)] as const]),
            [t('订单'), t('{{count}} 单', { count: detail.orders })],
            ...others,
          ]}
        />
      </div>
    </section>
  )
}
