import type { ReactNode } from 'react'
import type { RoleRow } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Confirm } from './Confirm.tsx'
import { RoleUsers } from './RoleUsers.tsx'
import { peopleReadings, type RoleSource } from './sources.ts'
import { useAct } from './useAct.ts'

interface Props {
  readonly source: RoleSource
  readonly row: RoleRow
  readonly onClose: () => void
}

/** Enables or disables a role after showing who loses or regains what; it can be undone. */
export function RoleSwitch({ source, row, onClose }: Props): ReactNode {
  const next = row.state === 'enabled' ? 'disabled' : 'enabled'
  // One version on: the undo is made from what the change has left behind.
  const back = () => source.setState({ ...row, version: row.version + 1, state: next }, row.state)
  const undo = useAct(back, { invalidates: peopleReadings })
  const act = useAct(() => source.setState(row, next), {
    invalidates: peopleReadings,
    onSuccess: () => {
      onClose()
      const text =
        next === 'disabled'
          ? t('已停用角色“{{name}}”', { name: row.name })
          : t('已启用角色“{{name}}”', { name: row.name })
      notify.success({ text, action: { label: t('撤销'), run: () => undo.mutate(undefined) } })
    },
  })
  const words = { name: row.name, count: row.userCount }
  return (
    <Confirm
      title={next === 'disabled' ? t('停用角色') : t('启用角色')}
      action={next === 'disabled' ? t('停用“{{name}}”', words) : t('启用“{{name}}”', words)}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        {next === 'disabled'
          ? t('停用“{{name}}”后，使用它的 {{count}} 人立即失去它的全部权限，已打开的页面也随之生效。', words)
          : t('启用“{{name}}”后，使用它的 {{count}} 人立即重新获得它的全部权限。', words)}
      </p>
      {row.userCount > 0 && <Users source={source} id={row.id} />}
    </Confirm>
  )
}

function Users({ source, id }: { readonly source: RoleSource; readonly id: number }) {
  const { data, error, refetch } = useEndpoint(source.detail, { id })
  if (data !== undefined) return <RoleUsers role={data.data} />
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

/** Deletes a role that nobody has; who has it is shown, and undoing makes it again. */
export function RoleRemoval({ source, row, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(source.detail, { id: row.id }, { staleMs: 0 })
  const role = data?.data
  const again = useAct(
    async () => {
      if (role !== undefined) await source.create(role, role.agentId)
    },
    { invalidates: peopleReadings },
  )
  const act = useAct(() => source.remove(row.id), {
    invalidates: peopleReadings,
    onSuccess: () => {
      onClose()
      notify.success({
        text: t('已删除角色“{{name}}”', { name: row.name }),
        action: { label: t('撤销'), run: () => again.mutate(undefined) },
      })
    },
  })
  const isUsed = role !== undefined && role.userCount > 0
  return (
    <Confirm
      title={t('删除角色')}
      action={t('删除“{{name}}”', { name: row.name })}
      refusal={isUsed ? t('仍有人使用此角色，请先为他们更换角色') : null}
      busy={act.isPending || role === undefined}
      onConfirm={() => act.mutate(undefined)}
      onClose={onClose}
    >
      {role === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <p>{t('“{{name}}”含 {{count}} 项权限。', { name: role.name, count: role.codeCount })}</p>
          <RoleUsers role={role} />
        </>
      )}
    </Confirm>
  )
}
