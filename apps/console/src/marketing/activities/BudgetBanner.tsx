import type { ReactNode } from 'react'
import type { Activity, ActivityFilter } from '@saddle/contract/marketing/activities.ts'
import { t } from '#kit/i18n/index.ts'
import type { List } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import type { AnyKindUi } from './kind.ts'

const refreshEveryMs = 60_000

interface Props {
  readonly of: AnyKindUi
  readonly list: Pick<List<Activity<object>, ActivityFilter>, 'change'>
}

/** Activities that their budget has stopped, and those that it will stop soon; nothing where there are none. */
export function BudgetBanner({ of, list }: Props): ReactNode {
  const dry = useCount(of, { states: ['dry'] })
  const low = useCount(of, { states: ['on'], low: true })
  if (dry === 0 && low === 0) return null
  const show = (filter: ActivityFilter) => list.change({ states: undefined, low: undefined, ...filter })
  return (
    <output className="activity-banner">
      {dry > 0 && (
        <>
          <span>{t('{{count}} 个活动预算用完，已停止', { count: dry })}</span>
          <Button look="link" onClick={() => show({ states: ['dry'] })}>
            {t('查看')}
          </Button>
        </>
      )}
      {low > 0 && (
        <>
          <span>{t('{{count}} 个活动预算已用八成以上', { count: low })}</span>
          <Button look="link" onClick={() => show({ states: ['on'], low: true })}>
            {t('查看')}
          </Button>
        </>
      )}
    </output>
  )
}

function useCount({ calls }: AnyKindUi, filter: ActivityFilter): number {
  const { data } = useEndpoint(calls.list, { filter, pageSize: 1 }, { quiet: true, refetchIntervalMs: refreshEveryMs })
  return data?.data.count ?? 0
}
