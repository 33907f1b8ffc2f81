import type { ReactNode } from 'react'
import {
  certificateEndpoints,
  certificateKindLabels,
  type ListedCertificate,
} from '@saddle/contract/rider/certificates.ts'
import { call } from '#kit/api/client.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Person } from '../parts/Person.tsx'
import { DecideForm } from './DecideForm.tsx'
import { CertificateMark } from './CertificateMark.tsx'

interface Props {
  readonly certificate: ListedCertificate
  readonly onDecided: () => void
}

/** What a decision needs: the photos beside what the rider says. */
export function CertificatePanel({ certificate, onDecided }: Props): ReactNode {
  const decided =
    certificate.decidedBy === null
      ? []
      : ([
          [t('审核'), `${certificate.decidedBy} · ${dateTime(certificate.decidedAt)}`],
          ...(certificate.expiresAt === null ? [] : [[t('有效期至'), dateOnly(certificate.expiresAt)] as const]),
          ...(certificate.reason === '' ? [] : [[t('原因'), certificate.reason] as const]),
        ] as const)
  return (
    <DetailPanel
      label={t('认证材料')}
      title={
        <span className="rider-head">
          <Person riderId={certificate.riderId} phone={certificate.phone} name={certificate.name} />
          <CertificateMark state={certificate.state} />
        </span>
      }
      {...(certificate.state === 'waiting' && {
        foot: <DecideForm ids={[certificate.id]} onDone={onDecided} hasKeys />,
      })}
    >
      {certificate.photos === 0 ? (
        <p className="rider-none">{t('没有附照片')}</p>
      ) : (
        <PhotoStrip
          of={['certificate', certificate.id]}
          count={certificate.photos}
          load={async (signal) =>
            (await call(certificateEndpoints.certificatePhotos, { id: certificate.id }, { signal })).data.list
          }
        />
      )}
      <Facts
        facts={[
          [t('认证类型'), t(certificateKindLabels[certificate.kind])],
          [t('学校或单位'), certificate.organisation],
          [t('实名'), certificate.certified ? t('已实名') : t('未实名')],
          [t('提交时间'), dateTime(certificate.submittedAt)],
          ...decided,
        ]}
      />
    </DetailPanel>
  )
}
