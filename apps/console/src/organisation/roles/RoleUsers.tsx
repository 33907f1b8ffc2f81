import type { ReactNode } from 'react'
import { enabledStateLabels, type RoleDetail } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'

/** Who has a role. */
export function RoleUsers({ role }: { readonly role: Pick<RoleDetail, 'users' | 'userCount'> }): ReactNode {
  if (role.userCount === 0) return <p className="org-soft">{t('还没有人使用此角色。')}</p>
  return (
    <div className="role-users">
      <p className="org-soft">{t('{{count}} 人使用此角色', { count: role.userCount })}</p>
      <ul aria-label={t('使用者')}>
        {role.users.map((user) => (
          <li key={user.operatorId} data-state={user.state}>
            <span>{user.name}</span>
            <small>
              {user.phone}
              {user.state === 'disabled' ? ` · ${t(enabledStateLabels.disabled)}` : ''}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
