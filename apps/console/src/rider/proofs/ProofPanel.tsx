import type { ReactNode } from 'react'
import { proofEndpoints, proofKindLabels, type ListedProof } from '@saddle/contract/rider/proofs.ts'
import { call } from '#kit/api/client.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Person } from '../parts/Person.tsx'
import { DecideForm } from './DecideForm.tsx'
import { ProofMark } from './ProofMark.tsx'

interface Props {
  readonly proof: ListedProof
  readonly onClose: () => void
  readonly onDecided: () => void
}

/** What a decision needs: the photos beside what the rider says. */
export function ProofPanel({ proof, onClose, onDecided }: Props): ReactNode {
  const decided =
    proof.decidedBy === null
      ? []
      : ([
          [t('审核'), `${proof.decidedBy} · ${dateTime(proof.decidedAt)}`],
          ...(proof.expiresAt === null ? [] : [[t('有效期至'), dateOnly(proof.expiresAt)] as const]),
          ...(proof.reason === '' ? [] : [[t('原因'), proof.reason] as const]),
        ] as const)
  return (
    <aside className="page-card rider-panel" aria-label={t('认证材料')}>
      <header>
        <span className="rider-head">
          <Person riderId={proof.riderId} phone={proof.phone} name={proof.name} />
          <ProofMark state={proof.state} />
        </span>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {proof.photos === 0 ? (
        <p className="rider-none">{t('没有附照片')}</p>
      ) : (
        <PhotoStrip
          of={['proof', proof.id]}
          count={proof.photos}
          load={async (signal) => (await call(proofEndpoints.proofPhotos, { id: proof.id }, { signal })).data.list}
        />
      )}
      <Facts
        facts={[
          [t('认证类型'), t(proofKindLabels[proof.kind])],
          [t('学校或单位'), proof.organisation],
          [t('实名'), proof.certified ? t('已实名') : t('未实名')],
          [t('提交时间'), dateTime(proof.submittedAt)],
          ...decided,
        ]}
      />
      {proof.state === 'waiting' && <DecideForm ids={[proof.id]} onDone={onDecided} />}
    </aside>
  )
}
