import type { ReactNode } from 'react'
import { personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Confirm } from './Confirm.tsx'
import { peopleReadings, type PersonSource } from './sources.ts'
import { useAct } from './useAct.ts'

interface Props {
  readonly source: PersonSource
  readonly person: Person
  readonly onClose: () => void
}

/** Disables or enables somebody after showing what it ends; it can be undone. */
export function PersonSwitch({ source, person, onClose }: Props): ReactNode {
  const { operatorId, name, state } = person
  const next = state === 'enabled' ? 'disabled' : 'enabled'
  const undo = useAct(() => source.setState(operatorId, state), { invalidates: peopleReadings })
  const act = useAct(() => source.setState(operatorId, next), {
    invalidates: peopleReadings,
    onSuccess: () => {
      onClose()
      const text = next === 'disabled' ? t('已停用“{{name}}”', { name }) : t('已启用“{{name}}”', { name })
      notify.success({ text, action: { label: t('撤销'), run: () => undo.mutate(undefined) } })
    },
  })
  const effects = useEffects(operatorId)
  return (
    <Confirm
      title={next === 'disabled' ? t('停用用户') : t('启用用户')}
      action={next === 'disabled' ? t('停用“{{name}}”', { name }) : t('启用“{{name}}”', { name })}
      refusal={effects.refusal}
      busy={act.isPending || !effects.isKnown}
      onConfirm={() => act.mutate(undefined)}
      onClose={onClose}
    >
      {next === 'disabled' ? (
        <>
          <p>{t('停用后立即无法登录，正在进行的会话全部结束。角色与服务区保留，可随时启用。')}</p>
          {effects.shown}
        </>
      ) : (
        <p>{t('启用后可以登录，角色与服务区和停用前相同。')}</p>
      )}
    </Confirm>
  )
}

/** Deletes somebody; nothing brings them back, so the name has to be typed. */
export function PersonRemoval({ source, person, onClose }: Props): ReactNode {
  const { operatorId, name } = person
  const act = useAct(() => source.remove(operatorId), {
    invalidates: peopleReadings,
    onSuccess: () => {
      onClose()
      notify.success({ text: t('已删除“{{name}}”', { name }) })
    },
  })
  const effects = useEffects(operatorId)
  return (
    <Confirm
      title={t('删除用户')}
      action={t('删除“{{name}}”', { name })}
      refusal={effects.refusal}
      typed={name}
      busy={act.isPending || !effects.isKnown}
      onConfirm={() => act.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('删除后不可恢复：手机号、角色、服务区与登录设备一并清除，姓名保留在操作日志中，手机号可再次使用。')}</p>
      {effects.shown}
    </Confirm>
  )
}

/** Takes the second factor off somebody who has lost phone and recovery codes. */
export function PersonFactor({ person, onClose }: Omit<Props, 'source'>): ReactNode {
  const { operatorId, name } = person
  const act = useAct(() => call(personEndpoints.resetSecondFactor, { operatorId }), {
    invalidates: peopleReadings,
    onSuccess: () => {
      onClose()
      notify.success({ text: t('已解除“{{name}}”的双因素验证', { name }) })
    },
  })
  return (
    <Confirm
      title={t('解除双因素验证')}
      action={t('解除“{{name}}”的双因素验证', { name })}
      refusal={null}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {t(
          '用于本人丢失手机与恢复码的情形，请先核实身份。解除后其会话全部结束，凭短信验证码即可登录；公司要求时须重新绑定。',
        )}
      </p>
    </Confirm>
  )
}

/** What ends with a person's access, before it does. */
function useEffects(operatorId: number) {
  const { data, error, refetch } = useEndpoint(personEndpoints.userUses, { operatorId }, { staleMs: 0 })
  const uses = data?.data
  if (uses === undefined) {
    const shown = error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
    return { isKnown: false, refusal: null, shown }
  }
  const lines: readonly [string, number][] = [
    [t('进行中的会话'), uses.sessions],
    [t('登录过的设备'), uses.devices],
    [t('保存的筛查条件'), uses.screenings],
    [t('未完成的车辆指令'), uses.pendingCommands],
  ]
  const shown = (
    <dl className="org-uses">
      {lines.map(([title, count]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  )
  return { isKnown: true, refusal: uses.refusal, shown }
}
