import type { ReactNode } from 'react'
import { roleEndpoints, type RoleRow } from '@saddle/contract/organisation/roles.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { peopleCalls } from '../people/people.ts'
import { written, type RoleSide } from './roles.ts'
import { RoleUsers } from './RoleUsers.tsx'

interface Props {
  readonly source: RoleSide
  readonly row: RoleRow
  readonly onClose: () => void
}

/** Enables or disables a role after showing who loses or regains what; it can be undone. */
export function RoleSwitch({ source, row, onClose }: Props): ReactNode {
  const { id, name, state } = row
  const { role, shown } = useRole(source, id)
  const isStop = state === 'enabled'
  const words = { name, count: row.userCount }
  const content = written(role ?? { name, description: row.description, codes: [] })
  return (
    <FormDialog
      call={source.setState}
      about={id}
      title={isStop ? t('停用角色') : t('启用角色')}
      fields={{}}
      input={() => ({
        id,
        version: row.version,
        state: isStop ? ('disabled' as const) : ('enabled' as const),
        ...content,
      })}
      blocked={role === undefined ? t('正在加载…') : null}
      submit={isStop ? t('停用“{{name}}”', words) : t('启用“{{name}}”', words)}
      stale={peopleCalls}
      done={() => (isStop ? t('已停用角色“{{name}}”', words) : t('已启用角色“{{name}}”', words))}
      undo={({ data: { version } }) => ({ id, version, state, ...content })}
      onClose={onClose}
    >
      <p>
        {isStop
          ? t('停用“{{name}}”后，使用它的 {{count}} 人立即失去它的全部权限，已打开的页面也随之生效。', words)
          : t('启用“{{name}}”后，使用它的 {{count}} 人立即重新获得它的全部权限。', words)}
      </p>
      {row.userCount > 0 && shown}
    </FormDialog>
  )
}

/** Deletes a role that nobody has; who has it is shown, and undoing makes it again. */
export function RoleRemoval({ source, row, onClose }: Props): ReactNode {
  const { id, name, agentId } = row
  const { role, shown } = useRole(source, id)
  const isUsed = role !== undefined && role.userCount > 0
  const content = written(role ?? { name, description: row.description, codes: [] })
  const common = {
    about: id,
    title: t('删除角色'),
    fields: {},
    input: () => ({ id }),
    blocked: role === undefined ? t('正在加载…') : isUsed ? t('仍有人使用此角色，请先为他们更换角色') : null,
    submit: t('删除“{{name}}”', { name }),
    stale: peopleCalls,
    done: () => t('已删除角色“{{name}}”', { name }),
    onClose,
    children: (
      <>
        {role !== undefined && <p>{t('“{{name}}”含 {{count}} 项权限。', { name, count: role.codeCount })}</p>}
        {shown}
      </>
    ),
  }
  return source.side === 'own' ? (
    <FormDialog {...common} call={roleEndpoints.removeRole} undo={() => content} />
  ) : (
    <FormDialog {...common} call={roleEndpoints.removeAgentRole} undo={() => ({ agentId, ...content })} />
  )
}

/** A role as it is now, and who has it. */
function useRole(source: RoleSide, id: number) {
  const { data, error, refetch } = useEndpoint(source.detail, { id }, { staleMs: 0 })
  const role = data?.data
  if (role !== undefined) return { role, shown: <RoleUsers role={role} /> }
  const shown = error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return { role: undefined, shown }
}
