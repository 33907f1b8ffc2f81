import { Fragment, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Popover } from '#kit/ui/Popover.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import type { Filter } from '../declare.ts'
import type { FilteredList } from '../useList.ts'
import type { FilterSpec } from './types.ts'
import './filters.css'

interface Props<F extends Filter> {
  readonly list: FilteredList<F>
  readonly filters: readonly FilterSpec<F>[]
}

/** The filters of a list: each shows its name together with the chosen value; one press clears all. */
export function ListFilters<F extends Filter>({ list, filters }: Props<F>): ReactNode {
  const inBar = filters.filter(({ isByTabs }) => isByTabs !== true)
  if (list.isPhone) return <PhoneFilters list={list} filters={inBar} />
  const { filter, change, clear } = list
  return (
    <search className="filters" aria-label={t('筛选条件')}>
      {inBar.map((spec) =>
        spec.field ? (
          <Fragment key={spec.title}>{spec.field({ filter, change, close: stay })}</Fragment>
        ) : (
          <FilterButton key={spec.title} spec={spec} list={list} />
        ),
      )}
      <OtherConditions list={list} filters={filters} />
      <button type="button" className="filter-link filters-clear" hidden={!hasConditions(list)} onClick={clear}>
        {t('清除')}
      </button>
    </search>
  )
}

/** Fields in the bar or in a fold have no popup to close. */
const stay = (): void => undefined

export const hasConditions = ({ conditions }: { readonly conditions: object }): boolean =>
  Object.keys(conditions).length > 0

/** Whether a filter still has its default value. */
function isUsual<F extends Filter>(list: FilteredList<F>, { names }: FilterSpec<F>): boolean {
  const { usual } = list.declaration
  return names.some((name) => Object.hasOwn(usual, name)) && names.every((name) => list.conditions[name] === undefined)
}

function FilterButton<F extends Filter>({
  spec,
  list,
}: {
  readonly spec: FilterSpec<F>
  readonly list: FilteredList<F>
}) {
  const { filter, change } = list
  const words = spec.words(filter)
  const isOn = words !== null
  const usual = isUsual(list, spec)
  const takeOff = () => change(Object.fromEntries(spec.names.map((name) => [name, undefined])) as never)
  return (
    <span className="filter" data-on={isOn && !usual} data-usual={isOn && usual}>
      <Popover label={spec.title} className="filter-button" face={<Face title={spec.title} words={words} />}>
        {(close) => spec.panel?.({ filter, change, close })}
      </Popover>
      {isOn && (
        <button
          type="button"
          className="filter-off"
          aria-label={t('去掉“{{title}}”', { title: spec.title })}
          onClick={takeOff}
        >
          ×
        </button>
      )}
    </span>
  )
}

function Face({ title, words }: { readonly title: string; readonly words: string | null }) {
  if (words === null) {
    return (
      <>
        {title}
        <Arrow />
      </>
    )
  }
  return (
    <>
      <span className="filter-title">{t('{{title}}：', { title })}</span>
      <b>{words}</b>
    </>
  )
}

const Arrow = () => (
  <svg className="filter-arrow" width="12" height="12" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M5 8l5 5 5-5" />
  </svg>
)

/** Conditions set by a link that neither a filter nor a tab of the page shows. */
function OtherConditions<F extends Filter>({ list, filters }: Props<F>) {
  const shown = new Set<string>(
    filters.flatMap((spec) => (spec.isByTabs === true && spec.words(list.filter) === null ? [] : spec.names)),
  )
  const others = Object.keys(list.conditions).filter((name) => !shown.has(name))
  if (others.length === 0) return null
  return (
    <span className="filter" data-on="true">
      <span className="filter-button">{t('链接带来的 {{count}} 个条件', { count: others.length })}</span>
      <button
        type="button"
        className="filter-off"
        aria-label={t('去掉链接带来的条件')}
        onClick={() => list.change(Object.fromEntries(others.map((name) => [name, undefined])) as never)}
      >
        ×
      </button>
    </span>
  )
}

/** On a phone: the first typed filter, and one button for all others with the number that is set. */
function PhoneFilters<F extends Filter>({ list, filters }: Props<F>) {
  const [isOpen, setOpen] = useState(false)
  const { filter, change, clear, total } = list
  const first = filters.find(({ field }) => field !== undefined)
  const behind = filters.filter((spec) => spec !== first)
  const count = behind.filter((spec) => spec.words(filter) !== null).length
  return (
    <search className="filters" aria-label={t('筛选条件')}>
      {first?.field?.({ filter, change, close: stay })}
      {behind.length > 0 && (
        <button type="button" className="filter-button filters-open" data-on={count > 0} onClick={() => setOpen(true)}>
          {count === 0 ? t('筛选') : t('筛选（{{count}}）', { count })}
        </button>
      )}
      {isOpen && (
        <Sheet
          label={t('筛选')}
          onClose={() => setOpen(false)}
          foot={
            <>
              <Button disabled={!hasConditions(list)} onClick={clear}>
                {t('清除')}
              </Button>
              <Button look="primary" wide onClick={() => setOpen(false)}>
                {total === null ? t('查看结果') : t('查看 {{count}} 条', { count: total.count })}
              </Button>
            </>
          }
        >
          {behind.map((spec) =>
            spec.field ? (
              <div key={spec.title} className="filter-typed">
                {spec.field({ filter, change, close: stay })}
              </div>
            ) : (
              <details key={spec.title} className="filter-fold">
                <summary>
                  {spec.title}
                  <b>{spec.words(filter) ?? t('不限')}</b>
                </summary>
                {spec.panel?.({ filter, change, close: stay })}
              </details>
            ),
          )}
        </Sheet>
      )}
    </search>
  )
}
