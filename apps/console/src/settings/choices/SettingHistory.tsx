import type { ReactNode } from 'react'
import { settingEndpoints } from '@saddle/contract/settings/choices.ts'
import { settingOf, type SettingCode } from '@saddle/contract/settings/registry.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import type { Place } from './place.ts'
import { valueText } from './valueText.ts'

interface Props {
  readonly place: Place
  readonly code: SettingCode
  readonly onClose: () => void
}

/** Who chose what of a setting in this place, the latest first. */
export function SettingHistory({ place, code, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(settingEndpoints.settingHistory, { ...place, code })
  const changes = data?.data.changes
  const title = t('变更记录：{{title}}', { title: t(settingOf(code).title) })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      {changes === undefined && error === null && <Loading />}
      {changes === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      <ol className="setting-history">
        {changes?.map((change) => (
          <li key={change.id}>
            <strong>{valueText(code, change.value)}</strong>
            <small>
              {change.by} · {dateTime(change.at)}
            </small>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
