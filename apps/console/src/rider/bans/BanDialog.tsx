import type { ReactNode } from 'react'
import { banEndpoints } from '@saddle/contract/rider/bans.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { term } from '#kit/form/otherFields.tsx'
import { phone, reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleRiderLists } from '../parts/stale.ts'

interface Props {
  /** Absent: by phone number. */
  readonly riderIds?: readonly number[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

const stale = [banEndpoints.listBans, ...staleRiderLists]

/** Puts riders on the blacklist: why, and until when. It can be taken back from the message that follows. */
export default function BanDialog({ riderIds, onClose, onDone }: Props): ReactNode {
  const count = riderIds?.length ?? 1
  return (
    <FormDialog
      title={t('加入黑名单')}
      call={banEndpoints.banRiders}
      about={riderIds?.join(',') ?? ''}
      stale={stale}
      fields={{
        phone: phone(),
        reason: reason({
          label: t('原因（留档备查）'),
          presets: [t('多次违规停放'), t('恶意损坏车辆'), t('冒用他人身份')],
        }),
        until: term({ label: t('期限'), days: [7, 30, 90], initialDays: 30, canLast: true }),
      }}
      adjust={() => ({ phone: { isHidden: riderIds !== undefined } })}
      input={({ phone: number, reason: why, until }) => ({
        ...(riderIds === undefined ? { phone: number } : { riderIds: [...riderIds] }),
        reason: why,
        ...(until !== undefined && { until }),
      })}
      submit={riderIds === undefined ? t('加入黑名单') : t('把 {{count}} 位用户加入黑名单', { count })}
      done={({ data: { banned } }) =>
        banned.length === 0 ? t('所选用户已在黑名单中') : t('已把 {{count}} 位用户加入黑名单', { count: banned.length })
      }
      undo={({ data: { banned } }) => (banned.length === 0 ? null : { riderIds: banned, reason: t('撤销') })}
      undone={({ data }) => t('已移出 {{count}} 位用户', { count: data.lifted.length })}
      onDone={() => onDone?.()}
      onClose={onClose}
    >
      <p>{t('加入后立即不能预约和开锁，正在进行的骑行可以正常还车。')}</p>
    </FormDialog>
  )
}
