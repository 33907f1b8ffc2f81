import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { roleEndpoints, roleLimits, type RoleDetail } from '@saddle/contract/organisation/roles.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { peopleCalls } from '../people/people.ts'
import { RoleEditor } from './RoleEditor.tsx'
import { RoleUsers } from './RoleUsers.tsx'
import { copyOf, detailOf, written, type RoleContent, type RoleSide } from './roles.ts'

interface NewProps {
  readonly source: RoleSide
  /** The role that it begins as a copy of. */
  readonly from: number | null
  /** The franchisee that it will belong to, on that side. */
  readonly agentId: number | null
  readonly children?: ReactNode
}

/** A new role, empty or as a copy; codes of the original that the person does not hold are left out. */
export function NewRole({ source, from, agentId, children }: NewProps): ReactNode {
  const navigate = useNavigate()
  const tree = useEndpoint(roleEndpoints.permissionTree, {})
  const origin = useEndpoint(source.detail, { id: from ?? 0 }, { enabled: from !== null })
  const [isSaved, setSaved] = useState(false)
  const save = useAction(source.create, {
    stale: peopleCalls,
    done: ({ data: { name } }) => t('已新增角色“{{name}}”', { name }),
    onDone: () => setSaved(true),
  })
  // Only once it counts as saved: the editor would ask about changes that are not lost.
  useEffect(() => {
    if (isSaved) void navigate(source.paths.list)
  }, [isSaved, navigate, source])
  const rows = tree.data?.data.list
  const original = origin.data?.data
  const isThere = rows !== undefined && (from === null || original !== undefined)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{original === undefined ? t('新增角色') : t('复制角色“{{name}}”', { name: original.name })}</h1>
        <ButtonLink to={source.paths.list}>{t('返回列表')}</ButtonLink>
      </header>
      <section className="page-card role-card">
        {children}
        {isThere ? (
          <RoleEditor
            key={from ?? 'new'}
            initial={startOf(original, new Set(rows.filter((row) => row.grantable).map((row) => row.code)))}
            rows={rows}
            action={t('保存角色')}
            busy={save.isBusy}
            isSaved={isSaved}
            onSave={(content) => save.send({ ...(agentId !== null && { agentId }), ...written(content) })}
          />
        ) : (
          <Waiting error={tree.error ?? origin.error} onRetry={() => void tree.refetch()} />
        )}
      </section>
    </div>
  )
}

function startOf(original: RoleDetail | undefined, grantable: ReadonlySet<string>): RoleContent {
  if (original === undefined) return { name: '', description: '', codes: [] }
  return {
    name: t('{{name}} 副本', { name: original.name }).slice(0, roleLimits.name),
    description: original.description,
    codes: original.codes.filter((code) => grantable.has(code)),
  }
}

/** One role: what it permits, who has it, and its change. */
export function RoleDetailScreen({ source, id }: { readonly source: RoleSide; readonly id: number }): ReactNode {
  const tree = useEndpoint(roleEndpoints.permissionTree, {})
  const { data, error, refetch } = useEndpoint(source.detail, { id })
  const newest = data?.data
  // What is edited stays as it was read, whatever others change meanwhile.
  const [base, setBase] = useState<RoleDetail | undefined>(newest)
  if (base === undefined && newest !== undefined) setBase(newest)
  const save = useAction(source.change, {
    stale: peopleCalls,
    done: ({ data: { name } }) => t('已保存角色“{{name}}”，使用者即刻生效', { name }),
    onDone: ({ data }) => setBase(data),
  })
  const rows = tree.data?.data.list
  if (base === undefined || rows === undefined) {
    const retry = () => void Promise.all([refetch(), tree.refetch()])
    return (
      <div className="page">
        <Waiting error={error ?? tree.error} onRetry={retry} />
      </div>
    )
  }
  const isOutdated = newest !== undefined && newest.version > base.version
  return (
    <div className="page">
      <ListTrail
        list={source.list}
        path={source.paths.list}
        title={source.side === 'own' ? t('角色管理') : t('加盟商角色')}
        isShown={(row) => row.id === id}
        toRow={(row) => detailOf(source, row)}
      />
      <header className="page-head">
        <h1>{base.name}</h1>
        <ButtonLink to={copyOf(source, base)}>{t('复制')}</ButtonLink>
      </header>
      <div className="role-detail">
        <section className="page-card role-card">
          <RoleEditor
            key={base.version}
            initial={base}
            rows={rows}
            note={<Note role={base} {...(isOutdated && { onReload: () => setBase(newest) })} />}
            isFixed={base.isOwn}
            action={t('保存修改')}
            busy={save.isBusy}
            isSaved={false}
            onSave={(content) => save.send({ id, version: base.version, ...written(content) })}
          />
        </section>
        <aside className="page-card role-card" aria-label={t('使用者')}>
          <h2>{t('使用者')}</h2>
          <RoleUsers role={newest ?? base} />
          <p className="org-soft">
            {t('最近修改')} {dateTime(base.updatedAt)} {base.updatedBy ?? ''}
          </p>
        </aside>
      </div>
    </div>
  )
}

function Note({ role, onReload }: { readonly role: RoleDetail; readonly onReload?: () => void }) {
  if (onReload !== undefined) {
    return (
      <output className="org-note">
        {t('此角色已被他人修改，保存会被拒绝。')} <Button onClick={onReload}>{t('载入最新内容')}</Button>
      </output>
    )
  }
  if (role.isOwn) return <output className="org-note">{t('这是您本人的角色，只能由他人修改。')}</output>
  if (!role.exceeds) return null
  return <output className="org-note">{t('此角色含有您没有的权限：您只能增减自己持有的权限。')}</output>
}

function Waiting({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={onRetry} />
}
