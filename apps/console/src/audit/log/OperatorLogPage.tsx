import { lazy, Suspense, useState, type ReactNode } from 'react'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { LogPage } from './LogPage.tsx'

const ChainDrawer = lazy(() => loadChunk(() => import('./ChainDrawer.tsx')))

/** Everything that people did, and the proof that nothing of it was changed afterwards. */
export default function OperatorLogPage(): ReactNode {
  const [proving, setProving] = useState(false)
  return (
    <LogPage
      category="operator"
      title={t('操作员日志')}
      actions={<Button onClick={() => setProving(true)}>{t('核对日志链')}</Button>}
    >
      {proving && (
        <Suspense fallback={null}>
          <ChainDrawer onClose={() => setProving(false)} />
        </Suspense>
      )}
    </LogPage>
  )
}
