import { useState, type ReactNode } from 'react'
import { screeningNameMax, searchEndpoints, type Screening, type VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { FilterBar } from '../filter/FilterBar.tsx'
import { conditionCount, tidy } from '../filter/link.ts'
import { useQuestion } from '../filter/useQuestion.ts'
import { VehicleTable } from '../vehicle-list/VehicleTable.tsx'
import './screening.css'

const invalidates = [searchEndpoints.listScreenings]

/** Combined conditions that are kept under a name and asked again and again. */
export default function VehicleScreeningPage(): ReactNode {
  const { filter, sort, setFilter, setSort } = useQuestion()
  const { data, error, refetch } = useEndpoint(searchEndpoints.listScreenings, {})
  const list = data?.data.list
  const asked = JSON.stringify(tidy(filter))
  const current = list?.find((one) => JSON.stringify(tidy(one.filter)) === asked)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('车辆筛查')}</h1>
      </header>
      <div className="screening">
        <aside className="page-card screening-kept" aria-label={t('保存的条件')}>
          <h2>{t('保存的条件')}</h2>
          {list === undefined ? (
            error === null ? (
              <Loading />
            ) : (
              <ErrorState error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <Kept list={list} currentId={current?.id ?? null} onOpen={setFilter} />
          )}
        </aside>
        <div className="screening-main">
          <section className="page-card screening-conditions">
            <FilterBar filter={filter} onFilter={setFilter} unfolded />
            <Save filter={filter} current={current} />
          </section>
          <VehicleTable filter={filter} sort={sort} onSort={setSort} onClear={() => setFilter({})} />
        </div>
      </div>
    </div>
  )
}

interface KeptProps {
  readonly list: readonly Screening[]
  readonly currentId: number | null
  readonly onOpen: (filter: VehicleFilter) => void
}

function Kept({ list, currentId, onOpen }: KeptProps) {
  const save = useEndpointMutation(searchEndpoints.saveScreening, { invalidates })
  const remove = useEndpointMutation(searchEndpoints.removeScreening, {
    invalidates,
  })
  const discard = (one: Screening) => {
    remove.mutate(
      { input: { id: one.id } },
      {
        onSuccess: () =>
          notify.success({
            text: t('已删除“{{name}}”', { name: one.name }),
            action: {
              label: t('撤销'),
              run: () =>
                save.mutate({
                  input: { name: one.name, filter: one.filter, shared: one.shared },
                  idempotencyKey: newIdempotencyKey(),
                }),
            },
          }),
      },
    )
  }
  if (list.length === 0) {
    return <p className="screening-none">{t('还没有保存的条件。选好右侧的条件后点“保存条件”，下次一点就能再查。')}</p>
  }
  return (
    <ul>
      {list.map((one) => (
        <li key={one.id} data-current={one.id === currentId}>
          <button type="button" onClick={() => onOpen(one.filter)}>
            <strong>{one.name}</strong>
            <small>
              {one.own ? '' : `${one.authorName} · `}
              {one.shared ? `${t('公司共享')} · ` : ''}
              {t('{{count}} 个条件', { count: conditionCount(one.filter) })} · <Ago at={one.updatedAt} />
            </small>
          </button>
          {one.own && (
            <button
              type="button"
              className="screening-remove"
              aria-label={t('删除条件“{{name}}”', { name: one.name })}
              onClick={() => discard(one)}
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Save({ filter, current }: { filter: VehicleFilter; current: Screening | undefined }) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const [open, setOpen] = useState(false)
  const save = useEndpointMutation(searchEndpoints.saveScreening, {
    invalidates,
    onSuccess: ({ data }) => {
      notify.success({ text: t('已保存“{{name}}”', { name: data.name }) })
      setOpen(false)
      setName('')
    },
  })
  if (conditionCount(filter) === 0) return null
  if (current !== undefined && !open) {
    return <p className="screening-saved">{t('已保存为“{{name}}”', { name: current.name })}</p>
  }
  if (!open) {
    return (
      <p className="screening-saved">
        <Button onClick={() => setOpen(true)}>{t('保存条件')}</Button>
      </p>
    )
  }
  return (
    <form
      className="filter-row screening-saved"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '' || save.isPending) return
        save.mutate({ input: { name: name.trim(), filter, shared }, idempotencyKey: newIdempotencyKey() })
      }}
    >
      <input
        className="filter-keyword"
        value={name}
        maxLength={screeningNameMax}
        aria-label={t('条件名称')}
        placeholder={t('条件名称')}
        onChange={(event) => setName(event.target.value)}
      />
      <label>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />{' '}
        {t('公司内共享')}
      </label>
      <Button type="submit" look="primary" busy={save.isPending} disabled={name.trim() === ''}>
        {t('保存')}
      </Button>
      <Button look="quiet" onClick={() => setOpen(false)}>
        {t('取消')}
      </Button>
    </form>
  )
}
