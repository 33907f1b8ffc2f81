import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { idOf } from '../parts/link.ts'
import { RoleDetailScreen } from './RoleScreens.tsx'
import { ownRoles } from './roles.ts'

/** One role of the own company. */
export default function RoleDetailPage(): ReactNode {
  const [query] = useSearchParams()
  const id = idOf(query.get('id'))
  if (id !== null) return <RoleDetailScreen key={id} source={ownRoles} id={id} />
  return (
    <Empty
      size="page"
      title={t('没有选择角色')}
      action={<ButtonLink to={ownRoles.paths.list}>{t('返回列表')}</ButtonLink>}
    />
  )
}
