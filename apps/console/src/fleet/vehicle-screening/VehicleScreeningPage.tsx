import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { useList } from '#kit/list/useList.ts'
import { vehicleScreening } from '../search/lists.ts'
import { VehicleSearch } from '../search/VehicleSearch.tsx'
import { SavedFilters } from './SavedFilters.tsx'

const refreshEveryMs = 30_000

/** Combined conditions that are saved under a name for reuse. */
export default function VehicleScreeningPage(): ReactNode {
  const list = useList(vehicleScreening, { refreshEveryMs })
  return <VehicleSearch list={list} title={t('车辆筛查')} from="screening" above={<SavedFilters list={list} />} />
}
