import type { ReactNode } from 'react'
import { exportFormatLabels } from '@saddle/contract/exported.ts'
import { fenceFileFormats, fenceManageEndpoints, type FenceFileFormat } from '@saddle/contract/geography/manage.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { useExport } from '#kit/list/useExport.ts'
import { MoreMenu, type MoreAction } from '#kit/ui/MoreMenu.tsx'
import { Popover } from '#kit/ui/Popover.tsx'
import type { FenceList } from './fenceList.ts'

const words: Readonly<Record<FenceFileFormat, string>> = {
  ...exportFormatLabels,
  geojson: 'GeoJSON',
  kml: 'KML',
}

interface Props {
  readonly list: FenceList
  /** On a phone: one button, with these first. */
  readonly folded: readonly MoreAction[] | null
}

/** What the list shows as a file, for spreadsheets and for other maps. */
export function ExportMenu({ list, folded }: Props): ReactNode {
  const file = useExport()
  const take = (format: FenceFileFormat): void => {
    void file.start(async (at) => {
      const answer = await call(
        fenceManageEndpoints.exportElectricFences,
        { filter: { ...list.filter }, format, ...at },
        { quiet: true },
      )
      return answer.data
    })
  }
  if (folded !== null) {
    const files = fenceFileFormats.map((format) => ({
      key: format,
      label: t('导出 {{format}}', { format: words[format] }),
      run: () => take(format),
    }))
    return <MoreMenu label={t('围栏')} actions={[...folded, ...files]} />
  }
  return (
    <Popover
      label={t('导出方式')}
      className="plain-button"
      face={
        <>
          {file.isBusy ? t('正在导出') : t('导出')} <span aria-hidden="true">▾</span>
        </>
      }
    >
      {(close) => (
        <div className="list-export-choices">
          {fenceFileFormats.map((format) => (
            <button
              key={format}
              type="button"
              disabled={file.isBusy}
              onClick={() => {
                take(format)
                close()
              }}
            >
              {t('导出 {{format}}', { format: words[format] })}
            </button>
          ))}
        </div>
      )}
    </Popover>
  )
}
