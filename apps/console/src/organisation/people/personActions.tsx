import type { ReactNode } from 'react'
import { personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { retyped } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { peopleCalls, type PersonSide } from './people.ts'

interface Props {
  readonly source: PersonSide
  readonly person: Person
  readonly onClose: () => void
}

/** Disables or enables somebody after showing what it ends; it can be undone. */
export function PersonSwitch({ source, person, onClose }: Props): ReactNode {
  const { operatorId, name, state } = person
  const isStop = state === 'enabled'
  const effects = useEffects(operatorId)
  return (
    <FormDialog
      call={source.setState}
      about={operatorId}
      title={isStop ? t('停用用户') : t('启用用户')}
      fields={{}}
      input={() => ({ operatorId, state: isStop ? ('disabled' as const) : ('enabled' as const) })}
      blocked={effects.blocked}
      submit={isStop ? t('停用“{{name}}”', { name }) : t('启用“{{name}}”', { name })}
      stale={peopleCalls}
      done={() => (isStop ? t('已停用“{{name}}”', { name }) : t('已启用“{{name}}”', { name }))}
      undo={() => ({ operatorId, state })}
      onClose={onClose}
    >
      <p>
        {isStop
          ? t('停用后立即无法登录，正在进行的会话全部结束。角色与服务区保留，可随时启用。')
          : t('启用后可以登录，角色与服务区和停用前相同。')}
      </p>
      {isStop && effects.shown}
    </FormDialog>
  )
}

/** Deletes somebody; this cannot be undone, so the name has to be typed. */
export function PersonRemoval({ source, person, onClose }: Props): ReactNode {
  const { operatorId, name } = person
  const effects = useEffects(operatorId)
  // Users are deleted by number, which lists do not show.
  const { data } = useEndpoint(personEndpoints.personInfo, { operatorId }, { enabled: source.side === 'own' })
  const common = {
    about: operatorId,
    title: t('删除用户'),
    fields: { name: retyped(name) },
    submit: t('删除“{{name}}”', { name }),
    stale: peopleCalls,
    done: () => t('已删除“{{name}}”', { name }),
    onClose,
    children: (
      <>
        <p>{t('删除后不可恢复：手机号、角色、服务区与登录设备一并清除，姓名保留在操作日志中，手机号可再次使用。')}</p>
        {effects.shown}
      </>
    ),
  }
  if (source.side === 'below') {
    return (
      <FormDialog
        {...common}
        call={personEndpoints.removeAgentAccount}
        input={() => ({ operatorId })}
        blocked={effects.blocked}
      />
    )
  }
  const phone = data?.data.phone
  return (
    <FormDialog
      {...common}
      call={personEndpoints.removeUser}
      input={() => ({ phone: phone ?? '' })}
      blocked={effects.blocked ?? (phone === undefined ? t('正在加载…') : null)}
    />
  )
}

/** Removes the second factor of somebody who has lost phone and recovery codes. */
export function PersonFactor({ person, onClose }: Omit<Props, 'source'>): ReactNode {
  const { operatorId, name } = person
  return (
    <FormDialog
      call={personEndpoints.resetSecondFactor}
      about={operatorId}
      title={t('解除双因素验证')}
      fields={{}}
      input={() => ({ operatorId })}
      submit={t('解除“{{name}}”的双因素验证', { name })}
      stale={peopleCalls}
      done={() => t('已解除“{{name}}”的双因素验证', { name })}
      onClose={onClose}
    >
      <p>
        {t(
          '用于本人丢失手机与恢复码的情形，请先核实身份。解除后其会话全部结束，凭短信验证码即可登录；公司要求时须重新绑定。',
        )}
      </p>
    </FormDialog>
  )
}

/** What ends with a person's access, before it does, and why it cannot. */
function useEffects(operatorId: number): { readonly blocked: string | null; readonly shown: ReactNode } {
  const { data, error, refetch } = useEndpoint(personEndpoints.userUses, { operatorId }, { staleMs: 0 })
  if (data === undefined) {
    const shown = error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
    return { blocked: t('正在加载…'), shown }
  }
  const { sessions, devices, screenings, pendingCommands, refusal } = data.data
  return {
    blocked: refusal === null ? null : t(refusal),
    shown: (
      <Facts
        facts={[
          [t('进行中的会话'), sessions],
          [t('登录过的设备'), devices],
          [t('保存的筛查条件'), screenings],
          [t('未完成的车辆指令'), pendingCommands],
        ]}
      />
    ),
  }
}
