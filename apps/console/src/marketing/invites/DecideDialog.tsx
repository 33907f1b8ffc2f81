import type { ReactNode } from 'react'
import { inviteEndpoints, type Invite } from '@saddle/contract/marketing/invites.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleInvites } from './words.ts'

export interface Decision {
  readonly invite: Invite
  readonly act: 'refuse' | 'clear'
}

/** A person refuses an invite or lets it through, and says why. */
export function DecideDialog({ invite, act, onClose }: Decision & { readonly onClose: () => void }): ReactNode {
  const { id, invitedPhone: phone } = invite
  const common = { about: id, stale: staleInvites, onClose, input: (values: { note: string }) => ({ id, ...values }) }
  return act === 'refuse' ? (
    <FormDialog
      {...common}
      title={t('判定 {{phone}} 的邀请不通过', { phone })}
      call={inviteEndpoints.refuseInvite}
      fields={{
        note: reason({ note: t('骑行者看不到'), presets: [t('疑似本人注册'), t('批量注册'), t('骑行异常')] }),
      }}
      submit={t('判定不通过')}
      done={() => t('已判定不通过，奖励不再发放')}
    />
  ) : (
    <FormDialog
      {...common}
      title={t('放行 {{phone}} 的邀请', { phone })}
      call={inviteEndpoints.clearInvite}
      fields={{
        note: reason({ note: t('骑行者看不到'), presets: [t('核实为两个人'), t('家人共用手机')] }),
      }}
      submit={t('放行')}
      done={({ data }) => (data.state === 'pending' ? t('已放行，到时间后发奖励') : t('已放行，等待首次骑行'))}
    />
  )
}
