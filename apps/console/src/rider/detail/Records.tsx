import type { ReactNode } from 'react'
import { banStateLabels, type Ban } from '@saddle/contract/rider/bans.ts'
import { certificateKindLabels, type Certificate } from '@saddle/contract/rider/certificates.ts'
import { rebindKindLabels, type Rebind } from '@saddle/contract/rider/rebinds.ts'
import type { RiderDetail, RiderDevice } from '@saddle/contract/rider/riders.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { CertificateMark } from '../certificates/CertificateMark.tsx'
import { RebindMark } from '../rebinds/RebindMark.tsx'

/** What is kept about a rider, each kind in a list of its own; kinds without anything are left out. */
export function Records({ detail }: { detail: RiderDetail }): ReactNode {
  return (
    <>
      <Record title={t('设备')} rows={detail.devices} row={deviceRow} />
      <Record title={t('专业认证')} rows={detail.certificates} row={certificateRow} />
      <Record title={t('实名换绑')} rows={detail.rebinds} row={rebindRow} />
      <Record title={t('黑名单记录')} rows={detail.bans} row={banRow} />
      <Record title={t('号码查看记录')} rows={detail.reveals} row={revealRow} />
    </>
  )
}

interface Line {
  readonly at: number
  readonly head: ReactNode
  readonly words: readonly (string | null)[]
}

interface Props<R> {
  readonly title: string
  readonly rows: readonly R[]
  readonly row: (row: R) => Line
}

function Record<R extends { readonly id: number }>({ title, rows, row }: Props<R>) {
  if (rows.length === 0) return null
  return (
    <section className="page-card">
      <h2>{title}</h2>
      <ol className="rider-life">
        {rows.map((one) => {
          const { at, head, words } = row(one)
          return (
            <li key={one.id}>
              <time>{dateTime(at)}</time>
              <div className="rider-what">
                <strong>{head}</strong>
                <p>{words.filter(Boolean).join(' · ')}</p>
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const deviceRow = (row: RiderDevice): Line => ({
  at: row.lastSeenAt,
  head: row.model,
  words: [
    row.system,
    `${row.appName ?? ''} ${row.appVersion}`.trim(),
    t('首次使用 {{time}}', { time: dateTime(row.firstSeenAt) }),
    row.others === 0 ? null : t('另有 {{count}} 位用户用过', { count: row.others }),
  ],
})

const certificateRow = (row: Certificate): Line => ({
  at: row.submittedAt,
  head: (
    <>
      {t(certificateKindLabels[row.kind])} · {row.organisation} <CertificateMark state={row.state} />
    </>
  ),
  words: [
    row.expiresAt === null ? null : t('有效期至 {{day}}', { day: dateOnly(row.expiresAt) }),
    row.reason,
    row.decidedBy,
  ],
})

const rebindRow = (row: Rebind): Line => ({
  at: row.askedAt,
  head: (
    <>
      {t(rebindKindLabels[row.kind])} · {row.wanted} <RebindMark state={row.state} />
    </>
  ),
  words: [row.claim, row.reason, row.decidedBy],
})

const banRow = (row: Ban): Line => ({
  at: row.begunAt,
  head: (
    <>
      {row.reason} <Mark tone={row.state === 'active' ? 'bad' : 'off'}>{t(banStateLabels[row.state])}</Mark>
    </>
  ),
  words: [
    row.by,
    row.until === null ? t('永久') : t('到 {{time}}', { time: dateTime(row.until) }),
    row.liftedAt === null
      ? null
      : t('{{name}} 于 {{time}} 解除', { name: row.liftedBy ?? t('到期自动'), time: dateTime(row.liftedAt) }),
    row.liftReason,
  ],
})

const revealRow = (row: RiderDetail['reveals'][number]): Line => ({
  at: row.shownAt,
  head: row.field === 'phone' ? t('手机号') : t('证件号'),
  words: [row.reason, row.operatorName],
})
