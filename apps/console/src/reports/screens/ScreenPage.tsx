import Select from 'antd/es/select'
import { useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { ScreenPage as Page } from '@saddle/contract/reports/screens.ts'
import { useAreaNames } from '#kit/areaNames.ts'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { currentSession } from '#kit/session/store.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { Wall } from './Wall.tsx'
import { pairingQuery } from './pairingLink.ts'
import type { ScreensProps } from './WallScreens.tsx'

const WallScreens = onDemand<ScreensProps>(
  () => import('./WallScreens.tsx'),
  ({ onClose }) => onClose(),
)

const storageKey = (page: Page): string => `screen-areas-${page}-${currentSession()?.opManId ?? ''}`

function readAreas(page: Page): readonly number[] | null {
  const kept = readStored(storageKey(page))
  return Array.isArray(kept) && kept.length > 0 && kept.every((id) => Number.isSafeInteger(id))
    ? (kept as number[])
    : null
}

/** A screen in a tab of the console: with its own choice of areas, in full screen, and the walls that show it. */
export function ScreenPage({ page }: { readonly page: Page }): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const names = useAreaNames()
  const [areaIds, setAreaIds] = useState(() => readAreas(page))
  const [query, setQuery] = useSearchParams()
  const code = query.get(pairingQuery)
  const [isManaging, setManaging] = useState(code !== null)
  // An area that the person may not see any more would refuse the whole screen.
  const known = areaIds?.filter((id) => names.size === 0 || names.has(id)) ?? null
  const choose = (ids: readonly number[]): void => {
    const next = ids.length === 0 ? null : [...ids]
    writeStored(storageKey(page), next)
    setAreaIds(next)
  }
  const close = (): void => {
    setManaging(false)
    if (code !== null) setQuery({}, { replace: true })
  }
  return (
    <div className="wall-page">
      <div className="wall-tools">
        <Select<number[]>
          mode="multiple"
          className="wall-areas"
          aria-label={t('大屏服务区')}
          placeholder={t('全部服务区')}
          maxTagCount="responsive"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={known === null ? [] : [...known]}
          options={[...names].map(([value, label]) => ({ value, label }))}
          onChange={choose}
        />
        <Button onClick={() => setManaging(true)}>{t('大屏终端')}</Button>
        <Button look="primary" onClick={() => void frame.current?.requestFullscreen().catch(() => null)}>
          {t('全屏显示')}
        </Button>
      </div>
      <div ref={frame} className="wall-frame">
        <Wall page={page} areaIds={known} />
      </div>
      {isManaging && <WallScreens code={code} onClose={close} />}
    </div>
  )
}
