import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { LogPage } from './LogPage.tsx'

const ChainSheet = onDemand(
  () => import('./ChainSheet.tsx'),
  ({ onClose }) => onClose(),
)

/** Everything that people did, and the proof that nothing of it was changed afterwards. */
export default function OperatorLogPage(): ReactNode {
  const [isProving, setProving] = useState(false)
  return (
    <>
      <LogPage
        category="operator"
        title={t('操作员日志')}
        actions={<Button onClick={() => setProving(true)}>{t('核对日志链')}</Button>}
      />
      {isProving && <ChainSheet onClose={() => setProving(false)} />}
    </>
  )
}
