import type { ReactNode } from 'react'
import {
  telephoneEndpoints,
  telephoneStateLabels,
  type TelephoneContent,
} from '@saddle/contract/marketing/telephones.ts'
import { areasText, type AreaNames } from '#kit/areaNames.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { VersionList } from '../activities/Versions.tsx'
import '../activities/activities.css'
import { spanText } from './telephoneFields.tsx'

/** Who changed what of a telephone line, and when. The newest first. */
export function Versions({ id, names }: { readonly id: number; readonly names: AreaNames }): ReactNode {
  const { data, error, refetch } = useEndpoint(telephoneEndpoints.telephoneVersions, { id })
  return (
    <details className="telephone-versions">
      <summary>{t('历次版本')}</summary>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <VersionList
          versions={data.data.list.map(({ version, madeAt, madeBy, content }) => ({
            version,
            madeAt,
            madeBy,
            facts: factsOf(content, names),
          }))}
        />
      )}
    </details>
  )
}

const factsOf = (content: TelephoneContent, names: AreaNames): readonly (readonly [string, string])[] => [
  [t('名称'), content.label],
  [t('英文名称'), content.labelEn],
  [t('电话号码'), content.number],
  [t('适用服务区'), areasText(content.areaIds, names)],
  [t('接听时段'), content.spans.map(spanText).join(t('；'))],
  [t('节假日'), content.isClosedOnHolidays ? t('节假日休息') : t('照常接听')],
  [t('优先级'), number(content.priority)],
  [t('状态'), t(telephoneStateLabels[content.state])],
]
