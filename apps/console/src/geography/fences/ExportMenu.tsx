import type { ReactNode } from 'react'
import { fenceFileFormats, fenceManageEndpoints, type FenceFileFormat } from '@saddle/contract/geography/manage.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { useExport } from '#kit/list/useExport.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { FenceList } from './fenceList.ts'

const words: Readonly<Record<FenceFileFormat, string>> = { csv: 'CSV', geojson: 'GeoJSON', kml: 'KML' }

/** What the list shows as a file, for spreadsheets and for other maps. */
export function ExportMenu({ list }: { readonly list: FenceList }): ReactNode {
  const file = useExport()
  if (file.rows !== null) {
    return <Button onClick={file.cancel}>{t('正在导出 {{count}} 行，取消', { count: file.rows })}</Button>
  }
  const take = (format: FenceFileFormat): void => {
    void file.start(async (at, signal) => {
      const answer = await call(
        fenceManageEndpoints.exportElectricFences,
        { filter: { ...list.filter }, format, ...at },
        { signal, quiet: true },
      )
      return answer.data
    })
  }
  return (
    <span className="fences-export">
      {t('导出')}
      {fenceFileFormats.map((format) => (
        <Button key={format} aria-label={t('导出 {{format}}', { format: words[format] })} onClick={() => take(format)}>
          {words[format]}
        </Button>
      ))}
    </span>
  )
}
