import type { ReactNode } from 'react'
import { areaSourceLabels, grantSourceLabels, reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { ReviewExport } from './ReviewExport.tsx'

/** Everything that one person may do and where, each with where it comes from. */
export function PersonAccess({ operatorId }: { readonly operatorId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(reviewEndpoints.reviewPerson, { operatorId })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { name, company, blocked, permissions, areas } = data.data
  return (
    <div className="review">
      <header>
        <h2>
          {name} <small className="org-soft">{company}</small>
        </h2>
        <ReviewExport operatorId={operatorId} />
      </header>
      {blocked !== null && (
        <p className="org-note" data-tone="bad">
          {t('以下内容当前均不生效：{{reason}}', { reason: t(blocked) })}
        </p>
      )}
      <div className="review-sides">
        <section aria-label={t('权限')}>
          <h3>
            {t('权限')} <small className="org-soft">{t('{{count}} 项', { count: permissions.length })}</small>
          </h3>
          <ul className="review-list">
            {permissions.map(({ code, title, source, roleName, withheld }) => (
              <li key={code} data-off={withheld !== null || blocked !== null}>
                <span>
                  {t(title)} <code>{code}</code>
                </span>
                <small>
                  {source === 'role' ? t('角色：{{name}}', { name: roleName ?? '' }) : t(grantSourceLabels[source])}
                  {withheld !== null && <b data-tone="warn"> {t(withheld)}</b>}
                </small>
              </li>
            ))}
          </ul>
        </section>
        <section aria-label={t('服务区')}>
          <h3>
            {t('服务区')} <small className="org-soft">{t('{{count}} 个', { count: areas.length })}</small>
          </h3>
          {areas.length === 0 ? (
            <Empty title={t('没有可及的服务区')} />
          ) : (
            <ul className="review-list">
              {areas.map((area) => (
                <li key={area.id} data-off={blocked !== null}>
                  <span>
                    {area.name} <small className="org-soft">{area.company}</small>
                  </span>
                  <small>{t(areaSourceLabels[area.source])}</small>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}
