import type { ReactNode } from 'react'
import { settingEndpoints } from '@saddle/contract/settings/choices.ts'
import { settingOf, type SettingCode } from '@saddle/contract/settings/registry.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import type { Place } from './place.ts'
import { valueText } from './valueText.ts'

interface Props {
  readonly place: Place
  readonly code: SettingCode
  /** Of the latest change that is shown. */
  readonly version: number
  readonly onClose: () => void
}

/** Who chose what of a setting in this place, the latest first; each earlier choice can be made again. */
export function SettingHistory({ place, code, version, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(settingEndpoints.settingHistory, { ...place, code })
  const restore = useAction(settingEndpoints.changeSetting, {
    stale: [settingEndpoints.systemSettings, settingEndpoints.settingHistory],
    done: () => t('已恢复'),
    undo: (answer, input) => ({ ...input, value: answer.data.previous, version: answer.data.version }),
  })
  const changes = data?.data.changes
  const latest = JSON.stringify(changes?.[0]?.value)
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
            {JSON.stringify(change.value) !== latest && (
              <Button
                look="quiet"
                disabled={restore.isBusy}
                onClick={() => restore.send({ ...place, code, value: change.value, version })}
              >
                {change.value === null ? t('沿用上一级') : t('恢复为此值')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
