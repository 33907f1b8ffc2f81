import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { FilterBar } from '../filter/FilterBar.tsx'
import { useQuestion } from '../filter/useQuestion.ts'
import { VehicleTable } from '../vehicle-list/VehicleTable.tsx'

/** Every vehicle of the scope, found by any condition. */
export default function VehicleQueryPage(): ReactNode {
  const { filter, sort, setFilter, setSort } = useQuestion()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('车辆查询')}</h1>
      </header>
      <FilterBar filter={filter} onFilter={setFilter} />
      <VehicleTable filter={filter} sort={sort} onSort={setSort} onClear={() => setFilter({})} />
    </div>
  )
}
