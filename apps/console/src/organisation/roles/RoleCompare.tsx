import Modal from 'antd/es/modal'
import type { ReactNode } from 'react'
import { roleEndpoints, type RoleDetail } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import type { RoleSide } from './roles.ts'
import { differences, forestOf } from './permissionForest.ts'
import '../parts/parts.css'

interface Props {
  readonly source: RoleSide
  readonly ids: readonly [number, number]
  readonly onClose: () => void
}

/** Two roles side by side: only what one of them has and the other has not. */
export function RoleCompare({ source, ids, onClose }: Props): ReactNode {
  const left = useEndpoint(source.detail, { id: ids[0] })
  const right = useEndpoint(source.detail, { id: ids[1] })
  const tree = useEndpoint(roleEndpoints.permissionTree, {})
  const error = left.error ?? right.error ?? tree.error
  const isThere = left.data !== undefined && right.data !== undefined && tree.data !== undefined
  const retry = () => void Promise.all([left.refetch(), right.refetch(), tree.refetch()])
  return (
    <Modal open width={760} title={t('对比两个角色')} footer={null} onCancel={onClose}>
      {isThere ? (
        <Sides left={left.data.data} right={right.data.data} rows={tree.data.data.list} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
    </Modal>
  )
}

interface SidesProps {
  readonly left: RoleDetail
  readonly right: RoleDetail
  readonly rows: Parameters<typeof forestOf>[0]
}

function Sides({ left, right, rows }: SidesProps) {
  const found = differences(forestOf(rows), left.codes, right.codes)
  if (found.left.length + found.right.length === 0) return <Empty title={t('两个角色的权限完全相同')} />
  return (
    <div className="compare">
      <Side role={left} only={found.left} />
      <Side role={right} only={found.right} />
    </div>
  )
}

function Side({ role, only }: { readonly role: RoleDetail; readonly only: ReturnType<typeof differences>['left'] }) {
  return (
    <section aria-label={role.name}>
      <h3>{role.name}</h3>
      <p className="org-soft">
        {t('共 {{count}} 项权限', { count: role.codeCount })} · {t('独有 {{count}} 项', { count: only.length })}
      </p>
      <ul>
        {only.map(({ code, title, trail }) => (
          <li key={code}>
            {trail.length > 0 && <small>{trail.map((name) => t(name)).join(' / ')}</small>}
            <span>
              {t(title)} <code>{code}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
