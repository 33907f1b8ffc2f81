import { useState, type ReactNode } from 'react'
import {
  searchEndpoints,
  vehicleFilterSchema,
  type Screening,
  type VehicleFilter,
  type VehicleRow,
} from '@saddle/contract/fleet/search.ts'
import { useAction } from '#kit/action/useAction.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { filterOf, writeQuestion } from '#kit/list/question.ts'
import type { List } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { vehicleScreening } from '../search/lists.ts'
import './screening.css'

const stale = [searchEndpoints.listScreenings]

/** The same text for equal conditions, whatever order they were entered in. */
const textOf = (filter: VehicleFilter): string => JSON.stringify(vehicleFilterSchema.parse(filter))

/** Conditions under a name, a person's own and those of the company, each applied with one click. */
export function SavedFilters({ list }: { readonly list: List<VehicleRow, VehicleFilter> }): ReactNode {
  const { data, error, refetch } = useEndpoint(searchEndpoints.listScreenings, {})
  const [isSaving, setSaving] = useState(false)
  const saved = data?.data.list
  const filter = filterOf({}, list.conditions)
  const asked = textOf(filter)
  const current = saved?.find((one) => textOf(one.filter) === asked)
  const open = (one: Screening) =>
    list.ask(writeQuestion(vehicleScreening, { conditions: one.filter, sort: list.sort }).toString())
  return (
    <aside className="screening" aria-label={t('保存的条件')}>
      {saved === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <ul>
          {saved.map((one) => (
            <SavedFilter key={one.id} one={one} isCurrent={one === current} onOpen={() => open(one)} />
          ))}
          {saved.length === 0 && <li className="screening-none">{t('还没有保存的条件：选好条件后点“保存条件”。')}</li>}
          {current === undefined && Object.keys(filter).length > 0 && (
            <li>
              <Button onClick={() => setSaving(true)}>{t('保存条件')}</Button>
            </li>
          )}
        </ul>
      )}
      {isSaving && (
        <FormDialog
          title={t('保存条件')}
          call={searchEndpoints.saveScreening}
          about={asked}
          fields={{
            name: text({ label: t('条件名称') }),
            shared: flag({ label: t('共享'), says: t('公司内共享'), initial: false }),
          }}
          input={(values) => ({ ...values, filter })}
          submit={t('保存')}
          stale={stale}
          done={({ data: { name } }) => t('已保存“{{name}}”', { name })}
          onClose={() => setSaving(false)}
        >
          <p>{t('同名的条件会被替换。')}</p>
        </FormDialog>
      )}
    </aside>
  )
}

interface SavedProps {
  readonly one: Screening
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function SavedFilter({ one, isCurrent, onOpen }: SavedProps) {
  const { id, name, own, shared, filter, authorName, updatedAt } = one
  const removal = useAction(searchEndpoints.removeScreening, {
    stale,
    done: () => t('已删除“{{name}}”', { name }),
    undo: () => ({ name, filter, shared }),
  })
  const count = Object.keys(filter).length
  const about = [
    own ? '' : authorName,
    shared ? t('公司共享') : '',
    t('{{count}} 个条件', { count }),
    dateTime(updatedAt),
  ]
  return (
    <li data-current={isCurrent}>
      <button type="button" aria-pressed={isCurrent} title={about.filter(Boolean).join(' · ')} onClick={onOpen}>
        {name}
        {!own && <small>{authorName}</small>}
        {shared && <small>{t('共享')}</small>}
      </button>
      {own && (
        <button
          type="button"
          className="screening-remove"
          aria-label={t('删除条件“{{name}}”', { name })}
          disabled={removal.isBusy}
          onClick={() => removal.send({ id })}
        >
          ×
        </button>
      )}
    </li>
  )
}
