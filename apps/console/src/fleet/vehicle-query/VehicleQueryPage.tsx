import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { useList } from '#kit/list/useList.ts'
import { vehicleQuery } from '../search/lists.ts'
import { VehicleSearch } from '../search/VehicleSearch.tsx'

const refreshEveryMs = 30_000

/** Every vehicle of the scope, found by any condition. */
export default function VehicleQueryPage(): ReactNode {
  return <VehicleSearch list={useList(vehicleQuery, { refreshEveryMs })} title={t('车辆查询')} from="query" />
}
